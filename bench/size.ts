// A process that says how large a member of a family is: events, pairs of which it is open after bounds whether
// they are in reads-from, modification order or NIC flush order, and how large an encoding of it is.
import { openSession } from '../dist/check/session.js';
import { diffRel, pairs } from '../dist/model/relation/matrix.js';
import { prepare } from '../dist/rdma/prepare.js';
import { parseLitmus } from '../dist/index.js';
import { loadModelNamed } from '../dist/node/models.js';
import { FAMILIES } from './families.js';

const { family, k, acyclicity } = JSON.parse(process.argv[2]);
const model = loadModelNamed('rdma-tso').model.value;
const test = parseLitmus(FAMILIES[family](k)).value;
const { program } = prepare(test.program, model, 'smt').value;

let clauses = 0;
let edges = 0;
const counting = { addClause: () => (clauses += 1), addLess: () => (edges += 1) };
const session = openSession(program, model, () => counting, { acyclicity });
const { structure, bounds, encoding } = session;
// The query has clauses, too.
encoding.formula.assumption(encoding.condition(test.queries[0].condition));

const open = ['rf', 'mo', 'nfo'].map((name) => {
  const { may, must } = bounds.base.relations.get(name);
  return [...pairs(diffRel(may, must))].length;
});
const [rf, mo, nfo] = open;
console.log(
  JSON.stringify({ events: structure.events.length, pairs: { rf, mo, nfo }, clauses, edges }),
);
