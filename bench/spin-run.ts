// A process that explores a lock under SC several times: states, the bytes of one on average, the bytes of all that is kept,
// and the seconds of each time.
import { askedAlways } from '../dist/explore/asked.js';
import { codecOf } from '../dist/explore/codec.js';
import { machineOf } from '../dist/explore/prepare.js';
import type { Explored, Watch } from '../dist/explore/search.js';
import { explore } from '../dist/explore/search.js';
import type { Machine } from '../dist/machine/machine.js';
import { modelNamed, testAt } from './inputs.js';
import { given, range, round } from './process.js';

export interface SpinGiven {
  /** From the root. */
  readonly path: string;
  readonly runs: number;
}

export interface SpinFound {
  readonly states: number;
  readonly bytes: number;
  readonly size: number;
  readonly seconds: readonly number[];
}

const { path, runs } = given<SpinGiven>();
const { program } = testAt(path);
/** As for a question whether two threads are in. */
const explored = (watch: (machine: Machine) => Watch): Explored => {
  const asked = { ...askedAlways([]), room: 4, resting: false, reduces: true };
  const machine = machineOf(program, modelNamed('sc'), asked);
  if ('message' in machine) throw new Error(machine.message);
  return explore(machine, watch(machine), false, {});
};
const seconds = range(runs).map(() => {
  const started = performance.now();
  explored(() => ({}));
  return round((performance.now() - started) / 1000);
});
let sum = 0;
const { states, size } = explored((machine) => {
  const codec = codecOf(machine);
  return { state: (s) => ((sum += codec.encode(s)), false) };
});
const found: SpinFound = { states, bytes: sum / states, size, seconds };
console.log(JSON.stringify(found));
