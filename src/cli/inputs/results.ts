import type { Results } from '../../analyses/measured/read.js';
import { readResults } from '../../analyses/measured/read.js';
import { parseLitmus } from '../../node/tests.js';
import { findTests } from './find.js';
import { render, renderFor } from './messages.js';
import type { InputReader } from './reader.js';

/** The largest file of results, in bytes. */
const LARGEST = 2 ** 26;

/** What files of results say; ready to print, mistakes in files, which count nothing, and notices. */
export interface ResultsInputs {
  readonly items: readonly Results[];
  readonly errors: readonly string[];
  readonly notices: readonly string[];
}

/** Reads files of results; folders are searched for `.jsonl` files. A file that has what another one has counts once. */
export function readAllResults(paths: readonly string[], reader: InputReader): ResultsInputs {
  const items: Results[] = [];
  const errors: string[] = [];
  const notices: string[] = [];
  const texts = new Map<string, string>();
  for (const found of findTests(paths, ['.jsonl'])) {
    errors.push(...found.errors);
    for (const path of found.files) {
      const file = reader.read(path, LARGEST);
      if (!file.ok) {
        errors.push(...render(file.errors, new Map()));
        continue;
      }
      const same = texts.get(file.value.text);
      if (same !== undefined) {
        notices.push(`${path}: has what ${same} has, and counts once`);
        continue;
      }
      texts.set(file.value.text, path);
      const read = readResults(file.value, parseLitmus);
      if (read.ok) items.push(read.value);
      else errors.push(renderFor(file.value, read.errors));
    }
  }
  return { items, errors, notices };
}
