// The page docs/papers.md: what the papers say, item by item, and what shows it here.
import { join } from 'node:path';
import { groupBy } from '../../src/model/relation/groups.js';
import type { Claim, PaperClaims } from './claims.js';
import { readClaims } from './claims.js';
import { PAPERS } from './citations.js';
import type { AllMarks, Marks } from './marks.js';
import { collectMarks, keyOf } from './marks.js';

export const PAGE = 'docs/papers.md';

/** The lists, in the order of the page. */
export const claimsOfPapers = (): readonly PaperClaims[] =>
  PAPERS.map((paper) => readClaims(paper, join('scripts/papers', `${paper.toLowerCase()}.txt`)));

/** How many files of a folder are named; of more, their number. */
const NAMED = 12;

/** The page, up to date. */
export function papersPage(papers: readonly PaperClaims[], marks: AllMarks): string {
  return `# The papers, item by item

What each paper says, by the numbers that it has there, and the files that show it. The tables are made of the citations in these files
(\`npm run golden\`), so they stay true. What is wrong or open in the papers is among the [findings](findings.md).

To run it, where several files of a folder are named without their endings:

| Files | |
| --- | --- |
| \`corpus/…\` | \`remora test FILES\` says whether each published verdict is what Remora decides |
| \`models/…\` | \`remora check -m MODEL FILES\`; \`models/lib\` has [libraries](libraries.md), and \`models/lib/impl\` what \`remora refine\` takes |
| \`test/…\` | \`npx vitest run FILE\`, or \`npx vitest run --mode long FILE\`; cases (\`.txt\`) are run by the test with the name of their folder, transcripts (\`.md\`) by those beside them |
| \`src/…\` | the definition is in use: nothing shows it apart from the rest |

Of what cannot be run, or is not yet, the row says why. Times are left out: throughput and latency are not a checker's.
${papers.map((paper) => section(paper, marks)).join('')}`;
}

function section({ paper, title, claims }: PaperClaims, { of }: AllMarks): string {
  const rows = claims.map((claim) => ({
    claim,
    shown: shownBy(claim, of.get(keyOf(paper, claim.item))!),
  }));
  const open = rows.filter(({ shown }) => shown.length === 0).map(({ claim }) => claim.leftOut);
  const notYet = open.filter((reason) => reason?.startsWith('not yet')).length;
  return `
## ${title}

${rows.length} items: ${rows.length - open.length} shown, ${notYet} not yet, ${open.length - notYet} left out.

| Item | What it says | Shown by |
| --- | --- | --- |
${rows.map(({ claim, shown }) => row(claim, shown)).join('\n')}
`;
}

function row({ item, says, leftOut }: Claim, shown: readonly string[]): string {
  const reason = leftOut === undefined ? [] : [`*${leftOut}*`];
  return `| ${item} | ${says} | ${[...shown, ...reason].join('; ')} |`;
}

/** What shows an item: commands, and files by folder. */
export function shownBy({ commands, leftOut }: Claim, marks: Marks): readonly string[] {
  const { corpus, models, bench, test, docs, src } = marks;
  const shown = [
    ...commands.map((command) => `\`${command}\``),
    // Files of the benchmark take long.
    ...[corpus, models, corpus.length > 0 ? [] : bench, test].flatMap(byFolder),
    ...docs.map((file) => `[${stem(file)}](${file.slice('docs/'.length)})`),
  ];
  // What can be run is enough; sources are named where nothing else is.
  return shown.length > 0 || leftOut !== undefined ? shown : byFolder(src);
}

const stem = (file: string): string => file.replace(/^.*\//, '').replace(/(?:\.test)?\.\w+$/, '');

/** A path as code, if it is in the package. */
const shownPath = (path: string): string => (/^(?:test|src)\b/.test(path) ? path : `\`${path}\``);

/** Files of a folder, named once: `corpus/tso`: MP1, MP2. */
function byFolder(files: readonly string[]): readonly string[] {
  const folders = groupBy(files, (file) => file.slice(0, file.lastIndexOf('/')));
  return [...folders].map(([folder, own]) => {
    if (own.length > NAMED) return `${own.length} files of ${shownPath(folder)}`;
    if (own.length === 1) return shownPath(own[0]);
    return `${shownPath(folder)}: ${own.map(stem).join(', ')}`;
  });
}

export const allMarks = (): AllMarks => collectMarks(claimsOfPapers());
