/** Something that is done with a state. */
export type Operation = (s: Int32Array) => void;

/**
 * What a thread and its calls do in one go, whatever the values are: operations on a state, one after the other. How it goes on is known, or depends on the state: then
 * there is a segment for each way, made when it is first taken.
 */
export interface Segment {
  readonly operations: readonly Operation[];
  /** Does the thread pass a mark, or come to its end or to rest? */
  readonly passes: boolean;
  readonly then: End | Split | undefined;
}

/** The thread has come to a control. */
interface End {
  readonly kind: 'end';
  /** By its number. */
  readonly control: number;
}

interface Split {
  readonly kind: 'split';
  /** Which way it goes in a state; a negative number: there is no such run. */
  readonly choose: (s: Int32Array) => number;
  readonly ways: (Segment | undefined)[];
  readonly make: (way: number) => Segment;
}

/** A segment that is being made. */
export class SegmentDraft {
  /** Does the thread pass a mark, or come to its end or to rest? */
  passes = false;
  private readonly operations: Operation[] = [];

  add(operation: Operation): void {
    this.operations.push(operation);
  }

  end(control: number): Segment {
    return this.with({ kind: 'end', control });
  }

  /** There is no such run. */
  never(): Segment {
    return this.with(undefined);
  }

  /** @param make what comes of each way that `choose` may say */
  split(
    choose: (s: Int32Array) => number,
    make: (draft: SegmentDraft, way: number) => Segment,
  ): Segment {
    return this.with({
      ...{ kind: 'split', choose, ways: [] },
      make: (way) => make(new SegmentDraft(), way),
    });
  }

  private with(then: Segment['then']): Segment {
    const { operations, passes } = this;
    return { operations, passes, then };
  }
}
