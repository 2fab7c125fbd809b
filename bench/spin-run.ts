// A process that explores a lock under SC several times: states, the bytes of one on average, the bytes of all that is kept,
// and the seconds of each time.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLitmus } from '../dist/index.js';
import { codecOf } from '../dist/rdma/explore/codec.js';
import { EXPLORED_MODELS } from '../dist/rdma/explore/hardware.js';
import { layoutOf } from '../dist/rdma/explore/layout.js';
import { explore } from '../dist/rdma/explore/search.js';
import { ROOT, range, round } from './process.js';

const { path, runs } = JSON.parse(process.argv[2]);
const { program } = parseLitmus(readFileSync(join(ROOT, path), 'utf8'), path).value;
/** As for a question whether two threads are in. */
const asked = {
  ...{ room: 4, resting: false, always: true, waits: [] },
  ...{ registers: new Set(), locations: new Set() },
};
const explored = (watch) => {
  const layout = layoutOf(program, EXPLORED_MODELS.get('sc'), asked);
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
console.log(JSON.stringify({ states, bytes: sum / states, size, seconds }));
