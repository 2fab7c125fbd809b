// Who gets into a lock: the ALock paper's StarvationFree, DeadAndLivelockFree and ExecsCriticalSectionInfinitelyOften, asked of copies of a file.

/** The loop that is the last instruction of a thread, and in which it may rest. */
const ENDLESS = /^ {2}loop \{$/gm;

/** Does a thread go round for ever? Some go round a few times, as their tickets would be numbers without end. */
export const isEndless = (text: string): boolean => text.search(ENDLESS) >= 0;

/** Does each thread that enters get in, and if one enters, does some thread? */
export function askingEntries(text: string): string {
  const each = threadsOf(text).map((t) => `progress ${t}:enter -> ${t}:c`);
  return [programOf(text), ...each, 'progress any enter -> any c', ''].join('\n');
}

/** Is each thread in again and again, where none may rest? */
export function askingRounds(text: string): string {
  const program = programOf(text).replace(ENDLESS, '  while (1) {');
  return [program, ...threadsOf(text).map((t) => `progress always -> ${t}:c`), ''].join('\n');
}

const programOf = (text: string): string =>
  text.slice(0, text.search(/^(?:exclusive|assertions|progress|never|deadlock)\b/m));

const threadsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^threads? (\w+)(?:\[\w+ in (\d+)\.\.(\d+)\])?/gm)].flatMap(
    ([, name, from, to]) => {
      const count = from === undefined ? 0 : Number(to) - Number(from) + 1;
      return count === 0
        ? [name]
        : Array.from({ length: count }, (_, k) => `${name}${Number(from) + k}`);
    },
  );
