/** A command line, and where it is to be run. */
export interface Choice {
  /** The words, without those that name a server. */
  readonly words: readonly string[];
  /** The server that is to run it: an address, or `default`. Without it, the command runs here. */
  readonly server?: string;
}

/** Stands for the address that `remora serve` has without `--listen`. */
export const DEFAULT = 'default';

/** Commands that go on for as long as somebody is there. A server never runs them. */
const LASTING = ['serve', 'lsp'];

/** Files that another process has otherwise, or not at all: what shells make of `<(…)`. */
const OWN_FILE = /(^|[=,])\/(dev\/(fd|std)|proc\/self)/;

const FLAG = '--server';

/**
 * Takes `--server` and `--server=ADDRESS` out of a command line. Without them, the variable REMORA_SERVER names a server:
 * an address, or 1 for the default one.
 */
export function chooseServer(words: readonly string[], variable: string | undefined): Choice {
  const end = endOfFlags(words);
  const isFlag = (word: string, i: number): boolean =>
    i < end && (word === FLAG || word.startsWith(`${FLAG}=`));
  const flag = words.findLast(isFlag);
  const rest = words.filter((word, i) => !isFlag(word, i));
  const isLasting = LASTING.includes(commandOf(rest) ?? '') || rest.includes('--watch');
  if (isLasting || rest.some((word) => OWN_FILE.test(word))) return { words: rest };
  if (flag !== undefined) return { words: rest, server: flag.slice(FLAG.length + 1) || DEFAULT };
  if (variable === undefined || variable === '') return { words: rest };
  return { words: rest, server: variable === '1' ? DEFAULT : variable };
}

/** The first word that can be no flag: what is after `--`, and the options of `distribute`, which has a --server of its own. */
function endOfFlags(words: readonly string[]): number {
  const ends = [words.indexOf('--')];
  if (commandOf(words) === 'distribute') ends.push(words.indexOf('distribute'));
  return Math.min(words.length, ...ends.filter((end) => end >= 0));
}

const commandOf = (words: readonly string[]): string | undefined =>
  words.find((word) => !word.startsWith('-'));
