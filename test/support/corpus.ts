import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.js';

/** A litmus file of the corpus, by its path there. */
export interface CorpusFile {
  readonly file: string;
  readonly text: string;
}

const FOLDER = join(ROOT, 'corpus');

const FILES: readonly CorpusFile[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.litmus'))
  .sort()
  .map((file) => ({ file, text: readFileSync(join(FOLDER, file), 'utf8') }));

/** The folders that have litmus files that are no examples of mistakes. */
export const CORPUS_FOLDERS: readonly string[] = [
  ...new Set(FILES.map(({ file }) => file.split('/')[0])),
].filter((folder) => folder !== 'broken');

const isClient = ({ text }: CorpusFile): boolean => /^uses /m.test(text);

/** Clients of libraries. */
export const CLIENTS = FILES.filter(isClient);

/**
 * The files that any model can be asked about. Clients of libraries are left out: the models that their
 * libraries make decide them, and no other.
 */
export const PLAIN_FILES = FILES.filter((file) => !isClient(file));

/** Those of them that are asked about final states: locks go round for ever, and are asked about that. What tells fabrics apart is in other folders, too. */
export const ENDING_FILES = PLAIN_FILES.filter(
  ({ file, text }) =>
    !/^(?:locks|columns)\//.test(file) &&
    !/^(?:never|exclusive|assertions|progress|deadlock)\b/m.test(text),
);

/**
 * Clients whose proofs and explanations take longer than those of all others together. What goes over the whole corpus by
 * them leaves these out; `npm run bench -- proofs` proves them, too, and checks the proofs.
 */
const LARGE = ['libraries/kv-third', 'libraries/lock-three', 'libraries/lock-twice'];

/** The paths of the corpus, or of a folder of it. */
export const corpusPaths = (folder = ''): readonly string[] =>
  FILES.filter(({ file }) => file.startsWith(folder)).map(({ file }) => join('corpus', file));

/** The same without the largest clients. */
export const withoutLarge = (folder = ''): readonly string[] =>
  corpusPaths(folder).filter((path) => !LARGE.some((name) => path.endsWith(`${name}.litmus`)));
