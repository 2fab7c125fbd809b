export function isOnPath(program: string): boolean;

/** What SPIN finds in a model. */
export interface Found {
  /** Each once, in its words. */
  readonly errors: readonly string[];
  readonly states: number;
  readonly seconds: number;
  /** Bytes of a state. */
  readonly vector: number;
  /** Bytes that it takes in memory. */
  readonly bytes: number;
}

/** Asks it for bad states, or for rounds without progress; `size`: options of the search. */
export function spin(model: string, asked: 'states' | 'rounds', size?: readonly string[]): Found;
