export const CPU_FAMILIES: readonly string[];
/** A member of a family, for every size from 2 on, as a test of Remora and in herd7's X86 syntax. */
export function cpuTest(
  family: string,
  k: number,
): { readonly remora: string; readonly x86: string };
