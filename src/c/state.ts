import type { LitmusExpr, Statement } from '../parse/litmus-ast.js';
import type { Type } from './types.js';

/** A stretch of memory: the names of its words, and where each begins, in bytes. */
export interface Region {
  /** `size`: of the number that a word is, in bytes, if that is known. */
  readonly places: readonly {
    readonly location: string;
    readonly at: number;
    readonly size?: number;
  }[];
  /** The node that it is on; undefined: private memory of the thread. */
  readonly node?: string;
}

/** What is known of a value when the function is read. */
export type Value =
  | { readonly kind: 'int'; readonly value: number }
  /** A number of 64 bits that no word of a program can have. */
  | { readonly kind: 'large'; readonly digits: string }
  /** It is computed when the program runs. `reads`: it has locations, each of which is read once. */
  | { readonly kind: 'runtime'; readonly expr: LitmusExpr; readonly reads: boolean }
  | { readonly kind: 'address'; readonly region: Region; readonly offset: number }
  /** The address of a variable that is no memory of the program. */
  | { readonly kind: 'pointer'; readonly key: string }
  /** What a path of C leads to that the file does not say: `ctx->qp`, in terms of the parameters of the thread's function. */
  | {
      readonly kind: 'path';
      readonly text: string;
      /** It may be something else the next time. */
      readonly isNew?: true;
      /** It is something new, with these fields, and is called as the place that it is put into. */
      readonly made?: Readonly<Record<string, Value>>;
    }
  /** A whole structure or array, by the key that its parts are kept under. */
  | { readonly kind: 'parts'; readonly key: string }
  | { readonly kind: 'text' }
  | {
      readonly kind: 'nothing';
      /** Ways have met that know different things of it. */
      readonly isForgotten?: true;
    };

export interface Typed {
  readonly value: Value;
  readonly type: Type;
}

/** What can be written and read. */
export type Place =
  | { readonly kind: 'variable'; readonly key: string; readonly type: Type }
  | { readonly kind: 'word'; readonly region: Region; readonly offset: number; readonly type: Type }
  | {
      readonly kind: 'path';
      readonly text: string;
      readonly type: Type;
      /** It is an element of an array that is a part of a structure, not of one that a pointer leads to. */
      readonly isInside?: boolean;
    };

/** A request that makes a completion, which was not taken yet. */
export interface Request {
  readonly id: Value;
  /** As `ibv_wc` has it; undefined: it is not known. */
  readonly opcode?: number;
  readonly isReceive: boolean;
}

/**
 * A poll that has found nothing on the way at hand, though something may have been there. Where the same poll comes again, and nothing
 * was done or has changed between the two, to find something now is the same as to have found it then: that way is there already.
 */
export interface Missed {
  readonly at: number;
  readonly steps: number;
  readonly values: State['values'];
  readonly building: State['building'];
  /** The calls that the poll was in. */
  readonly frames: readonly { readonly id: number; readonly function: string }[];
}

/** What is known at a point of a thread. */
export interface State {
  /** By key: variables, and their fields and elements. */
  readonly values: Map<string, Value>;
  /** By the text of a queue pair, the oldest first. */
  readonly open: Map<string, readonly Request[]>;
  /** Requests between `ibv_wr_start` and `ibv_wr_complete`, by queue pair. */
  readonly building: Map<string, readonly Building[]>;
  /** By queue pair: the remote address of its last request, if it has one; nothing, if that is not known. */
  readonly last: Map<string, Value>;
  /** The identifiers of requests whose completions were taken. */
  readonly done: Value[];
  polls: Polls;
  /** How much was written down on this way. */
  steps: number;
  /** The last poll on this way that has found nothing, though something may have been there. */
  missed?: Missed;
}

/** What is said of waits that nothing ends on some ways. */
export const SOME_WAIT = 'runs that wait here for ever are left out';

export const NEVER_RETURNS = 'this never returns: no request is open that makes a completion';

/** How many completions polls found, and of receives; how many polls found nothing, and how many of these had nothing to find. */
export interface Polls {
  readonly found: number;
  readonly received: number;
  readonly nothing: number;
  readonly hopeless: number;
}

/** An element of a scatter list. */
export interface Stretch {
  readonly local: Value;
  /** In bytes, if that is known. */
  readonly length?: number;
}

/** A request that is being built by `ibv_wr_…`. */
export interface Building {
  readonly opcode: number;
  readonly flags: number;
  readonly id: Value;
  readonly remote?: Value;
  readonly operands?: readonly Value[];
  /** Where its data is; nothing: it has none. Undefined: nobody said. */
  readonly data?: readonly Stretch[];
  /** The immediate data. */
  readonly immediate?: Value;
  /** The values of data that was copied when it was set. */
  readonly copied?: readonly LitmusExpr[];
}

export const copyOf = ({ values, open, building, last, done, ...rest }: State): State => ({
  ...rest,
  values: new Map(values),
  open: new Map(open),
  building: new Map(building),
  last: new Map(last),
  done: [...done],
});

/** The variables of a call are no more. */
export function forgetFrame({ values }: State, id: number): void {
  for (const key of values.keys()) if (key.startsWith(`${id}:`)) values.delete(key);
}

export const emptyState = (): State => ({
  values: new Map(),
  open: new Map(),
  building: new Map(),
  last: new Map(),
  done: [],
  polls: { found: 0, received: 0, nothing: 0, hopeless: 0 },
  steps: 0,
});

/** A way out of a block that is not its end: where its statements go on, and what is known there. */
export interface Way {
  readonly out: Statement[];
  readonly state: State;
  readonly value?: Typed;
}

/** Are two things the same but for their places in the text? Most of what ways know is one object on both, which takes no time. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((one, i) => isSame(one, b[i]));
  }
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return Object.keys({ ...one, ...other }).every(
    (key) => key === 'span' || isSame(one[key], other[key]),
  );
}

/** One request for several that it may be. */
export function alike(all: readonly Request[]): Request {
  const [{ id, opcode, isReceive }] = all;
  return {
    isReceive,
    id: all.every((one) => isSame(one.id, id)) ? id : { kind: 'nothing' },
    ...(all.every((one) => one.opcode === opcode) && opcode !== undefined && { opcode }),
  };
}
