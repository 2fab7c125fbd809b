import { join } from 'node:path';
import type { ProofFormat } from '../../analyses/prove/formats.js';
import type { Pool } from '../../analyses/workers.js';
import type { Answer } from '../../check/result.js';
import type { Model } from '../../model/term.js';
import { pagePlaces } from '../../node/page-paths.js';
import { prepare } from '../../rdma/prepare.js';
import type { Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import { harmless } from '../../report/site/paths.js';
import { modelsOf, testUnder } from '../inputs/clients.js';
import type { Corpus, CorpusTest } from '../inputs/corpus.js';
import type { CommonOptions } from '../run/options.js';
import { planOutputs } from '../outputs/plan.js';
import type { OverwriteRule } from '../outputs/plan.js';
import type { CommandTask } from '../run/tasks.js';
import { contentOf, shardKey } from '../inputs/shard.js';
import type { VerdictRow } from '../run/decide.js';
import { VERSION } from '../package.js';

/** The proofs of a run: made for each answer that says no, and written to a folder. */
export interface Proofs {
  /** Makes a task that also proves the verdicts of another task. */
  proving(
    task: CommandTask<readonly VerdictRow[]>,
    item: CorpusTest,
  ): CommandTask<readonly VerdictRow[]>;
  /** How many proofs there are, and which verdicts have none. `bad` says that some could not be written. */
  report(): { readonly said: readonly string[]; readonly bad: boolean };
}

/** The endings of files of proofs: trees of cases, or clauses and steps. */
type ProofKind = 'proof' | 'cnf' | 'drat';

/** Can there be a proof for this answer? */
const isNo = ({ verdict }: Answer): boolean => verdict === 'forbidden' || verdict === 'holds';

/** The digest of a model. It depends on the meaning of its axioms only, not on other names and comments. */
export function modelDigest({ terms, groups, axioms }: Model): string {
  const told = axioms.map(({ test, negated, flag, term, name }) => [
    test,
    negated,
    flag,
    term,
    name,
  ]);
  return `sha256:${contentOf(JSON.stringify([terms, groups, told]))}`;
}

/** The digest of a program: of its text and the texts of its libraries. */
export const programDigest = (source: CorpusTest['source']): string => `sha256:${shardKey(source)}`;

/**
 * @param folder where they go: in it a folder for each litmus file, with a proof for each model and query:
 * `MP3bis/rdma-tso-1.proof`, or `.cnf` and `.drat` for one in clauses
 */
export function proofsIn(
  folder: string,
  { tests }: Corpus,
  asked: readonly Model[],
  format: ProofFormat,
  { engine, bound }: CommonOptions,
  rule: OverwriteRule,
): Proofs {
  const files = tests.map(({ source }) => source.path);
  const places = new Map(pagePlaces(files).map((place, i) => [files[i], place]));
  const [missing, unwritten]: [string[], string[]] = [[], []];
  let written = 0;

  const prove = async (pool: Pool, item: CorpusTest, { record }: VerdictRow): Promise<void> => {
    const model = modelsOf(item, asked).find(({ name }) => name === record.model);
    if (model === undefined) return;
    const test = testUnder(item, model);
    const adapted = prepare(test.program, model, engine);
    if (!adapted.ok) return;
    const { program } = adapted.value;
    const place = join(folder, places.get(item.source.path)!);
    for (const { query } of record.answers.filter(isNo)) {
      const subject = { test: { ...test, program }, query, model, source: item.source };
      const proof = await askProof(pool, subject, format, { engine, bound });
      if ('reason' in proof) {
        missing.push(`${test.name}, query ${query + 1}, under ${model.name}: ${proof.reason}`);
        continue;
      }
      const path = join(place, `${harmless(model.name)}-${query + 1}`);
      const problems = writeProof(path, proof, rule);
      if (problems.length === 0) written += 1;
      unwritten.push(...problems);
    }
  };
  return {
    proving: (task, item) => ({
      ...task,
      async do(pool) {
        const rows = await task.do(pool);
        for (const row of rows) await prove(pool, item, row);
        return rows;
      },
    }),
    report() {
      const said = [
        ...unwritten,
        ...missing.map((one) => `no proof: ${one}`),
        `${written} ${written === 1 ? 'proof' : 'proofs'} in ${folder}`,
      ];
      return { said, bad: unwritten.length > 0 };
    },
  };
}

/** The subject of a proof to make. */
interface ProofSubject {
  /** The test, with the program translated for the model. */
  readonly test: Test;
  readonly query: number;
  readonly model: Model;
  readonly source: CorpusTest['source'];
}

/** The texts of a proof by the endings of their files, or why there is none. */
type ProofTexts = Partial<Record<ProofKind, string>> | { readonly reason: string };

async function askProof(
  pool: Pool,
  { test, query, model, source }: ProofSubject,
  format: ProofFormat,
  search: Pick<CommonOptions, 'engine' | 'bound'>,
): Promise<ProofTexts> {
  if (!isStateQuery(test.queries[query])) {
    return { reason: 'states of a machine were explored, and that has no proof yet' };
  }
  const digests = { program: programDigest(source), modelDigest: modelDigest(model) };
  const done = await pool.analyse({
    kind: 'analysis',
    analysis: 'prove',
    models: [model],
    input: { test, query, digests, remora: VERSION, format },
    ...search,
  });
  const output = 'output' in done ? done.output : { reason: done.unfinished };
  if ('reason' in output) return { reason: output.reason };
  return 'tree' in output ? { proof: output.tree } : { cnf: output.clauses, drat: output.steps };
}

/** Writes the files of a proof. Returns messages about those that cannot be written. */
function writeProof(
  path: string,
  texts: Partial<Record<ProofKind, string>>,
  rule: OverwriteRule,
): readonly string[] {
  const kinds = Object.keys(texts) as ProofKind[];
  const wanted = kinds.map((kind) => ({ kind, path: `${path}.${kind}` }));
  const { outputs, errors } = planOutputs(wanted, { ...rule, makesFolders: true });
  return [...errors, ...outputs.flatMap(({ kind, write }) => write(texts[kind as ProofKind]!))];
}
