// What the papers say, item by item: scripts/papers/*.txt.
import { readFileSync } from 'node:fs';
import type { Paper } from './citations.js';

/** An item of a paper, and what it says in a few words. */
export interface Claim {
  readonly item: string;
  readonly says: string;
  /** Commands that show it, beside the files that cite it. */
  readonly commands: readonly string[];
  /** Why there is nothing to run. */
  readonly leftOut: string | undefined;
}

export interface PaperClaims {
  readonly paper: Paper;
  /** As it is called at the head of its table. */
  readonly title: string;
  readonly claims: readonly Claim[];
}

/**
 * Reads the list of a paper: its title, and then a line `ITEM | what it says` for each item, in the paper's order. Lines below, indented, say more:
 * `run: COMMAND` or `left out: REASON`. A reason that begins with `not yet` says what could be run, and is not.
 *
 * Throws where a line is neither.
 */
export function readClaims(paper: Paper, path: string): PaperClaims {
  const [title, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const claims: Claim[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const [, item, says] = /^(\S.*?) \| (.+)$/.exec(line) ?? [];
    const [, kind, text] = /^ {2}(run|left out): (.+)$/.exec(line) ?? [];
    const last = claims.at(-1);
    if (item !== undefined) claims.push({ item, says, commands: [], leftOut: undefined });
    else if (kind === 'run' && last !== undefined) {
      claims.splice(-1, 1, { ...last, commands: [...last.commands, text] });
    } else if (kind !== undefined && last !== undefined) {
      claims.splice(-1, 1, { ...last, leftOut: text });
    } else throw new Error(`${path}:${at + 2}: neither an item nor what shows it: ${line}`);
  }
  return { paper, title, claims };
}
