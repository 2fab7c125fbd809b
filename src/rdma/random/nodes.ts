/** The locations of each node that random programs may have. */
export const LOCATIONS: Readonly<Record<string, readonly string[]>> = {
  1: ['x', 'u'],
  2: ['y', 'v'],
  3: ['z'],
};
