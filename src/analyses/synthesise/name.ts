import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { Draft } from '../../rdma/classes/draft.js';

/** A program by the operations of its threads, as a name of files may be: `put-poll-write`, `read-read+put.inline`. */
export const nameOf = ({ threads }: Draft, { letters }: Alphabet): string =>
  threads
    .map(({ calls }) =>
      calls
        .map(({ letter }) => letters[letter].name.replaceAll('[', '.').replaceAll(']', ''))
        .join('-'),
    )
    .join('+');
