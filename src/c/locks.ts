import type { Word } from './atomics.js';
import { atomic, stored, wordOf } from './atomics.js';
import type { Call } from './calls.js';
import { SUCCESS, alsoCalled, int, withArguments } from './calls.js';
import type { Core } from './core.js';
import { ACQUIRE, RELEASE, SEQ_CST, tagsFor } from './orders.js';
import type { CNode } from './tree.js';

/**
 * Semaphores, mutexes and condition variables of POSIX, spin locks: words of memory that are changed at once, and that a thread waits for.
 * A mutex is 1 while somebody has it.
 */

/** What is done to a word; nothing, where the head is still to say which one it is. */
const on =
  (what: (core: Core, word: Word, given: readonly CNode[], node: CNode) => void): Call =>
  (core, [pointer, ...given], node) => {
    const { value } = core.gaps === undefined ? { value: undefined } : core.evaluate(pointer);
    if (value?.kind === 'path') core.unplaced(value.text, pointer);
    else what(core, wordOf(core, pointer), given, node);
    return SUCCESS;
  };

/** Changes a word at once, if it has a value for which somebody may go on; until then, the thread waits. */
function wait(
  core: Core,
  word: Word,
  [name, operand]: readonly ['faa' | 'xchg', number],
  [op, than]: readonly ['>' | '=', number],
  node: CNode,
): void {
  const taken = atomic(core, name, word, [int(operand)], tagsFor(ACQUIRE), node);
  const was = core.exprOf(taken, node);
  const span = core.spanOf(node);
  const right = core.int(than, node);
  core.emit({ kind: 'assume', condition: { kind: 'binary', op, left: was, right, span }, span });
}

const begin = on((core, word, given, node) => {
  const value = given.at(-1);
  core.write(word, value === undefined ? int(0) : core.evaluate(value).value, node);
});

/** A mutex, or a lock, that nobody has. */
const free = on((core, word, _, node) => core.write(word, int(0), node));

const post = on(
  (core, word, _, node) => void atomic(core, 'faa', word, [int(1)], tagsFor(RELEASE), node),
);
const take = on((core, word, _, node) => wait(core, word, ['faa', -1], ['>', 0], node));
const lock = on((core, word, _, node) => wait(core, word, ['xchg', 1], ['=', 0], node));

// On x86, a mutex is given back by a locked instruction, and a spin lock by a store.
const unlock = on((core, word, _, node) => stored(core, word, int(0), SEQ_CST, node));
const unspin = on((core, word, _, node) => stored(core, word, int(0), RELEASE, node));

/** Gives a mutex back, and takes it again: a thread may be woken at any time. */
const waitFor: Call = (core, [, mutex], node) => {
  unlock(core, [mutex], node);
  return lock(core, [mutex], node);
};

const nothing: Call = () => SUCCESS;

export const LOCKS = withArguments([
  ['sem_init', 3, begin],
  ['sem_post', 1, post],
  ['sem_wait', 1, take],
  ['sem_destroy', 1, nothing],
  ...alsoCalled(2, free, 'pthread_mutex_init pthread_spin_init'),
  ...alsoCalled(1, lock, 'pthread_mutex_lock pthread_spin_lock spin_lock mutex_lock'),
  ...alsoCalled(1, unlock, 'pthread_mutex_unlock mutex_unlock'),
  ...alsoCalled(1, unspin, 'pthread_spin_unlock spin_unlock'),
  ['pthread_cond_wait', 2, waitFor],
  ...alsoCalled(1, nothing, 'pthread_cond_init pthread_cond_signal pthread_cond_broadcast'),
  ...alsoCalled(1, nothing, 'pthread_cond_destroy pthread_mutex_destroy'),
]);
