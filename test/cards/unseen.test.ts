import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardFabrics } from '../../src/node/card.js';
import { parseLitmus } from '../../src/node/tests.js';
import type { Test } from '../../src/program/program.js';
import { CARD, SKIP_CARD, card } from '../support/card.js';
import { modelOf } from '../support/checker.js';
import { PLAIN_FILES } from '../support/corpus.js';
import type { Seen } from '../support/emitted.js';
import { allowedBy, build, resultsIn, start } from '../support/emitted.js';
import { ALL, some } from '../support/random.js';
import { ROOT, remora } from '../support/run.js';

/**
 * The tests of the TSO paper, those of the fabrics, and the minimal tests of `rdma-tso` up to three calls on the weak card: what is seen
 * is allowed, and what is allowed is seen, or listed in cards/unseen.md with the rounds that were tried, and why. Chance may show
 * what is listed: then a line says so. `UPDATE_UNSEEN=1` writes the list anew, with the reasons that it had.
 */

const LIST = join(ROOT, 'cards/unseen.md');
const UPDATE = process.env['UPDATE_UNSEEN'] === '1';

/** Rounds of each test at first, and of those that have not shown all; how often they are tried again, each time with another seed. */
const [FIRST, MORE, TIMES] = [ALL ? 1000 : 100, 1000, UPDATE ? 2 : 20];

/** The share of the tests that are tried, where not all cases are. What the whole corpus shows is tried elsewhere (test/emit/compiled.test.ts). */
const SHARE = 0.1;

interface Case {
  readonly test: Test;
  readonly fabric: string;
}

/** The fabric of a file: the first that the weak card can be, of those under which it asks for an outcome that is allowed; then of all. */
function fabricOf(text: string): string | undefined {
  const named = (verdict: string): readonly string[] =>
    [...text.matchAll(RegExp(`${verdict} under ([\\w, -]+)`, 'g'))].flatMap(([, models]) =>
      models.split(',').map((model) => model.trim().replace(/^rdma-/, '')),
    );
  return [...named('allowed'), ...named('forbidden')].find((name) => cardFabrics().includes(name));
}

function casesOf(
  files: readonly { readonly file: string; readonly text: string }[],
  fabric?: string,
): readonly Case[] {
  return files.flatMap(({ file, text }) => {
    const read = parseLitmus(text, file);
    const on = fabric ?? fabricOf(text);
    return read.ok && on !== undefined ? [{ test: read.value, fabric: on }] : [];
  });
}

const inFolder = (folder: string) => PLAIN_FILES.filter(({ file }) => file.startsWith(folder));

/** A state of a test that was not seen. */
interface Row {
  readonly fabric: string;
  readonly test: string;
  readonly state: string;
  readonly rounds: string;
  readonly why: string;
}

const keyOf = ({ fabric, test: name, state }: Omit<Row, 'rounds' | 'why'>): string =>
  `${fabric} ${name}: ${state}`;

const HEAD = `# Allowed and never seen

Final states that the model of a fabric allows, and that the weak card never showed: of corpus/tso, corpus/fabrics, and the minimal tests of \`rdma-tso\` up to three calls. Values are those of what a test asks about, in the
order of its question. (Written by \`UPDATE_UNSEEN=1 npx vitest run --mode all cards/unseen\`, but for the reasons.)

| Fabric | Test | Never seen | Rounds | Why |
| --- | --- | --- | --- | --- |
`;

const listed: readonly Row[] = readFileSync(LIST, 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!Fabric|---)/.test(line))
  .map((line) => {
    const [, fabric, name, state, rounds, why] = line.split('|').map((cell) => cell.trim());
    return { fabric, test: name, state, rounds, why };
  });

