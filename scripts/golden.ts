// Writes anew what is computed and checked in: the tables of the corpus, those of locks in docs/locks.md, docs/papers.md, docs/columns.md with corpus/columns,
// and docs/differences.md with its picture, which Graphviz draws.
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';

/** What the table of robustness has: programs that end, of instructions. Libraries have clients, and locks go round. */
const ENDING = [
  ...['cells', 'corerma', 'decidability', 'events', 'fabrics', 'field'].map(
    (name) => `corpus/${name}/`,
  ),
  // Beside the paper's clients, these are its programs of instructions.
  ...readdirSync('corpus/loco')
    .filter((file) => /^L.*\.litmus$/.test(file))
    .sort()
    .map((file) => `corpus/loco/${file}`),
  ...['protocols', 'rmw', 'robustness', 'tso'].map((name) => `corpus/${name}/`),
];

await import('./columns.js');
write('corpus/outcomes.md', 'test', 'corpus/', '--markdown');
write('corpus/robustness.md', 'robust', ...ENDING, '--table');
await import('./locks.js');
await import('./papers.js');
(await import('./differences.js')).writeDifferences();

/** Writes what a command prints. */
function write(file: string, ...command: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['dist/cli/main.cjs', ...command],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  );
  if (status !== 0) throw new Error(`remora ${command.join(' ')}: ${stderr}`);
  writeFileSync(file, stdout);
}
