import type { Call } from './calls.js';
import { int, withArguments } from './calls.js';
import type { Core } from './core.js';
import type { Typed } from './state.js';
import type { CNode } from './tree.js';
import type { Type } from './types.js';
import { UNKNOWN, WORD } from './types.js';

/**
 * What a function allocates: structures and arrays that are known by their parts, as its variables are; or words of the thread's private
 * memory, where a request names them.
 */
function allocated(core: Core, bytes: number | undefined, isZero: boolean, node: CNode): Typed {
  // Each allocation is another one, whichever round of a loop it is in.
  const name = core.fresh(NAME);
  if (core.isFound(`memory ${NAME}`, node)) {
    if (bytes === undefined) core.refuse(node, 'how much memory this allocates is not known');
    const count = Math.ceil(bytes / 8);
    const type: Type = count === 1 ? WORD : { kind: 'array', of: WORD, count };
    const { region, offset } = core.ownWords(`${name} ${node.startIndex}`, name, type);
    if (isZero) {
      for (const { at } of region.places) {
        core.write({ kind: 'word', region, offset: at, type: WORD }, int(0), node);
      }
    }
    return { value: { kind: 'address', region, offset }, type: UNKNOWN };
  }
  const key = `heap ${name}:${NAME}#${node.startIndex}`;
  if (isZero) core.zero(key);
  return { value: { kind: 'pointer', key }, type: UNKNOWN };
}

const NAME = 'allocated';

/** How many bytes a product of arguments is; undefined where that is not known. */
function bytesOf(core: Core, given: readonly CNode[]): number | undefined {
  return given
    .map((one) => core.evaluate(one).value)
    .reduce<number | undefined>(
      (all, value) => (all === undefined || value.kind !== 'int' ? undefined : all * value.value),
      1,
    );
}

/** `sizes`: which arguments multiply to the number of bytes. */
const allocating =
  (sizes: readonly number[], isZero = false): Call =>
  (core, given, node) =>
    allocated(
      core,
      bytesOf(
        core,
        sizes.map((at) => given[at]),
      ),
      isZero,
      node,
    );

/** `posix_memalign(&p, 64, n)` */
const aligned: Call = (core, [into, , size], node) => {
  const { value } = allocated(core, bytesOf(core, [size]), false, node);
  core.write(core.behind(core.evaluate(into), into), value, node);
  return { value: int(0), type: UNKNOWN };
};

export const ALLOCATIONS = withArguments([
  ['malloc', 1, allocating([0])],
  ['calloc', 2, allocating([0, 1], true)],
  ['aligned_alloc', 2, allocating([1])],
  ['memalign', 2, allocating([1])],
  ['posix_memalign', 3, aligned],
  ['kmalloc', 2, allocating([0])],
  ['kzalloc', 2, allocating([0], true)],
  ['kcalloc', 3, allocating([0, 1], true)],
]);
