/** A file of `models/lib` with one thing changed. */
export interface FileChange {
  /** The file, where in it, and what is changed: `loco-sv/gf/drop wait(fence)`, `sv.cat/so/drop rb`. */
  readonly name: string;
  readonly path: string;
  /** All of the changed file. */
  readonly text: string;
  /** A node that it names: clients without it are none for it. */
  readonly node?: string;
}

/** Gives changes that would have the same name numbers. */
export function numbered(changes: readonly FileChange[]): readonly FileChange[] {
  const counts = new Map<string, number>();
  return changes.map((change) => {
    const count = (counts.get(change.name) ?? 0) + 1;
    counts.set(change.name, count);
    return count === 1 ? change : { ...change, name: `${change.name} (${count})` };
  });
}
