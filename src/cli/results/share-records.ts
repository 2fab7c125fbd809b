/** What `distinguish` and `synthesise` found out about shares of programs, checked as it is read. */
import type { PartFound, Wanted } from '../../analyses/distinguish/part.js';
import type { TableFound } from '../../analyses/distinguish/table.js';
import type { Direction } from '../../analyses/distinguish/table-part.js';
import type { MinimalTest, SynthesisFound } from '../../analyses/synthesise/part.js';
import type { ModelPart } from '../../analyses/synthesise/parts.js';
import type { RunModel } from './format.js';
import type { TypeGuard } from './guards.js';
import { fields, isBoolean, isCount, isNumber, isString, list, oneOf, optional } from './guards.js';
import { isRunModel } from './lines.js';

/** What a search through all programs is asked: all that its results depend on. */
export interface SizeQuestion {
  readonly command: 'distinguish' | 'synthesise';
  readonly models: readonly RunModel[];
  /** The most calls of a program. */
  readonly calls: number;
  /** What programs are made of, if it was said. */
  readonly operations?: readonly string[];
  /** Whether threads may have several queue pairs to one node. */
  readonly namedPairs: boolean;
  /** Of `distinguish`: whether locations have tags, and what is wanted of two models. */
  readonly tags?: boolean;
  readonly wanted?: Wanted;
}

/** The first line of a file. */
export interface SizeHeader extends SizeQuestion {
  /** How many shares all programs have. */
  readonly shares: number;
}

/** What was found out about some programs, however many there were. */
export interface Programs {
  readonly programs: number;
}

export const isSizeHeader: TypeGuard<SizeHeader> = fields<SizeHeader>({
  command: oneOf(['distinguish', 'synthesise'] as const),
  models: list(isRunModel),
  calls: isCount,
  operations: optional(list(isString)),
  namedPairs: isBoolean,
  tags: optional(isBoolean),
  wanted: optional(oneOf(['first', 'both', 'all'] as const)),
  shares: isCount,
});

/** The results of a range of shares, in their order. */
export interface SharesRecord {
  readonly shares: readonly Programs[];
  readonly milliseconds: number;
}

const isWays: TypeGuard<readonly [boolean, boolean]> = (v): v is readonly [boolean, boolean] =>
  Array.isArray(v) && v.length === 2 && v.every(isBoolean);

const isPairFound = fields<PartFound>({
  programs: isCount,
  differing: list(fields<PartFound['differing'][number]>({ litmus: isString, more: isWays })),
  open: list(fields<PartFound['open'][number]>({ litmus: isString, reason: isString })),
});

const isTableFound = fields<TableFound>({
  programs: isCount,
  byPair: list(isCount),
  showing: list(
    fields<TableFound['showing'][number]>({
      litmus: isString,
      shows: list(fields<Direction>({ pair: isCount, more: isCount, less: isCount })),
      knowing: list(isCount),
    }),
  ),
  open: list(
    fields<TableFound['open'][number]>({
      litmus: isString,
      model: isString,
      reason: isString,
    }),
  ),
});

/** A name becomes that of a file. */
const isName: TypeGuard<string> = (v): v is string => isString(v) && /^[\w.+-]+$/.test(v);

const isSynthesisFound = fields<SynthesisFound>({
  programs: isCount,
  tests: list(
    fields<MinimalTest>({
      index: isCount,
      name: isName,
      program: isString,
      condition: isString,
      about: list(
        fields<ModelPart>({
          kind: oneOf(['axiom', 'entry'] as const),
          name: isString,
          tables: list(isString),
        }),
      ),
    }),
  ),
  open: list(fields<SynthesisFound['open'][number]>({ litmus: isString })),
});

/** Is this what a command found out about a range of shares? */
export const isSharesLine = (
  command: SizeHeader['command'],
  value: unknown,
): value is SharesRecord =>
  fields<SharesRecord>({
    shares: list<Programs>(
      command === 'synthesise'
        ? isSynthesisFound
        : (v): v is PartFound | TableFound => isPairFound(v) || isTableFound(v),
    ),
    milliseconds: isNumber,
  })(value);
