/** What `remora test --json` says of a query under a model, as far as it matters for a test. */
export interface Verdict {
  readonly file: string;
  readonly query: string;
  readonly index: number;
  readonly model: string;
  readonly verdict: string;
  readonly expected?: string;
  readonly departs: boolean;
  readonly reason?: string;
}

/** What became of a test: all verdicts are as expected, or not, or nothing is expected. */
export interface Judged {
  readonly state: 'passed' | 'failed' | 'skipped';
  /** The verdicts that depart, and those that are not known. */
  readonly messages: readonly string[];
}

/** Judges a file, or a query of it. */
export function judged(verdicts: readonly Verdict[]): Judged {
  const expected = verdicts.filter((one) => one.expected !== undefined);
  const wrong = expected.filter((one) => one.departs || one.verdict === 'unknown');
  const messages = wrong.map(({ query, model, verdict, expected: meant, reason }) => {
    const why = reason === undefined ? '' : ` (${reason})`;
    return `${query} under ${model}: ${verdict}${why}, and the file expects ${meant}`;
  });
  if (expected.length === 0) return { state: 'skipped', messages };
  return { state: wrong.length > 0 ? 'failed' : 'passed', messages };
}

const EXPECTED =
  /^[ \t]*(?:expect|computed)\s+\w+\s+under[ \t]+([\w.+~-]+(?:[ \t]*,\s*[\w.+~-]+)*)/gm;

/** The models that a file names in what it expects; none for a client, which its libraries decide. */
export function modelsIn(text: string): readonly string[] {
  if (/^uses\b/m.test(text)) return [];
  const lists = [...text.matchAll(EXPECTED)];
  const names = lists.flatMap(([, list]) => list.split(',').map((name) => name.trim()));
  return [...new Set(names)].sort();
}

/** A file of tests. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** The arguments of `remora` for some files: a call for all files with the same models. */
export function calls(files: readonly TestFile[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const { path, text } of files) {
    const models = modelsIn(text).join();
    const paths = groups.get(models) ?? [];
    groups.set(models, [...paths, path]);
  }
  return [...groups].map(([models, paths]) => [
    'test',
    ...paths,
    '--json',
    ...(models === '' ? [] : ['--model', models]),
  ]);
}
