import { COMPLETION, nicRead, withStage, writeBackSteps } from './queue-pair.js';
import type { NicStep, QueuePairRules } from './queue-pair.js';
import type { Packet } from './state.js';

/** Which entries of `pipe` a put may overtake when it reads. */
const READS_PAST: Readonly<Record<Packet['kind'], boolean>> = {
  put: false,
  rfence: false,
  sent: true,
  get: true,
  fetched: true,
  ack: true,
};
/** Which entries a get may overtake when it reads, and a put when its value goes to `wbR`. */
const PAST: Readonly<Record<Packet['kind'], boolean>> = { ...READS_PAST, sent: false };

/** The transitions of the simplified semantics (TSO paper, Fig. 19): one buffer, `pipe`. */
export const simplified: QueuePairRules = (queuePair, memory, pcie) => {
  const [pipe] = queuePair.stages;
  const { wbR, wbL } = queuePair;
  const steps: NicStep[] = [];
  const become = (index: number, packet: Packet) =>
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
        if (!before.every((e) => PAST[e.kind])) return;
        const { location, value } = entry;
        const after = {
          ...become(index, { kind: 'ack' }),
          wbR: [...wbR, { kind: 'write', location, value } as const],
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
        if (value === undefined || !before.every((e) => PAST[e.kind])) return;
        const after = become(index, { kind: 'fetched', location: entry.to, value });
        steps.push({ rule: 'read-remote', entry, found: value, after });
        return;
      }
      case 'fetched': {
        if (!oldest) return;
        const { location, value } = entry;
        const write = { kind: 'write', location, value } as const;
        const after = { ...rest(), wbL: [...wbL, write, COMPLETION] };
        steps.push({ rule: 'return', entry, after });
      }
    }
  });
  return [...steps, ...writeBackSteps(queuePair)];
};
