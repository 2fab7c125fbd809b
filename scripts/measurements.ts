// A page of the site: the results in the folder measurements, held against all fabrics.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HEAD = `# What cards showed

The results in the folder [measurements](../measurements/README.md), beside what all [fabrics](fabrics.md) allow: made by \`remora measured measurements --markdown\`
([cards.md](cards.md#what-was-measured)). The weak card is one in software; how to add yours says the [README](../measurements/README.md) there.

`;

export function measurementsPage(): string {
  const command = ['dist/cli/main.cjs', 'measured', 'measurements', '--markdown'];
  const { stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (stderr !== '') throw new Error(stderr);
  return HEAD + stdout;
}

/** Writes `measurements.md` into a folder. */
export const writeMeasurementsPage = (folder: string): void =>
  writeFileSync(join(folder, 'measurements.md'), measurementsPage());
