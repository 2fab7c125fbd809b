// Writes docs/columns.md and corpus/columns: the fewest questions of the corpus by which all fabrics can be told apart.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { FABRIC_MODELS } from '../src/model/fabrics.js';
import type { Column } from './columns/choose.js';
import { fewest } from './columns/choose.js';
import { FOLDER, columnFile, fileOf } from './columns/file.js';
import { columnsPage } from './columns/page.js';

/** What is chosen from. */
const FOLDERS = ['corpus/events', 'corpus/fabrics', 'corpus/rmw', 'corpus/tso'];

/** What instructions look like, to find the smaller one of two programs. */
const INSTRUCTION = /:=|\b(?:poll|pollr|rfence|mfence|send|recv|flush|cut)\b/g;

interface Line {
  readonly file: string;
  readonly test: string;
  readonly query: string;
  readonly index: number;
  readonly model: string;
  readonly verdict?: string;
}

const command = ['dist/cli/main.cjs', 'check', ...FOLDERS, '-m', FABRIC_MODELS.join(), '--json'];
const { stdout } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 2 ** 28 });
const asked = new Map<string, { readonly line: Line; readonly verdicts: Map<string, string> }>();
for (const text of stdout.split('\n')) {
  if (text === '') continue;
  const line = JSON.parse(text) as Line;
  if (line.verdict === undefined || !line.query.startsWith('exists')) continue;
  const key = `${line.file} ${line.index}`;
  const one = asked.get(key) ?? { line, verdicts: new Map() };
  one.verdicts.set(line.model, line.verdict);
  asked.set(key, one);
}
const columns = [...asked.values()].map(({ line, verdicts }): Column => ({
  ...{ file: line.file, test: line.test, query: line.query },
  size: readFileSync(line.file, 'utf8').match(INSTRUCTION)?.length ?? 0,
  verdicts: FABRIC_MODELS.map((model) => {
    const verdict = verdicts.get(model);
    return verdict === 'allowed' ? true : verdict === 'forbidden' ? false : undefined;
  }),
}));
const chosen = fewest(columns);
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const column of chosen) writeFileSync(fileOf(column), columnFile(column));
writeFileSync('docs/columns.md', columnsPage(chosen, columns));
