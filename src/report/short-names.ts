import { width } from './table.js';

/** Names that are no wider stay as they are. */
const SHORT = 4;

/**
 * A short name for each of several different names: the first letters of its parts, and as many more of the
 * last part as it takes to tell it from the others. `rdma-tso-nopcie` becomes `rtn`.
 */
export function shortNames(names: readonly string[]): readonly string[] {
  const taken = new Set(names.filter((name) => width(name) <= SHORT));
  return names.map((name) => {
    if (taken.has(name)) return name;
    const short = candidates(name).find((candidate) => !taken.has(candidate)) ?? numbered(taken);
    taken.add(short);
    return short;
  });
}

function candidates(name: string): readonly string[] {
  const parts = name.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  const initials = parts.slice(0, -1).map((part) => [...part][0]);
  const last = [...(parts.at(-1) ?? '')];
  return last.map((_, i) => [...initials, ...last.slice(0, i + 1)].join(''));
}

/** A number that no name has. */
function numbered(taken: ReadonlySet<string>): string {
  let number = 1;
  while (taken.has(String(number))) number += 1;
  return String(number);
}
