/** By name; each gives the text of a litmus test with one query, for every size from 2 on. */
export const FAMILIES: Readonly<Record<string, (k: number) => string>>;
