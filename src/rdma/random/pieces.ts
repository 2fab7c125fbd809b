/**
 * The pieces that random threads are made of: the text of an instruction, and what is needed to leave it out where it
 * would not be valid. Shrinking may remove any pieces: the rest still makes a valid thread.
 */
export type Piece = Plain | OperationPiece | Poll | Wait | Compound;

/** The thread's own names that an instruction reads, and the one that it writes. */
export interface Uses {
  readonly reads?: readonly string[];
  readonly writes?: string;
}

export interface Plain extends Uses {
  readonly kind: 'plain';
  readonly text: string;
}

/** A call that a NIC performs, or that takes part in a connection. What it reads and writes is memory. */
export interface OperationPiece extends Uses, OnWires {
  readonly kind: 'operation';
  readonly text: string;
  /** The registers that it reads when it is issued. */
  readonly operands?: readonly string[];
  /** Its queue pair: `2`, or `2.a`. */
  readonly queuePair: string;
  /** The work identifier, if it has one in the text. */
  readonly work?: string;
  /** The calls that have something to take after it. Default: polls of its queue pair. */
  readonly opens?: readonly string[];
}

/** What a call does to what goes from one thread to another: what it offers, and what it waits for. */
export interface OnWires {
  readonly gives?: readonly string[];
  readonly needs?: readonly string[];
  /** It stays even where nobody offers what it needs. */
  readonly anyway?: boolean;
}

export interface Poll extends OnWires {
  readonly kind: 'poll';
  readonly queuePair: string;
  /** The call, if it is not a poll of the queue pair itself. */
  readonly call?: string;
  /** The poll stays even if there is nothing to poll. */
  readonly anyway: boolean;
  /** The register that its value goes to. */
  readonly into?: string;
  /** If there is nothing to poll, the poll is for another queue pair with an open operation. */
  readonly another: boolean;
}

/** Waits for an identifier, or for the oldest operation of a queue pair that was not waited for. */
export type Wait =
  | { readonly kind: 'wait'; readonly work: string }
  | { readonly kind: 'wait'; readonly queuePair: string };

/** An instruction with bodies: alternatives, or the body of a loop. */
export interface Compound {
  readonly kind: 'if' | 'choose' | 'loop';
  readonly head: string;
  readonly reads?: readonly string[];
  readonly bodies: readonly (readonly Piece[])[];
}

export const pollOf = (queuePair: string): string => `poll(${queuePair})`;

export function isCompound(p: Piece): p is Compound {
  return p.kind === 'if' || p.kind === 'choose' || p.kind === 'loop';
}

/** Every piece of a body, those inside others included. */
export function* piecesOf(body: readonly Piece[]): Generator<Piece> {
  for (const p of body) {
    yield p;
    if (isCompound(p)) for (const inner of p.bodies) yield* piecesOf(inner);
  }
}
