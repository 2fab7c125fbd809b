import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { remoraProcess } from '../support/run.js';

/** `remora refine` as users run it. */

const folder = mkdtempSync(join(tmpdir(), 'remora-refine-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('Ctrl-C: what was done until then, and how much that is', async () => {
  const args = ['refine', 'loco-sv', '--generate', '--jobs', '2'];
  const signal = { name: 'SIGINT', after: 5000 } as const;
  const { code, stdout } = await remoraProcess(args, { signal });
  const [, tried, complete] = /^(\d+) clients tried, all of up to (\d+) calls? /m.exec(stdout)!;
  expect(stdout).toMatch(
    /^loco-sv: .*\n\d+ clients tried, .*, 0 do not refine\ninterrupted after /,
  );
  expect(stdout).toContain(`interrupted after ${tried} of 10000 generated clients; `);
  expect(stdout).not.toContain('unknown');
  // There are 40 clients of one call, and more than 10000 of up to three.
  expect(Number(complete)).toBeLessThan(3);
  expect(code).toBe(130);
});
