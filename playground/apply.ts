import type { PrintedRepair } from '../src/analyses/repair/print.js';
import { edited, editsFor } from '../src/editor/additions.js';
import { nameOf } from './recognised.js';

/** A program with what a repair adds: written into the text as it is, or as the C was patched. */
export function applied(text: string, repair: PrintedRepair): string {
  if (repair.kind !== 'found') return text;
  if (repair.inC !== undefined) return repair.inC.kind === 'patch' ? repair.inC.text : text;
  return edited(text, editsFor({ path: nameOf(text), text }, repair));
}
