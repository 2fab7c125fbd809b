import type { LocationId } from '../../program/program.js';
import type { UpdateKind } from '../update.js';
import type { Slot } from './op.js';

/** What a machine does, one thing after the other, as it tells whoever wants to hear. Threads and queue pairs are indices. */
export type Step = ThreadStep | CardStep;

export type ThreadStep = { readonly thread: number } & (
  | { readonly kind: 'set'; readonly slot: Slot; readonly value: number }
  | { readonly kind: 'assertion' | 'mfence' }
  /** Passes a point, or enters or leaves a block. */
  | { readonly kind: 'pass' | 'leave'; readonly mark: string }
  | {
      readonly kind: 'read';
      readonly location: LocationId;
      readonly value: number;
      /** Is it read from the store buffer? */
      readonly buffered: boolean;
    }
  /** `drain`: what it has written leaves its store buffer. */
  | { readonly kind: 'write' | 'drain'; readonly location: LocationId; readonly value: number }
  | {
      readonly kind: 'update';
      readonly update: UpdateKind;
      readonly location: LocationId;
      readonly found: number;
      readonly expected: number;
      /** What is written; nothing by a CAS that fails. */
      readonly value: number | undefined;
    }
  | { readonly kind: 'poll'; readonly queuePair: number }
  | {
      readonly kind: 'post';
      readonly queuePair: number;
      readonly request: number;
      /** The operands of an atomic. */
      readonly a: number;
      readonly b: number;
    }
);

/** `index`: which entry of the pipe. */
export type CardStep = { readonly queuePair: number } & (
  | {
      /** A put reads its value; a get reads; a put comes to `wbR`. */
      readonly kind: 'read-local' | 'read-remote' | 'deliver';
      readonly index: number;
      readonly location: LocationId;
      readonly value: number;
    }
  | {
      readonly kind: 'perform';
      readonly index: number;
      readonly update: UpdateKind;
      readonly location: LocationId;
      readonly found: number;
      readonly value: number | undefined;
    }
  /** The first entry leaves the pipe: a fence, the acknowledgement of a put, or an answer for `wbL`. */
  | { readonly kind: 'rfence' | 'acknowledge' | 'answer' }
  /** The oldest write in `wbR`, or in `wbL`, comes to memory. */
  | {
      readonly kind: 'flush-remote' | 'flush-local';
      readonly location: LocationId;
      readonly value: number;
    }
);
