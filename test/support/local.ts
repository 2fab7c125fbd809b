import { remora } from './run.js';

/** What `refine --local --json` tells, in part. */
export interface Told {
  readonly complete?: number;
  readonly promise?: { readonly stamp: string; readonly by?: string };
  readonly departure?: { readonly outcome: string };
  readonly text?: string;
}

/** Runs `remora refine --local`. */
export async function local(
  ...args: readonly string[]
): Promise<Told & { readonly code: number | null }> {
  const { code, stdout } = await remora(['refine', '--local', ...args, '--json']);
  return { code, ...(JSON.parse(stdout) as Told) };
}
