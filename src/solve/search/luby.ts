/** Luby's sequence from its first member on: 1, 1, 2, 1, 1, 2, 4, … */
export function luby(n: number): number {
  const k = Math.floor(Math.log2(n + 1));
  return n + 1 === 2 ** k ? 2 ** (k - 1) : luby(n - 2 ** k + 1);
}
