// Writes docs/field.md: the questions of corpus/field, answered and explained by Remora.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const HEAD = `# Questions from the field

Questions that RDMA engineers asked in public, each reduced to small programs (\`corpus/field\`), and what
Remora answers under RDMA^TSO; programs with waits under RDMA^WAIT. Everything but the questions is made by
\`remora explain --markdown --fix\` (\`npm run golden\`). No answer is published elsewhere.

A put is on its way in several steps: the NIC reads the value, the value arrives at the other node and is
acknowledged, and only then it is written into memory. A poll waits for the acknowledgement. A get after it on
the same queue pair pushes it into memory, but only because PCIe keeps a read behind the writes before it. What rests
on that fails under \`rdma-tso-nopcie\`, which is RDMA^TSO without this guarantee; each answer and each fix
was tried there, and says so if it fails. Some programs with waits cannot be tried there, as the waits have no
translation to polls: these say so, too, and may fail without this guarantee.

First all answers at a glance: a program, the outcome that is asked about, and whether it can happen.

`;

const told = execFileSync(
  process.execPath,
  'dist/cli/main.js explain --markdown --fix -m rdma-tso,rdma-wait,rdma-tso-nopcie corpus/field'.split(
    ' ',
  ),
  { encoding: 'utf8' },
);
writeFileSync('docs/field.md', HEAD + told);
