import type { RefinementPair } from '../../../analyses/refine/refine.js';
import type { GenerateBounds } from '../../../analyses/refine/generate.js';
import type { Settings } from '../../../libraries/inline.js';
import { dirname, join } from 'node:path';
import { DISK } from '../../../node/models.js';
import { readLitmus } from '../../../node/tests.js';
import type { SourceFile } from '../../../parse/diagnostics/index.js';
import type { Model } from '../../../model/term.js';
import type { ClientOptions } from '../../../program/client.js';
import { inInstructionsOf } from '../../../program/in-model.js';
import type { Engine } from '../../../rdma/engines.js';
import { withPolls } from '../../../rdma/polling.js';
import { filesInLine } from '../../inputs/clients.js';
import { findTests } from '../../inputs/find.js';
import { noSuchLibrary } from '../../inputs/corpus.js';
import { render } from '../../inputs/messages.js';
import type { InputReader } from '../../inputs/reader.js';

export type RefineFormat = 'text' | 'json';

export interface RefineCommandOptions extends Partial<GenerateBounds> {
  readonly library?: readonly string[];
  readonly model?: readonly string[];
  readonly set?: Settings;
  readonly generate?: boolean;
  readonly local?: boolean;
  readonly limit?: number;
  readonly bound?: number;
  readonly timeLimit?: number;
  readonly jobs?: number;
  readonly engine: Engine;
  readonly reporter?: RefineFormat;
}

/** The model of programs with polls, if none is named. */
export const POLLED = 'rdma-tso';

/** How clients are read, and which implementations replace their calls. */
export interface ImplementationOptions extends ClientOptions {
  /** The model that the resulting program runs on, with polls for its waits. Undefined if it keeps its waits. */
  readonly polled?: Model;
}

/**
 * Reads the clients that paths name, each as specified and as implemented. Mistakes are added to the errors. Other
 * tests in folders of clients are left out, with a notice.
 */
export function readPairs(
  paths: readonly string[],
  reader: InputReader,
  about: ClientOptions,
  inlined: ImplementationOptions,
  errors: string[],
): { readonly clients: readonly RefinementPair[]; readonly notices: readonly string[] } {
  const clients: RefinementPair[] = [];
  const others: string[] = [];
  for (const [i, { files, errors: unread }] of findTests(paths).entries()) {
    errors.push(...unread);
    for (const path of files) {
      const file = reader.read(path);
      const pair = file.ok
        ? pairOf(file.value, about, inlined)
        : { errors: render(file.errors, new Map()) };
      if (pair === 'no client' && path !== paths[i]) others.push(path);
      else if (pair === 'no client') errors.push(`${path}: ${NO_CLIENT}`);
      else if ('errors' in pair) errors.push(...pair.errors);
      else clients.push(pair);
    }
  }
  if (others.length === 0 || errors.length > 0) return { clients, notices: [] };
  if (clients.length === 0) {
    errors.push(`${others[0]}: ${NO_CLIENT}, and no other file here is one`);
  }
  return {
    clients,
    notices: [`left out: ${filesInLine(others)}: no \`uses\`, so no client of a library`],
  };
}

const NO_CLIENT = 'this is no client of a library: it has no `uses`';

/** A client in both forms, or what is wrong with it, ready to print. */
export function pairOf(
  { path, text }: SourceFile,
  about: ClientOptions,
  inlined: ImplementationOptions,
): RefinementPair | 'no client' | { readonly errors: readonly string[] } {
  const specification = readLitmus(text, path, [], about);
  if (!specification.test.ok) {
    return { errors: render(specification.test.errors, specification.sources) };
  }
  const rl = about.libraries.compose([]).model;
  if (!rl.ok) throw new Error('libraries that come with Remora are there');
  const { polled } = inlined;
  const { models } = specification.test.value;
  if (models === undefined && polled === undefined) return 'no client';
  // A plain file is a client of `rl`, which it need not name.
  const specified = { ...specification.test.value, models: models ?? [rl.value] };
  const named = (inlined.implementations ?? []).length > 0 && models !== undefined;
  const implementation = named ? readLitmus(text, path, [], inlined) : specification;
  if (!implementation.test.ok) {
    return { errors: render(implementation.test.errors, implementation.sources) };
  }
  const made = implementation.test.value;
  if (polled === undefined) return { specification: specified, implementation: made };
  const below = inInstructionsOf(made.program, polled);
  if (!below.ok) return { errors: render(below.errors, implementation.sources) };
  const program = withPolls(below.value);
  return {
    specification: specified,
    implementation: { ...made, program, models: [polled] },
  };
}

/** Mistakes in the library files that were asked for. */
export const wrongLibraries = ({ libraries, instead = [] }: ClientOptions): readonly string[] =>
  instead.flatMap((name) => {
    const path = libraries.libraryFile(name, HERE);
    if (path === undefined) return [noSuchLibrary(name)];
    const { model, sources } = libraries.compose([path]);
    return model.ok ? [] : render(model.errors, sources);
  });

/** The file of a library: the one that was asked for instead, or the one of its name. */
export function fileOf(
  library: string,
  { libraries, instead = [] }: ClientOptions,
  beside: string,
): string {
  const asked = instead
    .map((name) => libraries.libraryFile(name, beside))
    .find((path) => path !== undefined && libraries.nameOf(path) === library);
  return asked ?? libraries.libraryFile(library, beside) ?? library;
}

/** A path for generated clients of an implementation: beside it, where its library may be. */
export const besideOf = (implementation: string): string =>
  implementation.startsWith(DISK.folder) ? HERE : implementation;

/** A path for a client without a file, beside another file. */
export const clientFile = (name: string, beside: string): string =>
  join(dirname(beside), `${name}.litmus`);

const HERE = '.';
