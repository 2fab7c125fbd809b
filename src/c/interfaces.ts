import { once } from '../parse/once.js';
import type { Table } from './tables.js';
import { tableOf } from './tables.js';

/** What an interface does over one queue pair, and what it promises. */
export const READINGS: readonly string[] = ['verbs', 'contract'];

/** The table of an interface (models/api). It is read where a file needs it. */
interface Interface {
  /** @throws Error if it has a mistake: it comes with the program */
  readonly table: () => Table;
  /** What the names in it begin with, or are. */
  readonly begins: () => readonly string[];
}

let interfaces: ReadonlyMap<string, Interface> = new Map();

/** Says what the tables are: the texts of files, by their names. */
export function setInterfaces(given: ReadonlyMap<string, string>): void {
  interfaces = new Map(
    [...given].map(([name, text]) => [
      name,
      { table: once(() => checked(name, text)), begins: once(() => beginnings(text)) },
    ]),
  );
}

export const interfaceNames = (): readonly string[] => [...interfaces.keys()];

export const interfaceOf = (name: string): Table => interfaces.get(name)!.table();

/** The tables that may know some of the words of a file, by the names of their interfaces. */
export function interfacesOf(words: ReadonlySet<string>): ReadonlyMap<string, Table> {
  const all = [...words];
  return new Map(
    [...interfaces]
      .filter(([, { begins }]) => begins().some((one) => all.some((word) => word.startsWith(one))))
      .map(([name, { table }]) => [name, table()]),
  );
}

/** Names up to where they go on in several ways: `shmem_{int,long}_put`. */
const beginnings = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(/^[ \t]*(?:\[\w+\][ \t]*)?(?:call|await|constant)[ \t]+(\w*)/gm)].map(
      ([, name]) => name,
    ),
  ),
];

function checked(name: string, text: string): Table {
  const table = tableOf({ path: name, text }, true);
  const [mistake] = table.errors;
  if (mistake === undefined) return table;
  const { start, end } = mistake.span;
  throw new Error(`models/api/${name}.api: ${mistake.message}: ${text.slice(start, end)}`);
}
