import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkMethods } from '../../src/libraries/check.js';
import { loadLibraries } from '../../src/model/load.js';
import { DISK, MODELS_FOLDER } from '../../src/node/models.js';
import { renderDiagnostic, whole } from '../../src/parse/diagnostics/index.js';
import { parseImplementation } from '../../src/parse/implementation.js';
import { methodsOf } from '../../src/program/methods.js';
import { valueOf } from '../support/litmus.js';

/** Where the methods of an implementation are not those of its library. */
function wrong(text: string): string {
  const source = { path: 'case.impl', text };
  const implementation = valueOf(whole(parseImplementation(source)));
  const library = implementation.implements.text;
  const path = join(MODELS_FOLDER, 'lib', `${library}.cat`);
  const { instructions } = valueOf(loadLibraries([path], DISK).model);
  const sources = new Map([['case.impl', source]]);
  return checkMethods(implementation, methodsOf(instructions, library))
    .map((error) => renderDiagnostic(error, sources))
    .join('\n');
}

const FOLDER = join(MODELS_FOLDER, 'lib/impl');

test.each(readdirSync(FOLDER))('%s has the methods of its library', (name) => {
  expect(wrong(readFileSync(join(FOLDER, name), 'utf8'))).toBe('');
});

test('methods that are missing, of another form, and unknown', () => {
  const text = `implementation own implements msw over rl
write(x) { x := 1 }
tryread(x) { y := x }
put(x) work d { return 1 }
wayt(d) { wait(d) }`;
  expect(wrong(text).split('\n')).toEqual([
    "case.impl:1:31: own has no method 'get', 'wait'",
    '1 | implementation own implements msw over rl',
    '  |                               ^^^  msw has the methods write, tryread, put, get, wait',
    "case.impl:2:1: 'write' of msw is called in another way",
    '2 | write(x) { x := 1 }',
    '  | ^^^^^^^^  write write(a, b)',
    "case.impl:3:1: 'tryread' of msw has a result, and this returns none",
    '3 | tryread(x) { y := x }',
    '  | ^^^^^^^^^^',
    "case.impl:4:1: 'put' of msw is called in another way",
    '4 | put(x) work d { return 1 }',
    '  | ^^^^^^^^^^^^^  write put(a) into y work d',
    "case.impl:5:1: msw has no method 'wayt'",
    '5 | wayt(d) { wait(d) }',
    "  | ^^^^  did you mean 'wait'?",
  ]);
});
