import { mayHaveHead } from '../src/c/beginning.js';

/** The names that messages give the page's program. */
export const LITMUS = 'program.litmus';
export const C = 'program.c';

/** Whether a program is C: litmus files begin with `RDMA`, or with remarks. */
export const isCText = (text: string): boolean =>
  mayHaveHead(text) ||
  (!/^[ \t]*RDMA\b/m.test(text) &&
    /^[ \t]*(?:#[ \t]*include\b|\/[*/])|\w\s*\([^()]*\)\s*\{/m.test(text));

export const nameOf = (text: string): string => (isCText(text) ? C : LITMUS);
