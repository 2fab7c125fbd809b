import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAMILIES } from '../../bench/families.js';
import { VERDICTS } from '../../bench/verdicts.js';

/** Folders of generated programs. */
export interface Programs {
  /** Large enough for a search to have conflicts, to learn, to start anew and to ask the theory; with their verdicts. */
  readonly large: string;
  /** Small enough for the machine to find all final states. */
  readonly small: string;
}

type Members = Readonly<Record<string, readonly number[]>>;

const LARGE: Members = {
  sbring: [10],
  sbringget: [10],
  mpchain: [16],
  getsputs: [8],
  putrace: [8],
  iriw: [8],
  waitflag: [8],
  ringbuffer: [6, 8, 12, 16],
  spin: [5],
  mix3: [20, 40],
  mix4: [30, 40],
};

const SMALL: Members = {
  sbring: [5],
  sbringget: [4],
  mpchain: [5],
  getsputs: [3],
  putrace: [3],
  iriw: [2],
  waitflag: [3],
  ringbuffer: [3, 4],
  spin: [2],
  mix3: [4, 5, 6],
  mix4: [4],
};

/** Calls back with generated programs in temporary files. */
export async function withPrograms<T>(use: (programs: Programs) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'remora-programs-'));
  try {
    const [large, small] = ['large', 'small'].map((name) => join(folder, name));
    write(large, LARGE);
    write(small, SMALL);
    return await use({ large, small });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(folder: string, members: Members): void {
  mkdirSync(folder);
  for (const [family, sizes] of Object.entries(members)) {
    for (const k of sizes) {
      // How far loops were followed is no part of what a file expects.
      const [verdict] = VERDICTS[family](k).split(' ');
      const expected = `  computed ${verdict} under rdma-tso\n`;
      writeFileSync(join(folder, `${family}-${k}.litmus`), FAMILIES[family](k) + expected);
    }
  }
}
