import { hasCReader } from '../program/read.js';

/** Starts the reader of C files (some 40 ms), once. Only those who have C wait for it. */
export async function loadC(): Promise<void> {
  if (hasCReader()) return;
  const { startC } = await import('./c-parser.js');
  await startC();
}
