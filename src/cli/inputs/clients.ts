/** Clients of libraries among the tests of a command. */
import { readLitmus } from '../../node/tests.js';
import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import type { Corpus, CorpusTest } from './corpus.js';

/** The models of a test: for a client its libraries, otherwise those that are asked for. */
export function modelsOf(
  { test: { models }, inlined = [] }: Pick<CorpusTest, 'test' | 'inlined'>,
  asked: readonly Model[],
): readonly Model[] {
  if (models === undefined) return asked;
  return [...models, ...inlined.flatMap((test) => test.models ?? [])];
}

/**
 * The test for a model: a client's calls are replaced by implementations if the model is that of the libraries below
 * them.
 */
export const testUnder = (
  { test, inlined = [] }: Pick<CorpusTest, 'test' | 'inlined'>,
  model: Model,
): Test => inlined.find(({ models = [] }) => models.includes(model)) ?? test;

/** The tests of a corpus, with each client that is inlined for an expectation as a test of its own. */
export const eachOf = ({ tests }: Corpus): readonly Omit<CorpusTest, 'inlined'>[] =>
  tests.flatMap(({ source, test, inlined = [] }) =>
    [test, ...inlined].map((one) => ({ source, test: one })),
  );

/** Is a test a client of libraries? */
export const isClient = ({ models }: Test): boolean => models !== undefined;

/** A notice that models which are asked for decide no clients. */
export function notAsked(models: readonly Model[], { tests }: Corpus): readonly string[] {
  const clients = tests.filter(({ test }) => isClient(test));
  if (clients.length === 0 || models.length === 0) return [];
  const names = models.map(({ name }) => name).join(', ');
  return [
    `${filesInLine(pathsOf(clients))}: decided by libraries, and not by ${names}; --library puts other library files in their place`,
  ];
}

/**
 * The models of a test when two models are compared. For a client, these are its libraries with each of the two library
 * files; undefined if the client uses neither.
 */
export function compared(
  { test, source }: Corpus['tests'][number],
  models: readonly Model[],
): readonly Model[] | undefined {
  if (!isClient(test)) return models;
  const names = models.map(({ instructions }) => instructions.libraries[0]?.name);
  if (new Set(names).size > 1) return undefined;
  const sides = models.flatMap((model): readonly Model[] => {
    const [library] = model.instructions.libraries;
    if (library === undefined) return [];
    const { test: read } = readLitmus(source.text, source.path, [], { instead: [model.file] });
    const [together] = read.ok ? (read.value.models ?? []) : [];
    const isIn = together?.instructions.libraries.some(({ file }) => file === library.file);
    return isIn === true ? [{ ...together, name: model.name }] : [];
  });
  return sides.length === models.length ? sides : undefined;
}

/**
 * The tests of a corpus without clients, for a command that does not take them.
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
  const message = `${filesInLine(pathsOf(clients))}: ${command} does not take clients of libraries: ${why}`;
  return {
    corpus: { ...corpus, tests },
    refused: [`${message}; check, outcomes, explain and compare do`],
  };
}

/** A notice about clients that cannot be compared under two models. */
export function notCompared(
  clients: Corpus['tests'],
  [a, b]: readonly [Model, Model],
): readonly string[] {
  if (clients.length === 0) return [];
  const why = `none of their libraries is one that ${a.name} and ${b.name} can both stand for`;
  return [`not compared: ${filesInLine(pathsOf(clients))}: ${why}`];
}

const pathsOf = (tests: Corpus['tests']): readonly string[] =>
  tests.map(({ source }) => source.path);

/** Some files in a line: the first, and how many more there are. */
export function filesInLine([first, ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
