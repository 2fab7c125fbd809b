export function isOnPath(program: string): boolean;

/** What SPIN finds in a model. */
export interface Found {
  /** Each once, in its words. */
  readonly errors: readonly string[];
  readonly states: number;
  readonly seconds: number;
  /** Bytes of a state, and of all that are kept. */
  readonly bytes: number;
  readonly size: number;
}

/** Asks it for bad states, or for rounds without progress. */
export function spin(model: string, asked: 'states' | 'rounds', size: 'small' | 'large'): Found;