describe.skipIf(SKIP_CARD)(`all outcomes on ${CARD}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-unseen-'));
  const made = join(folder, 'made');
  let minimal: readonly Case[] = [];
  const rows: Row[] = [];
  /** The tests that were run, each with its fabric. */
  const tried = new Set<string>();

  beforeAll(async () => {
    expect((await remora(['synthesise', 'rdma-tso', '-o', made])).code).toBe(0);
    const files = readdirSync(made, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.litmus'))
      .sort()
      .map((file) => ({ file, text: readFileSync(join(made, file), 'utf8') }));
    minimal = casesOf(files, 'tso');
    expect(minimal.length).toBeGreaterThan(100);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs tests that are built, or one of them. */
  async function run(built: string, fabric: string, seed: number, more: readonly string[]) {
    // Where nothing is in order, what is late would count in the next round.
    const late = fabric === 'srd' ? ['--settle', '20000'] : [];
    const args = ['--seed', `${seed}`, '--out', 'results.jsonl', ...late, ...more];
    const set = { library: card(), fabric, room: 'room', seed };
    expect(await start(built, set, args).end).toEqual({ code: 0, errors: '' });
    const results = resultsIn(join(built, 'results.jsonl'));
    return results.filter(({ leftOut }) => leftOut === undefined);
  }

  const allowedOf = ({ program }: Pick<Seen, 'program'>, fabric: string): ReadonlySet<string> => {
    const model = fabric === 'tso' && program.includes('[inline]') ? 'inline' : fabric;
    return allowedBy(program, modelOf(`rdma-${model}`));
  };

  function expectAllowed({ test: name, program, times }: Seen, fabric: string): void {
    const allowed = [...allowedOf({ program }, fabric)];
    for (const state of times.keys())
      expect(allowed, `${name} on ${fabric}\n${program}`).toContain(state);
  }

  /** What of a test is allowed and not seen: with more seeds until all of it is, but for what is listed. */
  async function missing(built: string, fabric: string, first: Seen): Promise<readonly Row[]> {
    const left = new Set(allowedOf(first, fabric));
    let rounds = 0;
    const take = (result: Seen): void => {
      rounds += result.rounds - result.dropped;
      expectAllowed(result, fabric);
      for (const state of result.times.keys()) left.delete(state);
    };
    const row = (state: string): Row => {
      const at = { fabric, test: first.test, state };
      const why = listed.find((one) => keyOf(one) === keyOf(at))?.why ?? 'not known';
      return { ...at, rounds: `${rounds}`, why };
    };
    const keys = new Set(UPDATE ? [] : listed.map(keyOf));
    tried.add(`${fabric} ${first.test}`);
    take(first);
    for (let time = 0; time < TIMES; time++) {
      if ([...left].every((state) => keys.has(keyOf(row(state))))) break;
      const more = ['--rounds', `${MORE}`, '--only', first.test];
      for (const one of await run(built, fabric, time + 2, more)) take(one);
    }
    return [...left].map(row);
  }

  const SETS: Readonly<Record<string, () => readonly Case[]>> = {
    'corpus/tso': () => casesOf(inFolder('tso/'), 'tso'),
    'corpus/fabrics': () => casesOf(inFolder('fabrics/')),
    'minimal tests': () => minimal,
  };

  test.each(Object.keys(SETS))(
    '%s: what is seen is allowed, and the other way round',
    async (set) => {
      const all = SETS[set]();
      const share = new Set(some(all, SHARE));
      // No fabric is left out.
      const cases = all.filter(
        (one, i) => share.has(one) || all.findIndex(({ fabric }) => fabric === one.fabric) === i,
      );
      for (const fabric of new Set(cases.map((one) => one.fabric))) {
        const built = mkdtempSync(join(folder, 'built-'));
        const own = cases.flatMap((one) => (one.fabric === fabric ? [one.test] : []));
        const { written, stderr } = build(built, own);
        expect(stderr).toBe('');
        if (written === 0) continue;
        const all = await run(built, fabric, 1, ['--rounds', `${FIRST}`]);
        for (const first of all) rows.push(...(await missing(built, fabric, first)));
      }
    },
    3_600_000,
  );

  test('minimal tests, built by clang: what is seen is allowed', async () => {
    const built = mkdtempSync(join(folder, 'built-'));
    const tests = some(minimal, SHARE).map((one) => one.test);
    expect(build(built, tests, { compiler: 'clang' }).stderr).toBe('');
    for (const result of await run(built, 'tso', 1, ['--rounds', '20']))
      expectAllowed(result, 'tso');
  });

  test('what is not seen is in the list', () => {
    if (UPDATE) {
      expect(ALL).toBe(true);
      const lines = rows.map(
        (r) => `| ${r.fabric} | ${r.test} | ${r.state} | ${r.rounds} | ${r.why} |`,
      );
      writeFileSync(LIST, `${HEAD}${lines.join('\n')}\n`);
      return;
    }
    const unseen = new Set(rows.map(keyOf));
    const known = new Set(listed.map(keyOf));
    expect([...unseen].filter((one) => !known.has(one))).toEqual([]);
    const shown = listed
      .filter((one) => tried.has(`${one.fabric} ${one.test}`))
      .map(keyOf)
      .filter((one) => !unseen.has(one));
    if (shown.length > 0) process.stderr.write(`listed, and seen now: ${shown.join('; ')}\n`);
  });
});
