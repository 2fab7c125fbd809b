import { join } from 'node:path';
import { testCases } from '../support/cases.js';
import { print } from '../support/inlined.js';

/** Calls replaced by implementations (LOCO paper, Def. 3.9). */
testCases(join(import.meta.dirname, 'inline'), print);
