import { herdReader as readerFor } from '../src/parse/herd-litmus.js';
import { readIsas } from '../src/parse/isa.js';
import type { Texts } from './question.js';

/** What reads tests of herd7, in the instruction sets of these files. It is loaded once a program may be one. */
export const herdReader = (texts: Texts): ReturnType<typeof readerFor> =>
  readerFor(readIsas(() => Object.entries(texts).map(([path, text]) => ({ path, text }))));
