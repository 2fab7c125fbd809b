/** Names that places and registers of C files cannot have: words of C, and what these files use themselves. */

const WORDS = new Set(
  (
    'auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return ' +
    'short signed sizeof static struct switch typedef union unsigned void volatile while bool true false errno linux unix asm typeof ' +
    'alignas alignof constexpr nullptr thread_local assert NULL stdin stdout stderr t'
  ).split(' '),
);

/** The functions of a file, and what is said with names in front or behind. */
const OWN =
  /^(?:post|put|get|send_to|cas|add|receive|take|places|pairs|queues|threads|outcomes|u?int\d*_t|u?intptr_t|(?:remora|ibv|IBV|thread|run|qp|cq|rq|test)_.*|_.*|(?:value|now|way)\d+|.*_(?:key|addr))$/;

/** The function of a thread: `thread_local` is a word of C. */
export const threadFunction = (name: string): string => {
  const plain = `thread_${name}`;
  return WORDS.has(plain) ? `${plain}_` : plain;
};

export const isReserved = (name: string): boolean => WORDS.has(name) || OWN.test(name);
