import type { LitmusExpr, LitmusFile, NameRef, Statement } from '../parse/litmus-ast.js';
import { unordered } from './accesses.js';
import type { Headed } from './edit/head.js';
import { questionOf } from './edit/head.js';
import type { Edit } from './edit/insert.js';
import { edited } from './edit/insert.js';
import { parseCFile } from './read.js';
import { blocksOf } from './sequences.js';

/** What may be asked of a program: how a place can end. */
export interface AskedOfFile {
  readonly text: string;
  readonly note?: string;
  readonly edits: readonly Edit[];
}

/** So many questions are enough to begin with. */
const MOST = 8;

/** Questions to begin with: whether a place that is written ends with a value that it may have. The last one asks for all of them. */
export function questionsFor(file: Headed): readonly AskedOfFile[] {
  const ask = (text: string, note?: string): AskedOfFile => ({
    text,
    ...(note !== undefined && { note }),
    edits: [questionOf(file, text)],
  });
  const subjects = subjectsOf(file);
  const asked = readable(file, subjects);
  const single = asked.flatMap(({ name, values }) =>
    [...values].map((value) => ask(`exists (${name} == ${value})`)),
  );
  const names = asked.map(({ name }) => name);
  const all = ask(`locations [${names.join('; ')}]`, 'all ends that there are');
  return [...single.slice(0, MOST), ...(names.length > 0 ? [all] : [])];
}

/** Those that can be asked about; if none can, the file has other mistakes, and all of them are. To read it once is quicker than to read it for each. */
function readable(file: Headed, subjects: readonly Subject[]): readonly Subject[] {
  const names = subjects.map(({ name }) => name);
  if (isRead(file, names)) return subjects;
  const good = subjects.filter(({ name }) => isRead(file, [name]));
  return good.length > 0 ? good : subjects;
}

/** What a program is that lists places. */
const listing = (file: Headed, names: readonly string[]): LitmusFile | undefined => {
  const { source } = file;
  const text = edited(source.text, [questionOf(file, `locations [${names.join('; ')}]`)])?.text;
  return text === undefined ? undefined : parseCFile({ ...source, text }).value;
};

/** Whether names are those of the program that asks for them: what is asked for is in a register. */
function isRead(file: Headed, names: readonly string[]): boolean {
  const program = listing(file, names);
  if (program === undefined) return false;
  const written = program.threads.flatMap(({ name, body }) =>
    writesIn(body, name.text).map(({ target }) => `${name.text}:${target.name.text}`),
  );
  return names.every((name) => !name.includes(':') || written.includes(name));
}

/** A place that can be asked about, and values that it may have. */
interface Subject {
  readonly name: string;
  readonly values: ReadonlySet<number>;
}

function subjectsOf(file: Headed): readonly Subject[] {
  const { nodes } = file.head.litmus;
  const first = new Map(
    nodes.flatMap(({ locations }) =>
      locations.map(({ name, value }) => [name.text, value] as const),
    ),
  );
  const [any] = first.keys();
  const program = any === undefined ? undefined : listing(file, [any]);
  const written = program === undefined ? [] : writtenIn(program);
  if (written.length === 0) {
    const values = new Set(first.values());
    return [...first.keys()].map((name) => ({ name, values }));
  }
  return written;
}

/** An assignment of one word. */
interface Write {
  readonly thread: string;
  readonly target: NameRef;
  readonly value: LitmusExpr;
  /** The first operand of a call: of other calls than atomics, that is a node. */
  readonly isOperand?: true;
}

/** The places that a program writes: those of other nodes first, as they are what requests are for. */
function writtenIn({ nodes, threads }: LitmusFile): readonly Subject[] {
  const all = threads.flatMap(({ name, body }) => writesIn(body, name.text));
  const values = new Map(
    nodes.flatMap(({ locations }) =>
      locations.map(({ name, value }) => [name.text, new Set([value])] as const),
    ),
  );
  const isShared = ({ target }: Write): boolean => values.has(target.name.text);
  const writes = all.filter((one) => one.isOperand === undefined || isShared(one));
  // What is written may be what was written elsewhere: twice is as far as first questions go.
  for (let round = 0; round < 2; round++) {
    for (const { target, value } of writes) {
      const own = values.get(target.name.text);
      for (const one of valuesOf(value, values)) own?.add(one);
    }
  }
  const subjects = new Map<string, Subject>();
  const rank = (one: Write): number => (one.target.node !== undefined ? 0 : isShared(one) ? 2 : 1);
  for (const one of [...writes].sort((a, b) => rank(a) - rank(b))) {
    const { thread, target, value } = one;
    const { text } = target.name;
    const name = isShared(one) ? text : `${thread}:${text}`;
    const own = values.get(text) ?? valuesOf(value, values);
    if (own.size > 1 || isShared(one))
      subjects.set(name, subjects.get(name) ?? { name, values: own });
  }
  return [...subjects.values()];
}

const valuesOf = (
  value: LitmusExpr,
  known: ReadonlyMap<string, ReadonlySet<number>>,
): ReadonlySet<number> => {
  if (value.kind === 'int') return new Set([value.value]);
  return (value.kind === 'ref' ? known.get(value.ref.name.text) : undefined) ?? new Set();
};

function writesIn(body: readonly Statement[], thread: string): readonly Write[] {
  return body.map(unordered).flatMap((one): readonly Write[] => {
    if (one.kind === 'assign') return [{ thread, target: one.target, value: one.value }];
    if (one.kind === 'call') return changedBy(one, thread);
    return blocksOf(one).flatMap((block) => writesIn(block, thread));
  });
}

/** An atomic changes its first operand, to the last one if it is a compare-and-swap. */
function changedBy(
  { arguments: given = [], target }: Extract<Statement, { readonly kind: 'call' }>,
  thread: string,
): readonly Write[] {
  const [first] = given;
  const value = given.at(-1);
  if (first?.kind !== 'ref' || value === undefined) return [];
  if (value.kind === 'peer' || value.kind === 'nodes') return [];
  const changed = { thread, target: first.ref, value, isOperand: true } as const;
  return target === undefined ? [changed] : [changed, { thread, target, value: first }];
}
