import type { Call } from './calls.js';
import { SUCCESS, alsoCalled, int, withArguments } from './calls.js';
import { copy } from './memcpy.js';
import { keyOfPath } from './paths.js';
import type { Typed, Value } from './state.js';
import { UNKNOWN, WORD } from './types.js';

/** What moves and fills memory, and what changes how numbers lie in it. */

/** `memset(&wr, 0, sizeof wr)` */
const clear: Call = (core, [pointer, byte, length], node) => {
  const found = core.evaluate(pointer);
  const what = core.evaluate(byte).value;
  if (what.kind !== 'int' || what.value !== 0) return core.refuse(node, 'only zero is filled in');
  const place = core.behind(found, pointer);
  const bytes = length === undefined ? undefined : core.evaluate(length).value;
  const all = core.around.code.types.sizeOf(found.type);
  const isWhole = bytes?.kind === 'int' && all !== undefined && bytes.value >= all;
  const array = arrayAt(found);
  if (array !== undefined && (isWhole || bytes?.kind !== 'int')) {
    core.zero(array);
    return found;
  }
  const size = core.around.code.types.sizeOf(place.type);
  const isPart = bytes?.kind === 'int' && size !== undefined && bytes.value < size;
  if (isPart && place.kind !== 'word') return core.refuse(node, 'a part of this is filled');
  if (place.kind === 'path' && place.type.kind !== 'struct') core.unplaced(place.text, node);
  const key = core.keyOf(place);
  if (key !== undefined) {
    core.zero(key);
    return found;
  }
  if (place.kind !== 'word' || bytes?.kind !== 'int') {
    return core.refuse(node, 'how much memory this fills is not known');
  }
  for (const { at } of core.wordsIn(place.region, place.offset, bytes.value, node)) {
    core.write({ ...place, offset: at, type: WORD }, int(0), node);
  }
  return found;
};

/** The key of a whole array or structure that is no memory. */
function arrayAt({ value, type }: Typed): string | undefined {
  if (value.kind === 'parts') return value.key;
  return value.kind === 'path' && type.kind === 'array' ? keyOfPath(value.text) : undefined;
}

/** What time it is, nobody knows, and each time it is another one. */
const clock =
  (into?: number): Call =>
  (core, given, node) => {
    const now: Value = { kind: 'path', text: node.text, isNew: true };
    if (into === undefined) return { value: now, type: UNKNOWN };
    core.write(
      { ...core.behind(core.evaluate(given[into]), given[into]), type: UNKNOWN },
      now,
      node,
    );
    return SUCCESS;
  };

/** What changes the order of bytes: values of the program have none. */
const same: Call = (core, [value]) => core.evaluate(value);

/** `container_of(p, struct t, member)`: the structure that a pointer to a member of it leads into. */
const container: Call = (core, [pointer, of, member], node) =>
  core.containing(core.evaluate(pointer), of, member.text, node);

export const CPU = withArguments([
  ...alsoCalled(1, same, 'htonl ntohl htons ntohs htobe64 be64toh htobe32 be32toh'),
  ...alsoCalled(1, same, 'cpu_to_le32 le32_to_cpu cpu_to_le64 le64_to_cpu likely unlikely'),
  ['__builtin_expect', 2, same],
  ['gettimeofday', 2, clock(0)],
  ['clock_gettime', 2, clock(1)],
  ...alsoCalled(0, clock(), 'time clock __rdtsc __builtin_ia32_rdtsc get_cycles'),
  ['container_of', 3, container],
  ['memset', 3, clear],
  ...alsoCalled(3, copy, 'memcpy memmove __builtin_memcpy __builtin_memmove'),
]);
