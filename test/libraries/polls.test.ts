import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enumerate } from '../../src/check/decide.js';
import { loadModelNamed } from '../../src/node/models.js';
import { readLitmus } from '../../src/node/tests.js';
import { observedSubjects } from '../../src/program/subjects.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { adapted, newSolver } from '../support/checker.js';
import { statesOfClient, textsOf } from '../support/inlined-states.js';
import { valueOf } from '../support/litmus.js';
import { cases, few } from '../support/random.js';

/** RDMA^TSO with stamps, as far as it is a library (LOCO paper, App. F.1 and Def. F.1), against the model `rdma-tso`. */

/** An instruction: as in plain files, and as a call. Only reads have a register. */
interface Step {
  readonly plain: string;
  readonly call: string;
  readonly register?: string;
}
type Kind = 'write' | 'read' | 'put' | 'get' | 'poll' | 'mfence' | 'rfence';

/** @param at the node of the thread; the other one is `3 - at` */
function step(kind: Kind, at: 1 | 2, own: string, other: string, number: number): Step {
  const peer = 3 - at;
  switch (kind) {
    case 'write':
      return { plain: `${own} := ${number}`, call: `tso.write(${own}, ${number})` };
    case 'read': {
      const register = `r${number}`;
      return {
        plain: `${register} := ${own}`,
        call: `${register} := tso.read(${own})`,
        register,
      };
    }
    case 'put':
      return { plain: `${other}^${peer} := ${own}`, call: `${other} := tso.put(${own})` };
    case 'get':
      return { plain: `${own} := ${other}^${peer}`, call: `${own} := tso.get(${other})` };
    case 'poll':
    case 'rfence':
      return { plain: `${kind}(${peer})`, call: `tso.${kind}(${peer})` };
    case 'mfence':
      return { plain: 'mfence', call: 'tso.mfence()' };
  }
}

const NAMES = { 1: ['x', 'y'], 2: ['z', 'w'] } as const;
const kinds = fc.constantFrom<Kind>(
  ...(['write', 'read', 'read', 'put', 'put', 'get', 'poll', 'mfence', 'rfence'] as const),
);
const name = fc.constantFrom(0, 0, 0, 1);
const thread = fc.array(fc.tuple(kinds, name, name), { minLength: 2, maxLength: 5 });

function plainStates(text: string): readonly string[] {
  const read = valueOf(readLitmus(text, 'plain.litmus').test);
  const model = valueOf(loadModelNamed('rdma-tso').model);
  const program = adapted(read, model);
  return textsOf(enumerate(program, model, newSolver, observedSubjects(program), 4));
}

const clientStates = (text: string): readonly string[] =>
  statesOfClient(valueOf(whole(parseLitmusFile({ path: 'client.litmus', text }))));

test('tso.cat allows what rdma-tso allows (LOCO paper, Def. F.1)', () => {
  let told = 0;
  fc.assert(
    fc.property(thread, thread, (one, two) => {
      const threads = ([one, two] as const).map((steps, t) => {
        const at = t === 0 ? 1 : 2;
        let posted = 0;
        // Each reads at last, and polls only what there is, so that more programs tell something.
        return [...steps, ['read', 0, 0] as const].map(([drawn, a, b], i) => {
          const kind = drawn === 'poll' && posted === 0 ? 'put' : drawn;
          posted += kind === 'poll' ? -1 : Number(kind === 'put' || kind === 'get');
          return step(kind, at, NAMES[at][a], NAMES[at === 1 ? 2 : 1][b], 10 * t + i + 1);
        });
      });
      const registers = threads.flat().flatMap(({ register }) => register ?? []);
      const [first, second] = threads;
      const program = (form: 'plain' | 'call'): string =>
        `thread T1 on 1 { ${first.map((s) => s[form]).join('; ')} }
        thread T2 on 2 { ${second.map((s) => s[form]).join('; ')} } locations [${registers.join('; ')}]`;
      const plain = plainStates(
        `RDMA t node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0 } ${program('plain')}`,
      );
      if (plain.length > 1) told += 1;
      const client = `RDMA t uses tso node 1 {} node 2 {} tso x, y on 1 tso z, w on 2 ${program('call')}`;
      expect(new Set(clientStates(client))).toEqual(new Set(plain));
    }),
    { numRuns: cases(600), seed: 5 },
  );
  expect(told).toBeGreaterThan(few(150));
});

/** Two parts with no object in common: `y := w` is one, all else is the other. A poll has no object. */
const PARTS = (
  other: string,
): string => `RDMA t uses tso node 1 {} node 2 {} tso x, w on 1 tso z, y on 2
  thread T1 on 1 { ${other} z := tso.put(x); tso.poll(2); tso.write(x, 1) } thread T2 on 2 { a := tso.read(z) } locations [a]`;

test('a part of a consistent execution, with objects of its own, is not consistent: Def. 3.5 fails (LOCO paper, §3.2)', () => {
  expect(clientStates(PARTS('y := tso.put(w);'))).toEqual(['a=0', 'a=1']);
  expect(clientStates(PARTS(''))).toEqual(['a=0']);
});

test('RDMA^WAIT keeps it: a wait does not see other operations', () => {
  const waits = (other: string): readonly string[] =>
    clientStates(`RDMA t uses rl node 1 { x = 0; w = 0 } node 2 { z = 0; y = 0 }
      thread T1 on 1 { ${other} z^2 :=^d x; wait(d); x := 1 } thread T2 on 2 { a := z } locations [a]`);
  expect(waits('y^2 := w;')).toEqual(['a=0']);
  expect(waits('')).toEqual(['a=0']);
});
