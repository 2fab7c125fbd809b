import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planOutputs } from '../../src/cli/outputs/plan.js';

test('what came to be while a command worked is not written over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-late-'));
  try {
    const path = join(folder, 'late.svg');
    const { outputs, errors } = planOutputs([{ kind: 'svg', path }], { inputs: [] });
    expect(errors).toEqual([]);
    writeFileSync(path, 'precious');
    expect(outputs[0].write('<svg/>').join()).toMatch(/late\.svg: Remora did not write this file/);
    expect(readFileSync(path, 'utf8')).toBe('precious');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
