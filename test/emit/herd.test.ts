import fc from 'fast-check';
import { expect, test } from 'vitest';
import { herdTest } from '../../src/emit/herd.js';
import { isas } from '../../src/node/isas.js';
import { parseLitmus } from '../../src/node/tests.js';
import { isaOf } from '../../src/parse/isa.js';
import { renderDiagnostic } from '../../src/parse/diagnostics/index.js';
import { readProgram, testCases } from '../support/cases.js';
import { modelOf, states } from '../support/checker.js';
import { valueOf } from '../support/litmus.js';
import { cases } from '../support/random.js';

/** Programs of Remora as litmus tests of herd7. */

/** What is written of each query of a test. */
function written(text: string, language: string): readonly string[] {
  const read = valueOf(parseLitmus(text, 't.litmus'));
  const sources = new Map([['t.litmus', { path: 't.litmus', text }]]);
  const queries = read.queries.length > 0 ? read.queries : [undefined];
  return queries.map((query) => {
    const made = herdTest(read, isaOf(isas(), language)!, language, query);
    return 'text' in made ? made.text : renderDiagnostic(made.error, sources);
  });
}

testCases('test/emit/herd', (input) => {
  const { settings, text } = readProgram(input, ['language']);
  return written(text, settings.language!).join('\n');
});

const place = fc.constantFrom('x', 'y');
const register = fc.constantFrom('r', 's');
const value = fc.oneof(register, fc.integer({ min: -1, max: 2 }).map(String));
const plain = fc
  .tuple(place, register, value, fc.nat(8))
  .map(
    ([x, r, e, kind]): string =>
      [
        ...[`${x} := ${e}`, `${x} := ${e}`, `${r} := ${x}`, `${r} := ${x}`, `${r} := ${e}`],
        ...[`x := y`, `${r} := ${r} + ${e}`, `${x} := ${r} + 1`],
        `${r} := xchg(${x}, ${e})`,
      ][kind]!,
  );
const ofArm = fc
  .tuple(place, register, value, value, fc.constantFrom('', '[a]', '[l]', '[al]'), fc.nat(9))
  .map(
    ([x, r, e, d, tag, kind]): string =>
      [
        ...[`${r} := ldar(${x})`, `${r} := ldapr(${x})`, `stlr(${x}, ${e})`, 'isb'],
        ...[`${r} := ldr(${x}, ${r} - ${r})`, `if (${r} = ${d}) { ${x} := ${e} }`],
        ...[`${r} := xchg ${tag} (${x}, ${e})`, `${r} := CAS ${tag} (${x}, ${d}, ${e})`],
        `${r} := faa ${tag} (${x}, ${e})`,
        `${r} := ${x} - ${x === 'x' ? 'y' : 'x'}`,
      ][kind]!,
  );
const ofLisa = fc
  .tuple(place, register, value, fc.constantFrom('=', '!='), fc.nat(4))
  .map(
    ([x, r, e, op, kind]): string =>
      [
        ...[`${r} := faa(${x}, ${e})`, `${r} := ldr(${x}, ${r} - ${r})`, `${x} := ${r} + ${e}`],
        ...[`if (${r} ${op} ${e}) { ${x} := 2 }`, `${r} := ${r} ${op} ${e}`],
      ][kind]!,
  );
const fence = fc.constantFrom('dmb [sy]', 'dmb [ld]', 'dmb [ish][st]', 'dsb [sy]');

const valuesOf = (all: readonly string[]): readonly string[] =>
  all.map((state) => state.replaceAll(/\S*=/g, '')).sort();

test.each([
  ['X86', 'x86-tso', fc.oneof({ weight: 5, arbitrary: plain }, fc.constant('mfence')), 1000, 40],
  ['AArch64', 'rdma-tso+arm', fc.oneof(plain, ofArm, ofArm, fence), 500, 25],
  ['LISA', 'x86-tso', fc.oneof(plain, ofLisa, fc.constant('mfence')), 1000, 40],
] as const)(
  '%s: random programs have the states under %s that they have when they are read back',
  (language, model, instruction, all, few) => {
    const threads = fc.array(fc.array(instruction, { minLength: 1, maxLength: 3 }), {
      minLength: 2,
      maxLength: 2,
    });
    const property = fc.property(threads, (bodies) => {
      const asked = bodies.flatMap((_, i) => [`T${i}:r = 0`, `T${i}:s = 0`]).join(' /\\ ');
      const text = [
        'RDMA t node 1 { x = 0; y = 1 }',
        ...bodies.map((body, i) => `thread T${i} on 1 { r := 0; s := 0; ${body.join('; ')} }`),
        `exists (x = 0 /\\ y = 0 /\\ ${asked})`,
      ].join('\n');
      const [herd] = written(text, language);
      expect(herd).toMatch(new RegExp(`^${language} t\n`));
      const expected = valuesOf(states(text, modelOf(model)));
      expect(valuesOf(states(herd, modelOf(model)))).toEqual(expected);
    });
    fc.assert(property, { numRuns: cases(all, few) });
  },
);
