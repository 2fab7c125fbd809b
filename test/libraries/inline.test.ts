import { join } from 'node:path';
import { testCases } from '../support/cases.js';
import { print } from '../support/inlined.js';

testCases(join(import.meta.dirname, 'inline'), print);
