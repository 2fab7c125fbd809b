import type { Library, Operation } from './set.js';

/**
 * The names of the base sets that tell the calls of libraries apart. No cat file can write the first one, so that
 * no name of a file means it.
 */

/** All events of a library's calls, the initial writes of its cells, and the marks of its roles. */
export const librarySetName = (library: string): string => `calls of ${library}`;

/** The events of an operation of a library, as relations name them. */
export function callSetName({ name, library }: Operation): string | undefined {
  if (library === undefined) return undefined;
  return name.startsWith(`${library}.`) ? name : `${library}.${name}`;
}

/** The marks of a role: one for each object and thread in it. */
export const libraryMarks = (library: string, role: string): string => `${library}.${role}`;

/** All base sets of a library. */
export const setsOf = (library: Library, operations: readonly Operation[]): readonly string[] => [
  librarySetName(library.name),
  ...library.roles.map((role) => libraryMarks(library.name, role.name)),
  ...operations.flatMap((o) => (o.library === library.name ? (callSetName(o) ?? []) : [])),
];
