// Where the items of the papers are cited, in all that can be run or read here.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { citationsIn, widerThan } from './citations.js';
import type { PaperClaims } from './claims.js';

/** What cites an item, from what shows it best to what only speaks of it. */
export const KINDS = ['corpus', 'models', 'bench', 'test', 'docs', 'src'] as const;
export type Kind = (typeof KINDS)[number];

/** Files that cite an item, by kind. */
export type Marks = Readonly<Record<Kind, readonly string[]>>;

/** Tables of the corpus that are computed, and the page that is made of the marks. */
const MADE = ['corpus/outcomes.md', 'corpus/robustness.md', 'docs/papers.md'];

/** Inputs of tests: copies of what is in the corpus. And the test of the marks, whose citations are examples. */
const INPUTS = /^test\/(?:files\/|project\/papers\.test\.ts$)/;

/** Lines of litmus files that cite. In tests and documents they are inputs or outputs: copies, too. */
const COPIED = /^[-+> ]*(?:source|note|expect|computed|observed|; from)\b.*$/gm;

function textOf(file: string, kind: Kind): string {
  const text = readFileSync(file, 'utf8');
  return kind === 'test' || kind === 'docs' ? text.replaceAll(COPIED, '') : text;
}

/** The files of the repository that may cite papers: those that git knows of, or would add. */
function sources(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...KINDS], {
    encoding: 'utf8',
  });
  return listed
    .trim()
    .split('\n')
    .filter((file) => /\.(?:litmus|impl|cat|ts|md|txt)$/.test(file))
    .filter((file) => !/^test\/.*(?<!\.test)\.ts$/.test(file))
    .filter((file) => !MADE.includes(file) && !INPUTS.test(file) && existsSync(file))
    .sort();
}

/** Citations of what no list has, each with its file. */
export interface AllMarks {
  /** By paper and item. */
  readonly of: ReadonlyMap<string, Marks>;
  readonly unknown: readonly string[];
}

export const keyOf = (paper: string, item: string): string => `${paper} ${item}`;

const unmarked = (): Record<Kind, string[]> => ({
  corpus: [],
  models: [],
  bench: [],
  test: [],
  docs: [],
  src: [],
});

/** Collects the marks. A citation of a part that no list has counts for what it is a part of. */
export function collectMarks(papers: readonly PaperClaims[]): AllMarks {
  const of = new Map<string, Record<Kind, string[]>>();
  for (const { paper, claims } of papers) {
    for (const { item } of claims) {
      of.set(keyOf(paper, item), unmarked());
    }
  }
  const unknown: string[] = [];
  for (const file of sources()) {
    const kind = KINDS.find((one) => file.startsWith(`${one}/`))!;
    for (const { paper, item } of citationsIn(textOf(file, kind))) {
      const known = widerThan(item).find((one) => of.has(keyOf(paper, one)));
      if (known === undefined) unknown.push(`${file}: ${paper} paper, ${item}`);
      else {
        const files = of.get(keyOf(paper, known))![kind];
        if (!files.includes(file)) files.push(file);
      }
    }
  }
  return { of, unknown };
}
