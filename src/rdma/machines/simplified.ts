import { performed } from './atomics.js';
import { areOfOne, completed, nicRead, pending, withStage, writeBackSteps } from './queue-pair.js';
import type { NicStep, QueuePairRules } from './queue-pair.js';
import type { Packet, Posted, QueuePairState, Write } from './state.js';
import { postedOf } from './state.js';

/** Which entries of `pipe` a put may overtake when it reads. */
const READS_PAST: Readonly<Record<Packet['kind'], boolean>> = {
  put: false,
  rfence: false,
  sent: true,
  get: true,
  atomic: true,
  fetched: true,
  held: true,
  ack: true,
};
/** Which entries a get may overtake when it reads, an atomic when it is performed, and a put when its value goes to `wbR`. */
const PAST: typeof READS_PAST = { ...READS_PAST, sent: false, atomic: false };
/** The same where atomics are performed in any order. */
const PAST_ATOMICS: typeof READS_PAST = { ...PAST, atomic: true };
/** Which entries an atomic may overtake where it waits for gets. */
const PAST_NO_GET: typeof READS_PAST = { ...PAST, get: false };

/**
 * The transitions of the simplified semantics (TSO paper, Fig. 19): one buffer, `pipe`. Atomics, operations of several words
 * and unsignalled ones are in addition. Words of one operation go through `pipe` by themselves and do not wait for each
 * other, and where operations are in no order, none waits for another.
 */
export const simplified: QueuePairRules = (queuePair, surroundings) => {
  const { memory, pcie, atomics, unordered } = surroundings;
  const past = atomics === 'out' ? PAST_ATOMICS : PAST;
  const performedPast = atomics === 'getfirst' ? PAST_NO_GET : past;
  const [pipe] = queuePair.stages;
  const { wbR, wbL } = queuePair;
  const steps: NicStep[] = [];

  pipe.forEach((entry, index) => {
    const posted = postedOf(entry);
    const isOfThis = (other: Packet): boolean => areOfOne(postedOf(other), posted);
    const before = unordered ? [] : pipe.slice(0, index).filter((other) => !isOfThis(other));
    const oldest = before.length === 0;
    const become = (packet: Packet): QueuePairState =>
      withStage(queuePair, 0, pipe.with(index, packet));
    const rest = (): QueuePairState => withStage(queuePair, 0, pipe.toSpliced(index, 1));
    switch (entry.kind) {
      case 'rfence':
        if (oldest) steps.push({ rule: 'fence', entry, after: rest() });
        return;
      case 'put': {
        const value = nicRead(entry.from, wbL, memory, pcie);
        if (value === undefined || !before.every((e) => READS_PAST[e.kind])) return;
        const after = become({ ...posted, kind: 'sent', location: entry.to, value });
        steps.push({ rule: 'read-local', entry, found: value, after });
        return;
      }
      case 'sent': {
        if (!before.every((e) => past[e.kind])) return;
        const write = writeOf(entry, posted);
        const after = {
          ...become({ ...posted, kind: 'ack' }),
          wbR: [...wbR, pending(write, entry, queuePair, surroundings)],
        };
        steps.push({ rule: 'deliver', entry, after });
        return;
      }
      case 'ack': {
        const words = pipe.filter((other) => other === entry || isOfThis(other));
        if (!oldest || words[0] !== entry || words.some((e) => e.kind !== 'ack')) return;
        const left = pipe.filter((other) => !words.includes(other));
        const after = completed(withStage(queuePair, 0, left), entry);
        steps.push({ rule: 'complete', entry, after });
        return;
      }
      case 'get': {
        const value = nicRead(entry.from, wbR, memory, pcie);
        if (value === undefined || !before.every((e) => past[e.kind])) return;
        const after = become({ ...posted, kind: 'fetched', location: entry.to, value });
        steps.push({ rule: 'read-remote', entry, found: value, after });
        return;
      }
      case 'atomic': {
        if (!before.every((e) => performedPast[e.kind])) return;
        const done = performed(entry, queuePair, surroundings);
        if (done === undefined) return;
        const { response, wbR, ...rest } = done;
        steps.push({ rule: 'perform', entry, ...rest, after: { ...become(response), wbR } });
        return;
      }
      case 'held':
        return;
      case 'fetched': {
        if (!oldest) return;
        const write = writeOf(entry, posted);
        const isLast = !pipe.some((other) => other !== entry && isOfThis(other));
        const completes = unordered && !entry.unsignalled ? ({ completes: true } as const) : {};
        const left = { ...rest(), wbL: [...wbL, { ...write, ...completes }] };
        const after = isLast && !unordered ? completed(left, entry) : left;
        steps.push({ rule: 'return', entry, after });
      }
    }
  });
  return [...steps, ...writeBackSteps(queuePair, surroundings)];
};

/** What a word writes at its end. */
const writeOf = (
  { location, value }: Pick<Write, 'location' | 'value'>,
  { operation }: Posted,
): Write => ({
  kind: 'write',
  location,
  value,
  ...(operation !== undefined && { operation }),
});
