/**
 * The names that a program has for what C has: registers, words of a thread's own memory. The same thing has the same name on each
 * way through the code. Values that C has no name for get names that nothing in the file has.
 */
export class Names {
  private readonly taken: Set<string>;
  private readonly given = new Map<string, string>();
  private readonly bases = new Map<string, string>();

  /** `words`: all names of the file. `observed`: those that queries ask for; they belong to variables that are observed. */
  constructor(
    locations: Iterable<string>,
    private readonly words: ReadonlySet<string>,
    observed: Iterable<string>,
  ) {
    this.taken = new Set(locations);
    this.kept = new Set([...observed].filter((name) => !this.taken.has(name)));
  }

  private readonly kept: Set<string>;

  /** The name of a thing, by a key of it. */
  of(key: string, base: string, isObserved = false): string {
    const known = this.given.get(key);
    if (known !== undefined) return known;
    const stem = base.replaceAll(/\W+/g, '_').replace(/^(\d)/, '_$1');
    const isOwn = isObserved && this.kept.delete(stem);
    let name = stem;
    for (let n = 2; !isOwn && (this.taken.has(name) || this.kept.has(name)); n++) {
      name = `${stem}_${n}`;
    }
    this.taken.add(name);
    this.given.set(key, name);
    return name;
  }

  /** The n-th name of a value of a kind, from 1. */
  unnamed(kind: string, n: number): string {
    const base = this.bases.get(kind) ?? this.unused(kind);
    this.bases.set(kind, base);
    return n === 1 ? base : `${base}_${n}`;
  }

  private unused(kind: string): string {
    const stem = kind.replaceAll(/\W+/g, '_');
    const isLike = (base: string): boolean =>
      [...this.words].some(
        (word) => word.startsWith(base) && /^(_\d+)?$/.test(word.slice(base.length)),
      );
    let base = stem;
    while (isLike(base)) base += '_';
    return base;
  }
}
