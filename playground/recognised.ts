import { mayHaveHead } from '../src/c/beginning.js';

/** The names that messages give the page's program. */
export const LITMUS = 'program.litmus';
export const C = 'program.c';

/** Whether a program is a litmus file of Remora's. They begin with `RDMA`, or with remarks. */
export const isLitmusText = (text: string): boolean => /^[ \t]*RDMA\b/m.test(text);

/** Whether a program is C. */
export const isCText = (text: string): boolean =>
  mayHaveHead(text) ||
  (!isLitmusText(text) && /^[ \t]*(?:#[ \t]*include\b|\/[*/])|\w\s*\([^()]*\)\s*\{/m.test(text));

export const nameOf = (text: string): string => (isCText(text) ? C : LITMUS);
