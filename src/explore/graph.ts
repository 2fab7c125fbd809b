/** All steps between states: those from state i are at `first(i)` up to `first(i + 1)`. */
export interface Graph {
  readonly steps: number;
  first(state: number): number;
  to(step: number): number;
  actor(step: number): number;
  /** Does a thread pass a mark, or come to its end? */
  passes(step: number): boolean;
}
