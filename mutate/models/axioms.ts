import type { Change } from './mutant.js';
import type { Union } from './places.js';
import { membersOf, redefine, shortName, unionOf } from './places.js';
import { REPLACEMENTS } from './replacements/index.js';
import { filesOf, shippedText } from './text.js';

/** Mutants that drop an axiom, and those of what single models have. */

/** Each axiom dropped; something that always holds is left in its place. */
export function axiomChanges(model: string): readonly Change[] {
  return filesOf(`${model}.cat`).flatMap((file) => {
    const lines = [...shippedText(file).matchAll(/^(?:acyclic|irreflexive|empty) .* as (\S+)$/gm)];
    return lines.map(([line, name]): Change => ({
      name: `axiom-${name}`,
      what: `axiom ${name} dropped`,
      edits: [{ file, from: line, to: `empty 0 as ${name}` }],
      direction: 'weaker',
    }));
  });
}

/** Mutants of what only one model has, or uses. */
export function ownChanges(model: string): readonly Change[] {
  const own = (REPLACEMENTS[model] ?? []).map(([name, what, from, to, direction]) => ({
    name,
    what,
    edits: [{ file: fileWith(model, from), from, to }],
    direction,
  }));
  if (model === 'x86-tso-textbook') return [...own, ...x86Cells()];
  return model === 'rdma-tso-glob' ? [...own, ...apart()] : own;
}

/** The model's own file, or the one that it includes with this text in it. */
const fileWith = (model: string, text: string): string =>
  filesOf(`${model}.cat`).find((file) => shippedText(file).includes(text)) ?? `${model}.cat`;

/** Under GLOB: the parts of an atomic apart in `ib`; in `ob`; in one or two members of `ob`. */
function apart(): readonly Change[] {
  const model = 'rdma-tso-glob';
  const partsOf = (union: Union) => {
    const [contracted, ...others] = unionOf(model, union).members;
    return { inside: membersOf(/^contract\((.*)\)$/.exec(contracted)![1]), others };
  };
  const membersIn = (union: Union): readonly string[] => partsOf(union).inside;
  const change = (union: Union, name: string, without: readonly string[]): Change => {
    const { inside, others } = partsOf(union);
    const rest = inside.filter((m) => !without.includes(m));
    const contracted = rest.length === 0 ? [] : [`contract(${rest.join(' | ')})`];
    return {
      name: `${union}-apart${name}`,
      what: `the parts of an atomic apart in ${without.join(' and ')}, in ${union}`,
      edits: [redefine(model, union, [...contracted, ...without, ...others])],
      direction: 'weaker',
    };
  };
  return [
    change('ib', '', membersIn('ib')),
    change('ob', '', membersIn('ob')),
    change('ob', '-rb-and-mo', ['rb', 'mo']),
    ...membersIn('ob').map((member) => change('ob', `-${shortName(member)}`, [member])),
  ];
}

/** The CPU's cells of x86-TSO's preserved program order. */
function x86Cells(): readonly Change[] {
  const labels = ['lR', 'lW', 'CAS', 'F'];
  const from = 'let ppo = po \\ (idle * _) \\ (lW * lR)';
  return labels.flatMap((row) =>
    labels.map((column): Change => {
      const there = row === 'lW' && column === 'lR';
      return {
        name: `ppo-${row}-${column}`,
        what: `ppo ${row} ${column} ${there ? 'added' : 'dropped'}`,
        edits: [
          {
            file: 'x86-tso-textbook.cat',
            from,
            to: there ? 'let ppo = po' : `${from} \\ (${row} * ${column})`,
          },
        ],
        direction: there ? 'stronger' : 'weaker',
      };
    }),
  );
}
