/** Changes of libraries and implementations that no client can tell; docs/equivalent-mutants.md says why. */
export const EQUIVALENT: ReadonlySet<string> = new Set<string>([]);
