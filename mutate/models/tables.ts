import type { Model } from '../../src/model/term.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import * as m from '../../src/model/relation/matrix.js';
import type { Change, Direction } from './mutant.js';
import { beforeIb } from './places.js';
import { dependsOn } from '../../src/model/depends.js';

/**
 * Mutants of the two tables of preserved program order (TSO paper, Fig. 9; `nAR`: docs/atomics.md), cell by cell: an entry
 * that is there is dropped, one that is not is added. An entry that holds on one queue pair is also
 * widened to the thread, and one from a poll to the NIC narrowed to the poll's queue pair. As the
 * tables mostly say the same, many entries of one table are implied by the other; so what both have
 * is changed in both at once, too.
 */

export type Table = 'ippo' | 'oppo';

/** An entry: ordered in the thread, on the same queue pair, or not at all. */
export type Entry = 'y' | 'q' | '-';

/** `FAA` and `XCHG` stand in the tables through the set `CPU` only: see conditions.ts. */
const CPU = ['lR', 'lW', 'CAS', 'F'] as const;
const NIC = ['nlR', 'nrW', 'nrR', 'nAR', 'nlW', 'nF'] as const;

/** The labels of rows and columns: polls or waits, as the model has them. */
export const labelsOf = (model: Model): readonly string[] => [
  ...CPU,
  dependsOn(model, 'wf') ? 'WT' : 'P',
  ...NIC,
];

/** The entry of a table, read off the model: is a lone pair of such events in the relation? */
export function entryOf(model: Model, table: Table, row: string, column: string): Entry {
  const definition = model.definitions.findLast((d) => d.name === table);
  if (definition === undefined) throw new Error(`${model.name} defines no ${table}`);
  const ordered = (sqp: boolean): boolean => {
    const related = m.relOf(2, [[0, 1]]);
    const both = m.relOf(2, [
      [0, 1],
      [1, 0],
      [0, 0],
      [1, 1],
    ]);
    const nothing = m.emptyRel(2);
    const known = new Map([
      ['po', related],
      ['sthd', both],
      ['sqp', sqp ? both : nothing],
    ]);
    const relations = { get: (name: string) => known.get(name) ?? nothing };
    const { labels } = model.instructions;
    const performer = (name: string) => labels.find((label) => label.name === name)?.by;
    const isIn = (set: string) => (label: string) =>
      set === label || set === performer(label)?.toUpperCase();
    const sets = {
      get: (set: string) =>
        m.setOf(
          2,
          [row, column].flatMap((label, i) => (isIn(set)(label) ? [i] : [])),
        ),
    };
    const { rel } = evaluate({ ...model, axioms: [] }, { size: 2, sets, relations });
    return m.related(rel(definition.term), 0, 1);
  };
  if (ordered(false)) return 'y';
  return ordered(true) ? 'q' : '-';
}

/** The mutants of every cell: in one table, and in both where both have an entry. */
export function cellChanges(model: Model): readonly Change[] {
  const labels = labelsOf(model);
  return labels.flatMap((row) =>
    labels.flatMap((column) => {
      const ippo = entryOf(model, 'ippo', row, column);
      const oppo = entryOf(model, 'oppo', row, column);
      const both = ippo !== '-' && oppo !== '-';
      return [
        ...changesOf(model, ['ippo'], row, column, ippo),
        ...changesOf(model, ['oppo'], row, column, oppo),
        ...(both ? changesOf(model, ['ippo', 'oppo'], row, column, ippo) : []),
      ];
    }),
  );
}

function changesOf(
  model: Model,
  tables: readonly Table[],
  row: string,
  column: string,
  entry: Entry,
): readonly Change[] {
  const name = `${tables.length === 1 ? tables[0] : 'both'}-${row}-${column}`;
  const cell = `${tables.join(' and ')} ${row} ${column}`;
  const pairs = (order: string) => `(${order} & (${row} * ${column}))`;
  const change = (
    suffix: string,
    what: string,
    operation: string,
    direction: Direction,
  ): Change => {
    const definitions = tables.map((table) => `let ${table} = ${table} ${operation}`);
    return {
      name: `${name}${suffix}`,
      what: `${cell} ${what}`,
      edits: [beforeIb(model.name, definitions.join('\n'))],
      direction,
      cell: [row, column],
    };
  };
  switch (entry) {
    case 'y': {
      const drop = change('', 'dropped', `\\ ${pairs('po')}`, 'weaker');
      if (row !== 'P' || !isNic(column)) return [drop];
      const apart = pairs('(po \\ sqp)');
      return [drop, change('-narrow', 'on the same queue pair only', `\\ ${apart}`, 'weaker')];
    }
    case 'q':
      return [
        change('', 'dropped', `\\ ${pairs('po')}`, 'weaker'),
        change('-wide', 'on any queue pair', `| ${pairs('po')}`, 'stronger'),
      ];
    case '-': {
      const order = hasQueuePair(row) && hasQueuePair(column) ? 'qpo' : 'po';
      return [change('', 'added', `| ${pairs(order)}`, 'stronger')];
    }
  }
}

const isNic = (label: string): boolean => NIC.some((l) => l === label);
const hasQueuePair = (label: string): boolean => label === 'P' || isNic(label);
