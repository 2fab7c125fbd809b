import { performed } from './atomics.js';
import { COMPLETION, nicRead, pending, withStage, writeBackSteps } from './queue-pair.js';
import type { NicStep, QueuePairRules } from './queue-pair.js';
import type { Atomic, Packet, QueuePairState } from './state.js';

const [REQ_L, IN_R, OUT_R, RSP_L] = [0, 1, 2, 3];

/**
 * The transitions of the concrete semantics (TSO paper, Fig. 7, bottom, and Fig. 21): the steps G1-G6 of a get, P1-P5 of
 * a put, and remote fences. Each concerns the oldest entry of a buffer, except that a get can read the remote memory
 * anywhere in `outR`. An atomic passes through the buffers as a get does, but is performed as the oldest entry of `inR`.
 */
export const sixBuffers: QueuePairRules = (queuePair, surroundings) => {
  const { memory, pcie, atomics } = surroundings;
  const { stages, wbR, wbL } = queuePair;
  const [reqL, inR, outR, rspL] = stages;
  const steps: NicStep[] = [];

  const perform = (entry: Atomic, answered: (response: Packet) => QueuePairState): void => {
    const done = performed(entry, queuePair, surroundings);
    if (done === undefined) return;
    const { response, wbR, ...rest } = done;
    steps.push({ rule: 'perform', entry, ...rest, after: { ...answered(response), wbR } });
  };

  const request = reqL.at(0);
  switch (request?.kind) {
    case 'get': // G1
    case 'atomic':
      steps.push({ rule: 'forward', entry: request, after: forward(queuePair, REQ_L, request) });
      break;
    case 'put': {
      // P1
      const value = nicRead(request.from, wbL, memory, pcie);
      if (value === undefined) break;
      const sent = { kind: 'sent', location: request.to, value } as const;
      const after = forward(queuePair, REQ_L, sent);
      steps.push({ rule: 'read-local', entry: request, found: value, after });
      break;
    }
    case 'rfence':
      if ([inR, outR, rspL].some((buffer) => buffer.length > 0)) break;
      steps.push({
        rule: 'fence',
        entry: request,
        after: withStage(queuePair, REQ_L, reqL.slice(1)),
      });
      break;
    case 'sent':
    case 'fetched':
    case 'held':
    case 'ack':
      throw misplaced(request, 'reqL');
    case undefined:
  }

  const arrived = inR.at(0);
  switch (arrived?.kind) {
    case 'get': // G2
      steps.push({ rule: 'forward', entry: arrived, after: forward(queuePair, IN_R, arrived) });
      break;
    case 'sent': {
      // P2
      const { location, value } = arrived;
      const after = {
        ...forward(queuePair, IN_R, { kind: 'ack' }),
        wbR: [
          ...wbR,
          pending({ kind: 'write', location, value }, arrived, queuePair, surroundings),
        ],
      };
      steps.push({ rule: 'deliver', entry: arrived, after });
      break;
    }
    case 'atomic': {
      if (atomics === 'out') {
        steps.push({ rule: 'forward', entry: arrived, after: forward(queuePair, IN_R, arrived) });
      } else if (atomics !== 'getfirst' || !outR.some((e) => e.kind === 'get')) {
        perform(arrived, (response) => forward(queuePair, IN_R, response));
      }
      break;
    }
    case 'put':
    case 'rfence':
    case 'fetched':
    case 'held':
    case 'ack':
      throw misplaced(arrived, 'inR');
    case undefined:
  }

  outR.forEach((entry, index) => {
    if (entry.kind === 'atomic') {
      perform(entry, (response) => withStage(queuePair, OUT_R, outR.with(index, response)));
    }
    // G3
    if (entry.kind !== 'get') return;
    const value = nicRead(entry.from, wbR, memory, pcie);
    if (value === undefined) return;
    const fetched = { kind: 'fetched', location: entry.to, value } as const;
    const after = withStage(queuePair, OUT_R, outR.with(index, fetched));
    steps.push({ rule: 'read-remote', entry, found: value, after });
  });

  const leaving = outR.at(0);
  if (leaving?.kind === 'fetched' || leaving?.kind === 'ack') {
    // G4, P4
    steps.push({ rule: 'forward', entry: leaving, after: forward(queuePair, OUT_R, leaving) });
  }

  const response = rspL.at(0);
  switch (response?.kind) {
    case 'fetched': {
      // G5
      const { location, value } = response;
      const write = { kind: 'write', location, value } as const;
      const after = {
        ...withStage(queuePair, RSP_L, rspL.slice(1)),
        wbL: [...wbL, write, COMPLETION],
      };
      steps.push({ rule: 'return', entry: response, after });
      break;
    }
    case 'ack': {
      // P5
      const after = {
        ...withStage(queuePair, RSP_L, rspL.slice(1)),
        wbL: [...wbL, COMPLETION],
      };
      steps.push({ rule: 'complete', entry: response, after });
      break;
    }
    case 'get':
    case 'put':
    case 'atomic':
    case 'rfence':
    case 'sent':
    case 'held':
      throw misplaced(response, 'rspL');
    case undefined:
  }
  // G6, P3
  return [...steps, ...writeBackSteps(queuePair, surroundings)];
};

const misplaced = ({ kind }: Packet, buffer: string): Error =>
  new Error(`${buffer} never holds an entry of the kind '${kind}'`);

/** The oldest entry leaves a stage, and `packet` enters the next stage in its place. */
function forward(queuePair: QueuePairState, stage: number, packet: Packet): QueuePairState {
  const left = withStage(queuePair, stage, queuePair.stages[stage].slice(1));
  return withStage(left, stage + 1, [...queuePair.stages[stage + 1], packet]);
}
