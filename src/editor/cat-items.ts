import { isTest } from '../parse/cat-lexer.js';
import type { Token } from '../parse/tokens.js';

/** Is this the `~` before the test of an axiom? */
export const beginsTest = (tokens: readonly Token[], i: number): boolean =>
  tokens[i].type === 'tilde' && isTest(tokens[i + 1]);
