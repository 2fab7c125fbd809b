import { width } from './table.js';

/** A name of at most this many letters stays as it is. */
const SHORT = 4;

/**
 * Short names for different names, all different, too. A short name has the first letters of the parts of its name, and
 * as many more letters of the last part as it takes to be unlike the others. `rdma-tso-nopcie` becomes `rtn`.
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

/** A number that is not yet taken as a name. */
function numbered(taken: ReadonlySet<string>): string {
  let number = 1;
  while (taken.has(String(number))) number += 1;
  return String(number);
}
