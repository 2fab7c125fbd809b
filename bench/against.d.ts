export interface Checker {
  readonly name: string;
  readonly ask: 'one' | 'all';
}

/** @throws Error in words where there is no checker at a path */
export function checkersAt(paths: {
  readonly herd7?: string | undefined;
  readonly dartagnan?: string | undefined;
}): readonly Checker[];

export interface Measured {
  readonly k: number;
  readonly name: string;
  readonly ask: 'one' | 'all';
  readonly verdict?: 'allowed' | 'forbidden';
  readonly end?: string;
}

export function measureAgainst(
  checkers: readonly Checker[],
  runs: number,
  sizes?: readonly number[],
): readonly { readonly family: string; readonly answers: readonly Measured[] }[];
