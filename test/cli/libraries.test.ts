import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionGraph } from '../../src/analyses/explain/graph.js';
import type { Explanation, Step } from '../../src/analyses/explain/explanation.js';
import type { Run } from '../support/run.js';
import { ROOT, STACK_TRACE, remora } from '../support/run.js';

/** Clients of libraries in every command, in a folder outside of the project. */

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-libraries-'));
  cpSync(join(ROOT, 'test/files/clients'), at('clients'), { recursive: true });
  cpSync(join(ROOT, 'test/files/tests'), at('tests'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (file: string): string => join(folder, file);

async function run(...args: readonly string[]): Promise<Run> {
  const done = await remora(args, { cwd: folder });
  expect(done.stderr).not.toMatch(STACK_TRACE);
  expect(done.stdout + done.stderr).not.toMatch(/internal error|engine failed|undefined|9007199/);
  return done;
}

/** Runs a command that succeeds, and says nothing on standard error. */
async function good(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
}

describe('explain', () => {
  const told = async (file: string, query: number): Promise<Explanation> => {
    const line = await good('explain', `clients/${file}`, '--query', String(query), '--json');
    return JSON.parse(line) as Explanation;
  };
  const leaves = (steps: readonly Step[]): readonly Step[] =>
    steps.flatMap((step) => (step.via.length > 0 ? leaves(step.via) : [step]));
  const referencesOf = (graph: ExecutionGraph): ReadonlyMap<number, string | undefined> =>
    new Map(graph.events.map((e) => [e.id, e.reference]));

  test('LOCO paper, Fig. 23 and App. D: the cycle, by call and stamp', async () => {
    const { models } = await told('fig23.litmus', 1);
    const [{ way }] = models[0].refuted!.ways!.shapes;
    const references = referencesOf(way.graph);
    const steps = way.violation.steps.map(({ from, to, because }) => {
      const [{ text }] = because;
      return [references.get(from), text.split(':')[0], references.get(to)];
    });
    const [submit, fence] = ['T1 rbl.submit(x, 1) aNRW(2)', 'T1 bal.bar(z) aGF(2)'];
    const [exit, receive] = ['T2 bal.bar(z) aCR', 'T2 rbl.receive(x) aWT'];
    expect(steps).toEqual([
      [submit, 'ppo', fence],
      [fence, 'bal.so', exit],
      [exit, 'ppo', receive],
      [receive, 'fb', submit],
    ]);
    expect(leaves(way.violation.steps)).toHaveLength(5);
  });

  test('a thread that does not come is named where an axiom asks for it', async () => {
    const why = await good('explain', 'clients/sometimes.litmus', '--query', '1');
    expect(why).toContain('3 T1 bal.bar(z) aCR → T2 as party of z');
    expect(why.match(/party/g)?.length).toBeGreaterThan(0);
    const { models } = await told('sometimes.litmus', 1);
    const { graph } = models[0].refuted!.ways!.shapes[0].way;
    expect(graph.events.map(({ label }) => label)).toEqual([
      'init(x,0)',
      'aCW x=1',
      'aGF(1)',
      'aCR',
      'aCR x=0',
    ]);
    const ids = graph.events.map(({ id }) => id);
    expect(graph.edges.flatMap(({ from, to }) => [from, to]).every((id) => ids.includes(id))).toBe(
      true,
    );
  });
});

describe('report', () => {
  test('verdicts on clients stand with their libraries', async () => {
    await good('report', 'clients/fig13.litmus', 'tests/sb.litmus', '--out', 'site');
    const index = readFileSync(at('site/index.html'), 'utf8');
    expect(index).toMatch(/data-client="yes"/);
    expect(index.replace(/<[^>]*>|\s+/g, ' ').replace(/ +/g, ' ')).toMatch(
      /forbidden \* , as published with rbl, sv ● allowed \* , as published with rbl-weak, sv/,
    );
  });
});
