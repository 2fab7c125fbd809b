// Writes docs/field.md: the questions of corpus/field, answered and explained by Remora.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const HEAD = `# Questions from the field

Questions that RDMA engineers asked in public, each reduced to a small program (\`corpus/field\`), and what
Remora answers under RDMA^TSO; programs with waits under RDMA^WAIT. Everything but the questions is made by
\`remora explain --markdown --fix\` (\`npm run golden\`). No answer is published elsewhere.

A put is on its way in several steps: the NIC reads the value, the value arrives at the other node and is
acknowledged, and only then it is written into memory. A poll waits for the acknowledgement.

`;

const told = execFileSync(
  process.execPath,
  'dist/cli/main.js explain --markdown --fix -m rdma-tso,rdma-wait corpus/field'.split(' '),
  { encoding: 'utf8' },
);
writeFileSync('docs/field.md', HEAD + told);
