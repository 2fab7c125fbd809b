import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { readCorpus } from '../../src/cli/inputs/corpus.js';
import { readModels } from '../../src/cli/inputs/models.js';
import { readProof } from '../../src/cli/proofs/read.js';
import { judgeProof } from '../../src/cli/proofs/judge.js';
import { pagePlaces } from '../../src/node/page-paths.js';
import { commandIn, withCopy } from './copy.js';
import type { CodeMutant } from './mutant.js';
import { withPrograms } from './programs.js';

/** Where wrong answers come from that a proof must not confirm: bounds, encoder, formulas and search. */
const DECIDES = ['src/encode/', 'src/solve/search/'];

/** What mutants are tried on, in this order, until an answer is wrong: folders of the corpus, and generated programs. */
const FOLDERS = ['events', 'tso', 'cells', 'rmw', 'fabrics', 'protocols'];

/** Seconds for one query, and for one run. */
const QUERY_LIMIT = 10;
const RUN_LIMIT = 240;

export interface ProofRunOptions {
  readonly corpus: string;
  readonly parallel: number;
  /** Those of what does not decide are left out. */
  readonly mutants: readonly CodeMutant[];
  report(result: ProofResult): void;
}

/** What became of the proofs of what a mutant says cannot be, though it can. */
export interface ProofResult {
  readonly mutant: CodeMutant;
  /** Which queries it gets wrong so, each with the model. */
  readonly wrong: readonly string[];
  /** Of these, how many have no proof, by the reason that is given. */
  readonly without: ReadonlyMap<string, number>;
  /** How many have a proof in clauses that Remora without the mistake refuses, by what it says. */
  readonly refused: ReadonlyMap<string, number>;
  /** Those with a proof that is accepted: there must be none. */
  readonly proved: readonly string[];
  /** Of how many proofs, two for each wrong answer, nothing was heard: there must be none. */
  readonly unheard: number;
}

/** The line of `remora test --json` as far as it matters here (docs/json.md). */
interface Line {
  readonly file: string;
  readonly test: string;
  readonly index: number;
  readonly model: string;
  readonly verdict: string;
}

const nameOf = ({ test, index, model }: Line): string =>
  `${test}, query ${index + 1}, under ${model}`;

const POSSIBLE = ['allowed', 'fails'];
const IMPOSSIBLE = ['forbidden', 'holds'];

/**
 * Has each mutant that decides answer queries of programs, and prove those that it says no to though the answer is yes: as a tree of
 * cases, and as clauses. What comes out as clauses is held against the program by Remora without the mistake.
 */
export function runProofMutants(options: ProofRunOptions): Promise<readonly ProofResult[]> {
  const { mutants, corpus, parallel, report } = options;
  const limit = pLimit(parallel);
  const chosen = mutants.filter(({ file }) => DECIDES.some((folder) => file.startsWith(folder)));
  return withPrograms(({ large }) => {
    const folders = [...FOLDERS.map((name) => join(corpus, name)), large];
    const healthy = new Map<string, Promise<ReadonlyMap<string, Line>>>();
    const truth = (folder: string): Promise<ReadonlyMap<string, Line>> => {
      const known =
        healthy.get(folder) ?? withCopy(undefined, (copy) => answers(undefined, copy, folder));
      healthy.set(folder, known);
      return known;
    };
    const run = (mutant: CodeMutant): Promise<ProofResult> =>
      withCopy(mutant, async (copy) => {
        let result = nothingWrong(mutant);
        for (const folder of folders) {
          const right = await truth(folder);
          const wrong = [...(await answers(mutant, copy, folder))].flatMap(([name, line]) => {
            const is = right.get(name)?.verdict ?? '';
            return POSSIBLE.includes(is) && IMPOSSIBLE.includes(line.verdict) ? [line] : [];
          });
          if (wrong.length === 0) continue;
          result = await proofsOf(mutant, copy, folder, wrong);
          break;
        }
        report(result);
        return result;
      });
    return Promise.all(chosen.map((mutant) => limit(run, mutant)));
  });
}

const nothingWrong = (mutant: CodeMutant): ProofResult => ({
  mutant,
  wrong: [],
  without: new Map(),
  refused: new Map(),
  proved: [],
  unheard: 0,
});

/** The answers of a copy to all queries of a folder, as far as it comes. */
async function answers(
  mutant: CodeMutant | undefined,
  copy: string,
  folder: string,
): Promise<ReadonlyMap<string, Line>> {
  const args = ['test', folder, '--json', ...modelsFor(folder)];
  const { out } = await run(mutant, copy, args);
  const lines = out
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);
  return new Map(lines.map((line) => [`${line.file} ${nameOf(line)}`, line]));
}

/** Generated programs are asked about under one model. */
const modelsFor = (folder: string): readonly string[] =>
  folder.endsWith('large') ? ['--model', 'rdma-tso'] : [];

