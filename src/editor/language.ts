import { isC } from '../program/read.js';

/** The languages of files, by the endings of their names. */
export type Language = 'cat' | 'litmus' | 'implementation';

const ENDINGS: readonly (readonly [string, Language])[] = [
  ['.cat', 'cat'],
  ['.litmus', 'litmus'],
  ['.impl', 'implementation'],
];

/** The endings of all files that Remora knows. */
export const FILE_ENDINGS: readonly string[] = ENDINGS.map(([ending]) => ending);

/** Whether a file is a program, on which no other file depends. */
export const isProgram = (path: string): boolean => path.endsWith('.litmus') || isC(path);

/** The language of a file; undefined for a file of any other kind. */
export const languageOf = (path: string): Language | undefined =>
  ENDINGS.find(([ending]) => path.endsWith(ending))?.[1];
