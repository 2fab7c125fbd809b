/** Clients of libraries as programs that a machine runs: with an implementation in the place of each call. */
import type { Model } from '../../../model/term.js';
import { loadModelNamed } from '../../../node/models.js';
import { once } from '../../../parse/once.js';
import type { Test } from '../../../program/program.js';
import { isClient } from '../../inputs/clients.js';
import type { CorpusTest } from '../../inputs/corpus.js';

/** The lowest library: RDMA with waits (LOCO paper, Def. F.2). */
const LOWEST = 'rl';

/** The model that says the same of its calls, and is a machine. */
const lowestMachine = once((): Model => {
  const { model } = loadModelNamed('rdma-wait');
  if (!model.ok) throw new Error('models that come with Remora are there');
  return model.value;
});

/**
 * The programs of a test that a machine can run: a plain test itself; a client with the implementations that were asked
 * for, or that its expectations name, where only calls of the lowest library are left. Such a program has this library's
 * machine as its model.
 *
 * @returns the programs; or, if there is none, why, ready to print
 */
export function runnable({
  source,
  test,
  inlined = [],
}: CorpusTest): readonly CorpusTest[] | string {
  if (!isClient(test)) return [{ source, test }];
  const programs = [test, ...inlined].flatMap((one) => onMachine(one) ?? []);
  if (programs.length > 0) return programs.map((one) => ({ source, test: one }));
  const left = (test.models ?? []).flatMap(({ instructions }) => instructions.libraries);
  const names = [...new Set(left.map(({ name }) => name))].filter((name) => name !== LOWEST);
  return names.length === 0
    ? `${source.path}: explore runs calls of ${LOWEST} as the one that comes with Remora, and of no other file`
    : `${source.path}: explore runs implementations, and none is named for ${names.join(', ')}: name them with --implementation`;
}

/** A client of the lowest library alone, under its machine. The machine has the name of what replaced the calls. */
function onMachine(test: Test): Test | undefined {
  const own = test.models?.[0];
  const isLowest = own?.instructions.libraries.every(({ name }) => name === LOWEST) === true;
  if (own === undefined || !isLowest || !own.shipped) return undefined;
  return { ...test, models: [{ ...lowestMachine(), name: own.name }] };
}
