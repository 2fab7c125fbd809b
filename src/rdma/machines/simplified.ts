import { performed } from './atomics.js';
import { COMPLETION, nicRead, pending, withStage, writeBackSteps } from './queue-pair.js';
import type { NicStep, QueuePairRules } from './queue-pair.js';
import type { Packet, QueuePairState } from './state.js';

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

/** The transitions of the simplified semantics (TSO paper, Fig. 19): one buffer, `pipe`. Atomics are in addition. */
export const simplified: QueuePairRules = (queuePair, surroundings) => {
  const { memory, pcie, atomics } = surroundings;
  const past = atomics === 'out' ? PAST_ATOMICS : PAST;
  const performedPast = atomics === 'getfirst' ? PAST_NO_GET : past;
  const [pipe] = queuePair.stages;
  const { wbR, wbL } = queuePair;
  const steps: NicStep[] = [];
  const become = (index: number, packet: Packet): QueuePairState =>
    withStage(queuePair, 0, pipe.with(index, packet));
  const rest = () => withStage(queuePair, 0, pipe.slice(1));

  pipe.forEach((entry, index) => {
    const oldest = index === 0;
    const before = pipe.slice(0, index);
    switch (entry.kind) {
      case 'rfence':
        if (oldest) steps.push({ rule: 'fence', entry, after: rest() });
        return;
      case 'put': {
        const value = nicRead(entry.from, wbL, memory, pcie);
        if (value === undefined || !before.every((e) => READS_PAST[e.kind])) return;
        const after = become(index, { kind: 'sent', location: entry.to, value });
        steps.push({ rule: 'read-local', entry, found: value, after });
        return;
      }
      case 'sent': {
        if (!before.every((e) => past[e.kind])) return;
        const { location, value } = entry;
        const after = {
          ...become(index, { kind: 'ack' }),
          wbR: [
            ...wbR,
            pending({ kind: 'write', location, value }, entry, queuePair, surroundings),
          ],
        };
        steps.push({ rule: 'deliver', entry, after });
        return;
      }
      case 'ack':
        if (!oldest) return;
        steps.push({ rule: 'complete', entry, after: { ...rest(), wbL: [...wbL, COMPLETION] } });
        return;
      case 'get': {
        const value = nicRead(entry.from, wbR, memory, pcie);
        if (value === undefined || !before.every((e) => past[e.kind])) return;
        const after = become(index, { kind: 'fetched', location: entry.to, value });
        steps.push({ rule: 'read-remote', entry, found: value, after });
        return;
      }
      case 'atomic': {
        if (!before.every((e) => performedPast[e.kind])) return;
        const done = performed(entry, queuePair, surroundings);
        if (done === undefined) return;
        const { response, wbR, ...rest } = done;
        steps.push({ rule: 'perform', entry, ...rest, after: { ...become(index, response), wbR } });
        return;
      }
      case 'held':
        return;
      case 'fetched': {
        if (!oldest) return;
        const { location, value } = entry;
        const write = { kind: 'write', location, value } as const;
        const after = { ...rest(), wbL: [...wbL, write, COMPLETION] };
        steps.push({ rule: 'return', entry, after });
      }
    }
  });
  return [...steps, ...writeBackSteps(queuePair, surroundings)];
};
