import type { Edit } from './mutant.js';
import { filesOf, shippedText } from './text.js';

/** Where the things that are mutated stand in the model files. */

export type Union = 'ib' | 'ob';

/** The axioms that most models include, over `issued` and `observed`. */
const AXIOMS = 'rdma-axioms.cat';

const OBSERVED = 'let ob = (observed | [Inst] ; ib | (observed | [Inst] ; ib) ; (PX * PX))+';

/** A closed union, `ib` or `ob`, and where it stands. */
interface PlacedUnion {
  readonly file: string;
  readonly text: string;
  readonly head: string;
  readonly members: readonly string[];
}

/** Inserts definitions after all that the model makes of the tables, before `ib` uses them. */
export function beforeIb(model: string, definitions: string): Edit {
  const issued = placeOf(model, 'issued');
  const { file, head } =
    issued === undefined ? unionOf(model, 'ib') : { ...issued, head: 'let issued = ' };
  return { file, from: head, to: `${definitions}\n${head}` };
}

/**
 * `ib` or `ob` as a closed union, `(… | … | …)+`. Where a model states its axioms over `issued` and
 * `observed`, what these stand for is put in.
 */
export function unionOf(model: string, name: Union): PlacedUnion {
  const file = `${model}.cat`;
  const found = new RegExp(`((?:let|let rec|and) ${name} = )\\((.*)\\)\\+\\n`).exec(
    shippedText(file),
  );
  if (found !== null) {
    return { file, text: found[0].trimEnd(), head: found[1], members: membersOf(found[2]) };
  }
  const made = placeOf(model, name === 'ib' ? 'issued' : 'observed');
  if (made === undefined) throw new Error(`${model} does not define ${name} as a closed union`);
  const members = membersOf(made.union);
  return name === 'ib'
    ? { file: AXIOMS, text: 'let ib = issued+', head: 'let ib = ', members }
    : {
        file: AXIOMS,
        text: OBSERVED,
        head: 'let ob = ',
        members: [...members, '[Inst] ; ib'],
      };
}

/** Where a model defines `issued` or `observed`, and as what. */
function placeOf(
  model: string,
  name: 'issued' | 'observed',
): { readonly file: string; readonly union: string } | undefined {
  for (const file of filesOf(`${model}.cat`)) {
    const found = new RegExp(`^let ${name} = (.*)$`, 'm').exec(shippedText(file));
    if (found !== null) return { file, union: found[1] };
  }
  return undefined;
}

/** Redefines the union: with other members, or with another end than `+`. */
export function redefine(model: string, name: Union, members: readonly string[], end = '+'): Edit {
  const { file, text, head } = unionOf(model, name);
  const union = members.join(' | ');
  // A power cut is one moment, whatever else is in `ob`.
  const all = text === OBSERVED ? `${union} | (${union}) ; (PX * PX)` : union;
  return { file, from: text, to: `${head}(${all})${end}` };
}

/** The name of a member in mutants' names. */
const SHORT: Readonly<Record<string, string>> = {
  '(rf \\ rfb)': 'rf',
  '[nlW] ; pf': 'pf',
  '[nlW] ; wf': 'wf',
  '[Inst] ; ib': 'inst-ib',
  'ob ; [Inst]': 'ob-inst',
};

/** What `issr` is of differs between models. */
export const ISSR = /^issr\((.*)\)$/;

export const shortName = (member: string): string =>
  SHORT[member] ?? (ISSR.test(member) ? 'issr' : member);

/** The parts of a union that stand outside of parentheses. */
export function membersOf(union: string): readonly string[] {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= union.length; i++) {
    if (union[i] === '(') depth++;
    if (union[i] === ')') depth--;
    if (i === union.length || (union[i] === '|' && depth === 0)) {
      members.push(union.slice(start, i).trim());
      start = i + 1;
    }
  }
  return members;
}
