/** Cuts command lines into ranges. */
import type { Divided } from './division.js';
import { readWords } from './words.js';

/**
 * Reads all that a command line names, as the command does.
 *
 * @param paths the litmus files, where folders were searched for them before
 * @throws UsageError
 */
export async function divide(
  words: readonly string[],
  paths?: readonly string[],
): Promise<Divided> {
  const asked = await readWords(words);
  switch (asked.command) {
    case 'agree':
      return (await import('./divide-agree.js')).divideAgree(asked.options as never);
    case 'refine':
      return (await import('./divide-refine.js')).divideRefine(
        asked.operands,
        asked.options as never,
      );
    case 'check':
    case 'test':
    case 'compare':
    case 'outcomes': {
      const { divideCorpus } = await import('./divide-corpus.js');
      return divideCorpus(asked.command, asked.operands, asked.options as never, paths);
    }
  }
}
