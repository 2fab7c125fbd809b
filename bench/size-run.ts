// A process that says how large a member of a family is: events, pairs of which it is open after bounds whether
// they are in reads-from, modification order or NIC flush order, and how large an encoding of it is.
import { openSession } from '../dist/check/session.js';
import type { Acyclicity } from '../dist/encode/acyclicity/choice.js';
import { parseLitmus } from '../dist/index.js';
import { pairs } from '../dist/model/relation/bits.js';
import { diffRel } from '../dist/model/relation/matrix.js';
import { prepare } from '../dist/rdma/prepare.js';
import { counting } from './counting.js';
import { FAMILIES } from './families.js';
import { firstQuery, modelNamed, valueOf } from './inputs.js';
import { given } from './process.js';

export interface SizeGiven {
  readonly family: string;
  readonly k: number;
  readonly acyclicity: Acyclicity;
}

export interface Size {
  readonly events: number;
  readonly pairs: { readonly rf: number; readonly mo: number; readonly nfo: number };
  readonly clauses: number;
  readonly edges: number;
}

const { family, k, acyclicity } = given<SizeGiven>();
const model = modelNamed('rdma-tso');
const test = valueOf(parseLitmus(FAMILIES[family](k)));
const { program } = valueOf(prepare(test.program, model, 'smt'));

const { solver, counted } = counting();
const session = openSession(program, model, solver, { acyclicity });
if ('reason' in session) throw new Error(session.reason);
const { structure, bounds, encoding } = session;
// The query has clauses, too.
encoding.formula.assumption(encoding.condition(firstQuery(test).condition));

const open = (name: string): number => {
  const { may, must } = bounds.base.relations.get(name)!;
  return [...pairs(diffRel(may, must))].length;
};
const size: Size = {
  events: structure.events.length,
  pairs: { rf: open('rf'), mo: open('mo'), nfo: open('nfo') },
  ...counted(),
};
console.log(JSON.stringify(size));
