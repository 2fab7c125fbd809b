/** The value `none`: unlike every number that a program may write. */
export const NONE = Number.MIN_SAFE_INTEGER;

/** What the words `true`, `false` and `none` are worth. */
export function constantNamed(word: string): number | undefined {
  switch (word) {
    case 'true':
      return 1;
    case 'false':
      return 0;
    case 'none':
      return NONE;
    default:
      return undefined;
  }
}
