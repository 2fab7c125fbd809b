// A process that says how large a member of a family is: events, and pairs of which it is open after
// bounds whether they are in reads-from, modification order or NIC flush order.
import { computeBounds } from '../dist/encode/bounds/bounds.js';
import { unroll } from '../dist/program/events/unroll.js';
import { parseLitmus } from '../dist/index.js';
import { loadModelNamed } from '../dist/node/models.js';
import { diffRel, pairs } from '../dist/model/relation/matrix.js';
import { FAMILIES } from './families.js';

const { family, k } = JSON.parse(process.argv[2]);
const model = loadModelNamed('rdma-tso').model.value;
const { program } = parseLitmus(FAMILIES[family](k)).value;
const structure = unroll(program);
const { bounds } = computeBounds(structure, model);
const open = ['rf', 'mo', 'nfo'].map((name) => {
  const { may, must } = bounds.base.relations.get(name);
  return [...pairs(diffRel(may, must))].length;
});
const [rf, mo, nfo] = open;
console.log(JSON.stringify({ events: structure.events.length, pairs: { rf, mo, nfo } }));