/** Has a copy prove answers that are wrong, in both formats. */
async function proofsOf(
  mutant: CodeMutant,
  copy: string,
  folder: string,
  wrong: readonly Line[],
): Promise<ProofResult> {
  const files = [...new Set(wrong.map(({ file }) => file))];
  const names = new Set(wrong.map(nameOf));
  const without = new Map<string, number>();
  const refused = new Map<string, number>();
  const proved: string[] = [];
  const add = (to: Map<string, number>, what: string): void =>
    void to.set(what, (to.get(what) ?? 0) + 1);
  for (const format of ['tree', 'clauses']) {
    const proofs = mkdtempSync(join(tmpdir(), 'remora-no-proofs-'));
    try {
      // Under all models, as before: what is known under one counts under others, too.
      const asked = [...modelsFor(folder), '--proof', proofs, '--proof-format', format];
      const { errors } = await run(mutant, copy, ['test', ...files, ...asked]);
      for (const [, name, reason] of errors.matchAll(/^no proof: (.*? under \S+): (.*)$/gm)) {
        if (names.has(name)) add(without, `${format}: ${reason.replace(/\d+|'.*'/g, '…')}`);
      }
      for (const { name, said } of judgements(proofs, files, wrong)) {
        if (said === undefined) proved.push(`${name}: ${format}`);
        else add(refused, `${format}: ${said}`);
      }
    } finally {
      rmSync(proofs, { recursive: true, force: true });
    }
  }
  const told = [...without.values(), ...refused.values()].reduce((a, b) => a + b, proved.length);
  return { mutant, wrong: [...names], without, refused, proved, unheard: 2 * names.size - told };
}

/** What Remora without a mistake says of the proofs in a folder that are about some answers; undefined: it accepts one. */
function* judgements(
  folder: string,
  files: readonly string[],
  lines: readonly Line[],
): Generator<{ readonly name: string; readonly said: string | undefined }> {
  const places = pagePlaces(files);
  const there = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  for (const line of lines) {
    const base = `${places[files.indexOf(line.file)]}/${line.model}-${line.index + 1}`;
    const path = ['.proof', '.cnf'].map((end) => base + end).find((one) => there.has(one));
    if (path === undefined) continue;
    const read = readProof(join(folder, path));
    if ('unread' in read) throw new Error(read.unread);
    const models = readModels([line.model], 'auto');
    const [item] = readCorpus([line.file], models).tests;
    const outcome = judgeProof(read.value, item, models, {});
    const said =
      'holds' in outcome ? undefined : 'wrong' in outcome ? outcome.wrong : outcome.unread;
    yield { name: nameOf(line), said: said?.replace(/\d+|'.*?'/g, '…') };
  }
}

interface Ended {
  readonly out: string;
  readonly errors: string;
}

/** The engine that has a mutant's mistake: the search has no need of encodings of acyclicity. */
const engineOf = (mutant: CodeMutant | undefined): string =>
  mutant?.file.startsWith('src/encode/acyclicity/') === true ? 'smt' : 'search';

function run(
  mutant: CodeMutant | undefined,
  copy: string,
  args: readonly string[],
): Promise<Ended> {
  const main = commandIn(copy);
  const how = ['--engine', engineOf(mutant), '--jobs', '1', '--time-limit', `${QUERY_LIMIT}`];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args, ...how], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, errors]: [Buffer[], Buffer[]] = [[], []];
    const timer = setTimeout(() => child.kill('SIGKILL'), RUN_LIMIT * 1000);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve({ out: Buffer.concat(out).toString(), errors: Buffer.concat(errors).toString() });
    });
  });
}

/** A line for each mutant that says no too often, and what came of its proofs. */
export function renderProofs(results: readonly ProofResult[]): string {
  const telling = results.filter(({ wrong }) => wrong.length > 0);
  const count = (of: ReadonlyMap<string, number>): readonly string[] =>
    [...of].sort(([a], [b]) => (a < b ? -1 : 1)).map(([what, n]) => `    ${n} × ${what}`);
  const lines = telling.flatMap(({ mutant, wrong, without, refused, proved, unheard }) => [
    `${mutant.name}: ${wrong.length} wrong`,
    ...(without.size > 0 ? ['  no proof', ...count(without)] : []),
    ...(refused.size > 0 ? ['  refused', ...count(refused)] : []),
    ...proved.map((name) => `  PROVED ${name}`),
    ...(unheard === 0 ? [] : [`  NOTHING HEARD of ${unheard}`]),
  ]);
  const sum = telling.reduce((all, { wrong }) => all + wrong.length, 0);
  const proved = telling.reduce((all, one) => all + one.proved.length, 0);
  return [
    ...lines,
    '',
    `proofs: ${results.length} mutants, ${telling.length} say no where the answer is yes, ${sum} times; ${proved} of these have a proof that holds`,
  ].join('\n');
}
