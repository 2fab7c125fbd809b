/** Cuts command lines into ranges. */
import type { Divided, DividedCommand } from './division.js';
import type { AskedCommand } from './command-line.js';
import { readWords } from './command-line.js';

/**
 * Reads all files that a command line names, like the command.
 *
 * @param paths the litmus files, if folders were searched before
 * @throws UsageError
 */
export async function divide(
  words: readonly string[],
  paths?: readonly string[],
): Promise<Divided> {
  const asked = await readWords(words);
  const divided = await divideAsked(asked, paths);
  return 'errors' in divided ? divided : { ...divided, native: asked.native };
}

async function divideAsked(
  asked: AskedCommand,
  paths: readonly string[] | undefined,
): Promise<DividedCommand> {
  switch (asked.command) {
    case 'agree':
      return (await import('./divide-agree.js')).divideAgree(asked.options as never);
    case 'refine':
      return (await import('./divide-refine.js')).divideRefine(
        asked.operands,
        asked.options as never,
      );
    case 'distinguish': {
      const { divideDistinguish } = await import('./divide-by-size.js');
      return divideDistinguish(asked.operands, asked.options as never);
    }
    case 'synthesise': {
      const { divideSynthesise } = await import('./divide-by-size.js');
      return divideSynthesise(asked.operands, asked.options as never);
    }
    case 'check':
    case 'test':
    case 'compare':
    case 'outcomes': {
      const { divideCorpus } = await import('./divide-corpus.js');
      return divideCorpus(asked.command, asked.operands, asked.options as never, paths);
    }
  }
}
