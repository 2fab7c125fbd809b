/** The text of a litmus test with one query, which the search gives up on from 8 values on. */
export function pigeonholes(values: number): string;
