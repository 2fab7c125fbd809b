import type { LocationId } from '../../program/program.js';
import { subjectName } from '../../program/subjects.js';
import { keyOf, towardsInWords } from '../instructions.js';
import type { Layout, Request } from './layout.js';
import type { Op, Slot } from './op.js';

/** Hears of the steps of a machine, and tells them in words. */
export interface Teller {
  /** What was told since is forgotten. */
  begin(): void;
  set(t: number, slot: Slot): void;
  asserts(t: number, op: Op): void;
  pass(t: number, op: Op): void;
  stop(t: number, op: Op): void;
  read(t: number, location: LocationId, value: number, buffered: boolean): void;
  write(t: number, location: LocationId, value: number): void;
  update(
    t: number,
    kind: 'cas' | 'faa' | 'xchg',
    location: LocationId,
    found: number,
    expected: number,
    writes: boolean,
  ): void;
  fence(t: number): void;
  poll(t: number, q: number): void;
  request(t: number, q: number, request: number, a: number, b: number): void;
  drain(t: number, location: LocationId, value: number): void;
  nic(
    q: number,
    rule:
      | 'fence'
      | 'read-local'
      | 'deliver'
      | 'read-remote'
      | 'return'
      | 'flush-local'
      | 'flush-remote',
    location: LocationId,
    value: number,
  ): void;
  perform(
    q: number,
    kind: Request['kind'],
    location: LocationId,
    found: number,
    writes: number | undefined,
  ): void;
}

/** Tells steps as lines of text, in the order in which they are taken. */
export function tellerInto(lines: string[], layout: Layout, s: Int32Array): Teller {
  const { program, queuePairs, requests, hardware } = layout;
  const name = (t: number): string => program.threads[t].name;
  const place = (location: LocationId): string => {
    const { hidden, initial } = program.locations[location];
    return hidden === true ? `${initial}` : subjectName(program, { kind: 'location', location });
  };
  const owner = (q: number): string => `${name(queuePairs[q].thread)}->${keyOf(queuePairs[q])}`;
  const towards = (q: number): string => keyOf(queuePairs[q]);
  const buffer = hardware.storeBuffers ? 'its store buffer' : 'memory';
  return {
    begin: () => (lines.length = 0),
    set(t, slot) {
      const isGhost = layout.ghosts.includes(slot);
      const what = isGhost ? `ghost ${layout.nameOf(slot)}` : layout.nameOf(slot).split(':')[1];
      lines.push(`${name(t)} sets ${what} = ${s[slot]}`);
    },
    asserts: (t) => lines.push(`${name(t)}'s assertion fails`),
    pass: (t, { leaves }) => {
      if (leaves !== '') lines.push(`${name(t)} is at ${leaves}`);
    },
    stop: (t, { leaves }) => {
      if (leaves !== '') lines.push(`${name(t)} leaves ${leaves}`);
    },
    read(t, location, value, buffered) {
      const where = buffered ? ' in its store buffer' : '';
      lines.push(`${name(t)} reads ${place(location)} = ${value}${where}`);
    },
    write: (t, location, value) =>
      lines.push(`${name(t)} writes ${place(location)} := ${value} to ${buffer}`),
    update(t, kind, location, found, expected, writes) {
      const word = kind === 'cas' ? 'CAS' : kind;
      const what = `${name(t)}'s ${word} finds ${place(location)} = ${found}`;
      lines.push(
        writes
          ? `${what} and writes ${s[layout.memory + location]} to memory`
          : `${what}, not ${expected}`,
      );
    },
    fence: (t) => lines.push(`${name(t)} passes its mfence`),
    poll: (t, q) =>
      lines.push(`${name(t)} polls a completion from ${towardsInWords(queuePairs[q])}`),
    request(t, q, request, a, b) {
      const { kind, from, to } = requests[request];
      const far = (l: LocationId) => `${place(l)}^${towards(q)}`;
      const what =
        kind === 'put'
          ? `${far(to)} := ${place(from)}`
          : kind === 'get'
            ? `${place(to)} := ${far(from)}`
            : kind === 'rfence'
              ? `rfence(${towards(q)})`
              : `${place(to)} := ${kind}(${far(from)}, ${kind === 'rcas' ? `${a}, ${b}` : a})`;
      lines.push(`${name(t)} posts ${what}`);
    },
    drain: (t, location, value) =>
      lines.push(`${name(t)}'s store buffer writes ${place(location)} := ${value} to memory`),
    nic(q, rule, location, value) {
      switch (rule) {
        case 'fence':
          lines.push(`${owner(q)} is done with a remote fence`);
          return;
        case 'read-local':
        case 'read-remote':
          if (program.locations[location].hidden !== true) {
            lines.push(`${owner(q)} reads ${place(location)} = ${value}`);
          }
          return;
        case 'deliver':
          lines.push(`${owner(q)} delivers ${place(location)} := ${value} to wbR`);
          return;
        case 'return':
          return;
        case 'flush-local':
        case 'flush-remote':
          lines.push(`${owner(q)} writes ${place(location)} := ${value} to memory`);
      }
    },
    perform(q, kind, location, found, writes) {
      const { thread, node } = queuePairs[q];
      const what = `${name(thread)}'s ${kind}(${place(location)})`;
      lines.push(
        `the NIC of node ${node} performs ${what}: reads ${found}, writes ${writes ?? 'nothing'}`,
      );
    },
  };
}
