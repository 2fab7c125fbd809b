import { structureFor } from '../../check/structure.js';
import type { InstructionSet } from '../../model/instructions/set.js';
import { foldedTerms } from '../../model/narrow.js';
import { termNames } from '../../model/print.js';
import type { TableEntry } from '../../model/table-entries.js';
import { equalTableEntries, withoutTableEntries } from '../../model/table-entries.js';
import type { Model } from '../../model/term.js';
import { emptyBases } from '../../program/events/narrow.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import { draftOf } from '../../rdma/classes/draft.js';
import type { ShapedCall, ShapedLocation } from '../../rdma/classes/shape.js';
import { writeDraft } from '../../rdma/classes/write.js';
import { adapt } from '../../rdma/translate.js';
import { testOf } from '../by-size/programs.js';

/** An axiom of a model, or an entry of its tables. */
export interface ModelPart {
  readonly kind: 'axiom' | 'entry';
  /** Of an axiom, its name; of an entry, its text: `po & (CPU * CPU)`. */
  readonly name: string;
  /** Of an entry, the tables that it is in. */
  readonly tables: readonly string[];
}

/** A part, and the model without it. */
export interface WithoutPart extends ModelPart {
  readonly model: Model;
}

/** The axioms and entries that programs of some letters may come to. An entry that stands in several tables is one part. */
export function partsOf(
  model: Model,
  made: Alphabet,
  instructions: InstructionSet,
): readonly WithoutPart[] {
  const empty = impossible(model, made, instructions);
  const left = foldedTerms(model.terms, (name) => empty.has(name)).terms;
  const axioms = model.axioms.flatMap((axiom, i): readonly WithoutPart[] => {
    if (axiom.flag || left[axiom.term].op === 'empty') return [];
    const others = model.axioms.filter((_, other) => other !== i);
    return [{ kind: 'axiom', name: axiom.name, tables: [], model: { ...model, axioms: others } }];
  });
  const names = termNames(model);
  const entries = equalTableEntries(model)
    .filter(([{ term }]) => left[term].op !== 'empty')
    .map((cells): WithoutPart => ({
      ...{ kind: 'entry', name: names.body(cells[0].term), tables: tablesOf(cells) },
      model: withoutTableEntries(model, cells),
    }));
  return [...axioms, ...entries];
}

const tablesOf = (cells: readonly TableEntry[]): readonly string[] => [
  ...new Set(cells.map(({ table }) => table)),
];

/** The sets and guesses that no program of some letters has anything in. */
function impossible(
  model: Model,
  made: Alphabet,
  instructions: InstructionSet,
): ReadonlySet<string> {
  const test = testOf(writeDraft(draftOf(everything(made), made), made, 'all'), instructions);
  const adapted = adapt(test.program, model);
  if (!adapted.ok) return new Set();
  const structure = structureFor(adapted.value.program, model);
  return 'reason' in structure ? new Set() : emptyBases(structure);
}

/** A program with a call of each letter, those at the end that take what others leave, and a location of each kind. */
function everything({ letters, marks }: Alphabet) {
  const locations: ShapedLocation[] = marks.map((_, i) => ({ node: 0, mark: i + 1 }));
  const order = [...letters.keys()].sort(
    (a, b) => Number(letters[a].takes) - Number(letters[b].takes) || a - b,
  );
  const calls = order.map((letter): ShapedCall => {
    const { slots, onPair } = letters[letter];
    const places = slots.flatMap(({ kind }) => {
      if (kind !== 'here' && kind !== 'there') return [];
      return [locations.push({ node: kind === 'here' ? 0 : 1, mark: 0 }) - 1];
    });
    return { letter, ...(onPair && { to: 1 }), places };
  });
  return { threads: [{ node: 0, calls }], nodes: 2, locations };
}
