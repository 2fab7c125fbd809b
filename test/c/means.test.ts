import { loadC } from '../../src/node/c.js';
import { meaning } from '../support/c-meaning.js';
import { testCases } from '../support/cases.js';

await loadC();

testCases('test/c/means', (input) => meaning(input, 't.c'));
