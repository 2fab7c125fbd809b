/** Clients of libraries among the tests of a command. */
import type { Model } from '../model/term.js';
import type { Test } from '../program/program.js';
import type { Corpus } from './inputs.js';

/** The models that a test is asked under: a client brings its own, in the place of those that are asked for. */
export const modelsOf = ({ models }: Test, asked: readonly Model[]): readonly Model[] =>
  models ?? asked;

/** Is a test a client of libraries? */
export const isClient = ({ models }: Test): boolean => models !== undefined;

/** A notice for those who ask for models that decide no client. */
export function notAsked(models: readonly Model[], { tests }: Corpus): readonly string[] {
  const clients = tests.filter(({ test }) => isClient(test));
  if (clients.length === 0 || models.length === 0) return [];
  const names = models.map(({ name }) => name).join(', ');
  return [
    `${filesOf(clients)}: decided by libraries, and not by ${names}; --library puts other library files in their place`,
  ];
}

/**
 * The tests of a corpus that are no clients, for a command that is not about libraries.
 *
 * @param why what the command is about
 */
export function withoutClients(
  corpus: Corpus,
  command: string,
  why: string,
): { readonly corpus: Corpus; readonly refused: readonly string[] } {
  const clients = corpus.tests.filter(({ test }) => isClient(test));
  if (clients.length === 0) return { corpus, refused: [] };
  const tests = corpus.tests.filter(({ test }) => !isClient(test));
  const message = `${filesOf(clients)}: ${command} does not take clients of libraries: ${why}`;
  return {
    corpus: { ...corpus, tests },
    refused: [`${message}; check, outcomes and explain take them`],
  };
}

/** Some files in a line: the first, and how many more there are. */
function filesOf([{ source }, ...others]: Corpus['tests']): string {
  return others.length === 0 ? source.path : `${source.path} and ${others.length} more`;
}
