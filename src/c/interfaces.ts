import type { Table } from './tables.js';
import { tableOf } from './tables.js';

/** What an interface does over one queue pair, and what it promises. */
export const READINGS: readonly string[] = ['verbs', 'contract'];

/** The tables of interfaces that there are (models/api), by name. */
let texts: ReadonlyMap<string, string> = new Map();
let tables: ReadonlyMap<string, Table> | undefined;

/** Says what the tables are: the texts of files, by their names. */
export function setInterfaces(given: ReadonlyMap<string, string>): void {
  texts = given;
  tables = undefined;
}

/** @throws Error if a table has a mistake: it comes with the program */
export function interfaces(): ReadonlyMap<string, Table> {
  tables ??= new Map([...texts].map(([name, text]) => [name, checked(name, text)]));
  return tables;
}

function checked(name: string, text: string): Table {
  const table = tableOf({ path: name, text }, true);
  const [mistake] = table.errors;
  if (mistake === undefined) return table;
  const { start, end } = mistake.span;
  throw new Error(`models/api/${name}.api: ${mistake.message}: ${text.slice(start, end)}`);
}
