import { spawnSync } from 'node:child_process';

/**
 * Asks the checker `drat-trim` about clauses and steps, if it is installed.
 *
 * @returns whether it accepts them, and its verdict or last line; undefined if it is not installed
 */
export function askDratTrim(
  clauses: string,
  steps: string,
): { readonly accepts: boolean; readonly said: string } | undefined {
  const { error, stdout } = spawnSync('drat-trim', [clauses, steps], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  const lines = (stdout ?? '').split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const verdict = lines.find((line) => line.startsWith('s '));
  return {
    accepts: verdict === 's VERIFIED',
    said: verdict ?? error?.message ?? lines.at(-1) ?? 'nothing',
  };
}
