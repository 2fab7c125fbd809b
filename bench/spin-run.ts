// A process that explores a lock under SC several times: states, the bytes of one on average, the bytes of all that is kept,
// and the seconds of each time.
import { codecOf } from '../dist/rdma/explore/codec.js';
import { EXPLORED_MODELS } from '../dist/rdma/explore/hardware.js';
import { layoutOf } from '../dist/rdma/explore/layout.js';
import type { Asked, Layout } from '../dist/rdma/explore/layout.js';
import type { Watch } from '../dist/rdma/explore/search.js';
import { explore } from '../dist/rdma/explore/search.js';
import { testAt } from './inputs.js';
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
const asked: Asked = {
  ...{ room: 4, resting: false, always: true, waits: [] },
  ...{ registers: new Set(), locations: new Set() },
};
const explored = (watch: (layout: Layout) => Watch) => {
  const layout = layoutOf(program, EXPLORED_MODELS.get('sc')!, asked);
  return explore(layout, watch(layout), false, {});
};
const seconds = range(runs).map(() => {
  const started = performance.now();
  explored(() => ({}));
  return round((performance.now() - started) / 1000);
});
let sum = 0;
const { states, size } = explored((layout) => {
  const codec = codecOf(layout);
  return { state: (s) => ((sum += codec.encode(s)), false) };
});
const found: SpinFound = { states, bytes: sum / states, size, seconds };
console.log(JSON.stringify(found));
