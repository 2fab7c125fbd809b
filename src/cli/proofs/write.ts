import { join } from 'node:path';
import type { ProofFormat } from '../../analyses/prove/formats.js';
import type { Pool } from '../../analyses/workers.js';
import type { Answer } from '../../check/result.js';
import type { Model } from '../../model/term.js';
import { placesOf } from '../../node/page-paths.js';
import { prepare } from '../../rdma/prepare.js';
import { isStateQuery } from '../../program/program.js';
import { harmless } from '../../report/site/paths.js';
import { modelsOf, testUnder } from '../inputs/clients.js';
import type { Corpus, CorpusTest } from '../inputs/corpus.js';
import type { CommonOptions } from '../run/options.js';
import { planOutputs } from '../outputs/plan.js';
import type { OverwriteRule } from '../outputs/plan.js';
import { complain } from '../print/print.js';
import type { CommandTask } from '../run/tasks.js';
import { contentOf, shardKey } from '../inputs/shard.js';
import type { VerdictRow } from '../run/decide.js';
import { VERSION } from '../package.js';

/** The proofs of a run: made where an answer is no, and written to a folder. */
export interface Proofs {
  /** A task that also proves what it decides. */
  proving(
    task: CommandTask<readonly VerdictRow[]>,
    item: CorpusTest,
  ): CommandTask<readonly VerdictRow[]>;
  /** Says how many there are, and which verdicts have none. Were all written that were made? */
  report(): boolean;
}

/** The files of proofs, by the ends of their names: trees of cases, or clauses and steps. */
type ProofKind = 'proof' | 'cnf' | 'drat';

/** Is it an answer that a proof can be asked for? */
const isNo = ({ verdict }: Answer): boolean => verdict === 'forbidden' || verdict === 'holds';

/** The digest of a model: of what its axioms say, whatever names and comments stand beside it. */
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

/** The digest of a program: of its text, and of those of its libraries. */
export const programDigest = (source: CorpusTest['source']): string => `sha256:${shardKey(source)}`;

/**
 * @param folder where they go: for each file a folder, in it one for each model and query: `MP3bis/rdma-tso-1.proof`, or `.cnf`
 * and `.drat` where it is in clauses
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
  const places = new Map(placesOf(files).map((place, i) => [files[i], place]));
  const [missing, unwritten]: [string[], string[]] = [[], []];
  let written = 0;

  const prove = async (pool: Pool, item: CorpusTest, { record }: VerdictRow): Promise<void> => {
    const model = modelsOf(item, asked).find(({ name }) => name === record.model);
    if (model === undefined) return;
    const test = testUnder(item, model);
    const adapted = prepare(test.program, model, engine);
    if (!adapted.ok) return;
    for (const { query } of record.answers.filter(isNo)) {
      const name = `${test.name}, query ${query + 1}, under ${model.name}`;
      if (!isStateQuery(test.queries[query])) {
        missing.push(`${name}: states of a machine were explored, and that has no proof yet`);
        continue;
      }
      const digests = { program: programDigest(item.source), modelDigest: modelDigest(model) };
      const input = {
        test: { ...test, program: adapted.value.program },
        query,
        digests,
        remora: VERSION,
        format,
      };
      const done = await pool.analyse({
        kind: 'analysis',
        analysis: 'prove',
        engine,
        models: [model],
        bound,
        input,
      });
      const output = 'output' in done ? done.output : { reason: done.unfinished };
      if ('reason' in output) {
        missing.push(`${name}: ${output.reason}`);
        continue;
      }
      const place = join(folder, places.get(item.source.path)!);
      const path = join(place, `${harmless(model.name)}-${query + 1}`);
      if ('tree' in output) write(path, { proof: output.tree });
      else write(path, { cnf: output.clauses, drat: output.steps });
    }
  };
  /** Writes the files of a proof: their texts by the ends of their names. */
  const write = (path: string, texts: Partial<Record<ProofKind, string>>): void => {
    const kinds = Object.keys(texts) as ProofKind[];
    const wanted = kinds.map((kind) => ({ kind, path: `${path}.${kind}` }));
    const { outputs, errors } = planOutputs(wanted, { ...rule, makesFolders: true });
    const failed = outputs.flatMap((output, i) => output.write(texts[kinds[i]]!) ?? []);
    const problems = [...errors, ...failed];
    if (problems.length === 0) written += 1;
    unwritten.push(...problems);
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
      const count = (n: number): string => `${n} ${n === 1 ? 'proof' : 'proofs'}`;
      complain([
        ...unwritten,
        ...missing.map((one) => `no proof: ${one}`),
        `${count(written)} in ${folder}`,
      ]);
      return unwritten.length === 0;
    },
  };
}
