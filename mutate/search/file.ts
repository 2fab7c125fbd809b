import type { Difference } from '../evaluate/compare.js';
import { MODELS } from '../models/index.js';
import type { Mutant } from '../models/mutant.js';
import type { Condition } from './conditions.js';
import { changeOf, valuesOf } from './conditions.js';
import type { Small } from './programs.js';
import { write } from './text.js';

/** A mutant that a program tells from its model, and by which final states. */
export interface Guarded {
  readonly mutant: Mutant;
  /** Places of the model and, among the model's, of the mutant. */
  readonly m: number;
  readonly k: number;
  readonly states: ReadonlySet<string>;
  readonly difference: Difference;
}

/** The text of a litmus file that guards mutants. */
export function fileOf(
  name: string,
  program: Small,
  subjects: readonly string[],
  conditions: readonly Condition[],
  guarded: readonly Guarded[],
  states: readonly (ReadonlySet<string> | undefined)[],
): string {
  const { nodes, threads } = write(program);
  const shown = conditions.map((condition) => {
    const atoms = [...condition].map(([place, value]) => `${subjects[place]} = ${value}`);
    return `(${atoms.length === 0 ? 'true' : atoms.join(' /\\ ')})`;
  });
  const main = guarded.find((g) => g.mutant.name === name.replace(/-again$/, ''))!;
  const queries = conditions.map((condition, i) =>
    [`exists ${shown[i]}`, ...expectations(condition, states)].join('\n'),
  );
  return [
    `RDMA ${name}`,
    `"${main.mutant.what}"`,
    guards(guarded, conditions, shown).join('\n'),
    nodes.join('\n'),
    columns(threads),
    ...queries,
  ]
    .join('\n\n')
    .replace('\n\n"', '\n"')
    .replace('"\n\n#', '"\n#')
    .concat('\n');
}

/** One line for each mutant and the models that it is of, and one for what changes. */
function guards(
  guarded: readonly Guarded[],
  conditions: readonly Condition[],
  shown: readonly string[],
): readonly string[] {
  const lines = new Map<string, { readonly change: string; readonly models: string[] }>();
  for (const g of guarded) {
    const i = conditions.findIndex((condition) => changeOf(condition, g) !== undefined);
    const change = `#   ${g.mutant.what}: ${shown[i]} becomes ${changeOf(conditions[i], g)}`;
    const key = `${g.mutant.name} ${change}`;
    if (!lines.has(key)) lines.set(key, { change, models: [] });
    lines.get(key)!.models.push(g.mutant.model);
  }
  return [...lines].flatMap(([key, { change, models }]) => [
    `# guards ${key.split(' ')[0]} under ${models.join(', ')}`,
    change,
  ]);
}

function expectations(
  condition: Condition,
  states: readonly (ReadonlySet<string> | undefined)[],
): readonly string[] {
  const verdicts = states.map((set) => {
    if (set === undefined || set.size === 0) return undefined;
    const meets = (state: string): boolean => {
      const values = valuesOf(state);
      return [...condition].every(([place, value]) => values[place] === value);
    };
    return [...set].some(meets) ? 'allowed' : 'forbidden';
  });
  return ['allowed', 'forbidden'].flatMap((verdict) => {
    const models = MODELS.filter((_, m) => verdicts[m] === verdict);
    return models.length === 0 ? [] : [`  computed ${verdict} under ${models.join(', ')}`];
  });
}

/** Threads as the papers' figures have them; a single one as a block. */
function columns(threads: ReturnType<typeof write>['threads']): string {
  if (threads.length === 1) {
    const [{ name, node, body }] = threads;
    return `thread ${name} on ${node} {\n${body.map((line) => `  ${line}`).join(';\n')}\n}`;
  }
  const cells = threads.map(({ name, node, body }) => [`${name}@${node}`, ...body]);
  const widths = cells.map((column) => Math.max(...column.map((cell) => cell.length)));
  const rows = Math.max(...cells.map((column) => column.length));
  return Array.from({ length: rows }, (_, row) => {
    const line = cells.map((column, i) => (column[row] ?? '').padEnd(widths[i]));
    return `${line.join(' | ')} ;`;
  }).join('\n');
}
