import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { askedAlways } from '../../src/explore/asked.js';
import { codecOf } from '../../src/explore/codec.js';
import { machineOf } from '../../src/explore/prepare.js';
import { explore } from '../../src/explore/search.js';
import type { Machine } from '../../src/machine/machine.js';
import { modelOf } from '../support/checker.js';
import { testUnder } from '../support/explored.js';
import { litmus } from '../support/litmus.js';

/** What is not part of a state's bytes does not matter: whatever numbers are there, the same steps lead to the same states. */

const LIMIT = 400;

function machineFor(name: string, model: string, reduces: boolean): Machine {
  const { program } = testUnder(litmus(readFileSync(`corpus/locks/${name}.litmus`, 'utf8')), model);
  const asked = { ...askedAlways([]), reduces, resting: true, room: 4 };
  const machine = machineOf(program, modelOf(model), asked);
  if ('message' in machine) throw new Error(machine.message);
  return machine;
}

test.each([
  ['tas', 'rdma-tso'],
  ['mcs', 'rdma-tso'],
  ['peterson', 'rdma-tso-nopcie'],
  ['sherman', 'rdma-ro'],
  ['alock-1-2-data', 'rdma-tso'],
  ['ticket-lock', 'rdma-manpage'],
])('%s under %s', (name, model) => {
  for (const reduces of [true, false]) {
    const machine = machineFor(name, model, reduces);
    const codec = codecOf(machine);
    const bytesOf = (s: Int32Array): string => [...codec.bytes.subarray(0, codec.encode(s))].join();
    const states: Int32Array[] = [];
    const state = (s: Int32Array): boolean => {
      states.push(s.slice());
      return false;
    };
    explore(machine, { state }, false, { states: LIMIT });
    const { memory, program } = machine.layout;
    const constants = [...program.locations.keys()].filter((l) => machine.free.isConstant(l));
    const stepsFrom = (s: Int32Array): readonly string[] => {
      const found: string[] = [];
      machine.successors(s, (actor) => found.push(`${actor}: ${bytesOf(machine.s)}`));
      return found.sort();
    };
    for (const s of states) {
      // Other numbers everywhere, and then what the bytes say.
      const other = new Int32Array(s.length).fill(77);
      for (const l of constants) other[memory + l] = s[memory + l];
      codec.encode(s);
      codec.decode(codec.bytes.slice(), 0, other);
      expect(stepsFrom(other)).toEqual(stepsFrom(s));
    }
    expect(states.length).toBeGreaterThan(50);
  }
});
