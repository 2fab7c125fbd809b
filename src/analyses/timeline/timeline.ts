/**
 * A diagram in space and time: what happens where, time downwards. Each node has a lane for each of its threads, one for its
 * network card and one for its memory. Plain data; steps are told by their indices.
 */
export interface Timeline {
  /** Node by node: its threads, its memory, its card. Only those in which something happens. */
  readonly lanes: readonly TimelineLane[];
  /** One below the other. */
  readonly steps: readonly TimelineStep[];
  /** From a step to a later one that carries it on; of a cycle, also upwards. */
  readonly ways: readonly TimelineWay[];
  /** Values that have left their writer and are not in memory. */
  readonly waits: readonly TimelineWait[];
  /** What is in memory before the first step: all that the steps read or write. */
  readonly memory: readonly {
    readonly node: string;
    readonly place: string;
    readonly value: string;
  }[];
  /** How many steps came before, and are left out. */
  readonly omitted?: number;
}

export interface TimelineLane {
  readonly kind: 'thread' | 'nic' | 'memory';
  readonly node: string;
  /** The name of the thread. */
  readonly thread?: string;
}

export interface TimelineStep {
  /** Where it takes effect: an index into `lanes`. */
  readonly lane: number;
  /** Where it comes from at the same moment: a read from memory, a post from its thread. */
  readonly from?: number;
  /** Does something go back at the same moment, too, as for an atomic? */
  readonly both?: true;
  /** In a few words: `x = 1`. */
  readonly brief: string;
  /** In a sentence: what is told of it in the words beside the picture. */
  readonly text: string;
  /** The number that it has there; none where the words leave it out. */
  readonly number?: number;
  /** What is in memory from here on. */
  readonly stored?: { readonly place: string; readonly value: string };
  /** What goes wrong here: `too early: …`. */
  readonly note?: string;
  /** Is it on the cycle that forbids the execution? */
  readonly onCycle?: true;
}

export interface TimelineWay {
  readonly from: number;
  readonly to: number;
  /**
   * `wire`: goes on, mostly to another node; `completion`: is polled or waited for; `cycle`: has to come before; `back`: has to come before, too,
   * and cannot.
   */
  readonly look: 'wire' | 'completion' | 'cycle' | 'back';
}

export interface TimelineWait {
  readonly lane: number;
  readonly from: number;
  readonly to: number;
  /** `x = 1`. */
  readonly what: string;
}
