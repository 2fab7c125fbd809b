import type { ExecutionGraph } from '../src/analyses/explain/graph.js';
import type { Timeline } from '../src/analyses/timeline/timeline.js';
import type { Subject } from '../src/program/program.js';
import type { ShownGap } from './c-part.js';

/** What the page asks: plain data, as links have it. */
export interface Question {
  /** The text of the program: a litmus file, or C. */
  readonly litmus: string;
  /** Under which models, the first of which is explained. A client of libraries brings its own. */
  readonly models: readonly AskedModel[];
  /** Whether it is asked on which fabrics the program is safe: on all of Remora's, and under the reader's own models. */
  readonly onFabrics?: boolean;
}

/** A model by its name; with a text, one of the reader's own. */
export interface AskedModel {
  readonly name: string;
  readonly text?: string;
}

/**
 * What a model is called in answers. One with a text of its own says so wherever it stands, whatever name a link gives it.
 *
 * @param texts the files that come with Remora
 */
export function shownName({ name, text }: AskedModel, texts: Texts): string {
  if (text === undefined) return name;
  return `${name} (${Object.hasOwn(texts, `models/${name}.cat`) ? 'changed' : 'not of Remora'})`;
}

/** What is explained besides: one query under one model. */
export interface Focus {
  readonly model: number;
  readonly query: number;
}

/** What the page asks at once: the verdicts and why one of them is as it is, or something longer about that one. */
export interface Asked {
  readonly question: Question;
  readonly focus: Focus;
  /** Whether Z3 is asked, which is loaded for it. */
  readonly asksZ3: boolean;
  readonly longer?: Longer;
}

/** What is asked after the verdict, as it may take longer. The part that answers it is of the same kind. */
export type Longer =
  | { readonly kind: 'states' }
  | { readonly kind: 'fix' }
  /** Another execution, after the one that explains the verdict and as many others. */
  | { readonly kind: 'another'; readonly seen: number }
  /** What may be read otherwise. */
  | { readonly kind: 'reads' }
  /** An execution in which one thing that was read has another value, and the others those that they have. */
  | { readonly kind: 'changed'; readonly subject: Subject; readonly value: number }
  /** The same under another model, or of another program. */
  | {
      readonly kind: 'beside';
      readonly model: AskedModel;
      readonly program?: { readonly name: string; readonly litmus: string };
    };

/** Files that Remora has on a disk elsewhere, by path: `models/rdma-tso.cat`. */
export type Texts = Readonly<Record<string, string>>;

/** One part of an answer. They come in this order, each as soon as it is known. */
export type Part =
  /** What is wrong with the texts. Then there is nothing else. */
  | { readonly kind: 'mistakes'; readonly mistakes: readonly Mistake[] }
  /** The program with a head in front, which it had not. */
  | { readonly kind: 'headed'; readonly text: string }
  /** What its head has still to say. Then there is nothing else. */
  | { readonly kind: 'gaps'; readonly gaps: readonly ShownGap[] }
  | {
      readonly kind: 'verdicts';
      readonly name: string;
      /** What is asked, in words. */
      readonly asks?: string;
      readonly models: readonly string[];
      readonly queries: readonly AskedQuery[];
      readonly warnings: readonly Mistake[];
      /** Whether the search gave up on one of them: Z3 may decide it. */
      readonly open: boolean;
      /** Whether the program has final states. */
      readonly ends: boolean;
    }
  | {
      readonly kind: 'states';
      readonly model: string;
      readonly states: readonly string[];
      readonly incomplete?: string;
      readonly open: boolean;
    }
  | ({
      readonly kind: 'explanation';
      readonly focus: Focus;
      /** Whether it can be asked what would change it. */
      readonly fixable: boolean;
      /** Whether there may be other executions. */
      readonly executions: boolean;
    } & Explained)
  | {
      readonly kind: 'fix';
      readonly focus: Focus;
      readonly text: string;
      /** The program with it. */
      readonly change?: Change;
    }
  | {
      readonly kind: 'another';
      /** Which it is; the first explains the verdict. */
      readonly number: number;
      readonly found: Explained | { readonly none: string };
    }
  | { readonly kind: 'reads'; readonly reads: readonly ShownRead[] }
  | {
      readonly kind: 'changed';
      /** `T2:a = 1`. */
      readonly text: string;
      readonly verdict: string;
      readonly explained: Explained;
      /** The verdict where the others may have any values, if there is no such execution otherwise. */
      readonly freely?: string;
    }
  /** What is explained, and the same under another model or of another program. */
  | { readonly kind: 'beside'; readonly sides: readonly Side[]; readonly open: boolean }
  /** The answer where fabrics are asked. */
  | {
      readonly kind: 'fabrics';
      readonly name: string;
      readonly queries: readonly OnAllFabrics[];
      /** Why there is no answer. */
      readonly refused?: string;
      readonly warnings: readonly Mistake[];
      readonly open: boolean;
    }
  /** What would rule it out where it can go wrong. It comes again with each fix that is found. */
  | {
      readonly kind: 'fixes';
      readonly queries: readonly { readonly text: string; readonly groups: readonly FixGroup[] }[];
    };

/** An execution, or why there is none. */
export interface Explained {
  readonly text: string;
  /** The reason, in a few words. */
  readonly because?: string;
  /** The execution, and what happens when, as SVG; none where there is nothing to draw. */
  readonly graph?: ExecutionGraph;
  readonly timeline?: string;
  /** What the timeline draws of a run, to be gone through. */
  readonly steps?: Timeline;
}

/** One of two answers beside each other. */
export interface Side {
  /** `MP under rdma-tso`. */
  readonly title: string;
  readonly asks: string;
  readonly verdict: string;
  /** Why there is no verdict, or what is wrong with the program. */
  readonly reason?: string;
  readonly explained?: Explained;
}

/** Where a thread puts what it has read, its value in the execution that is shown, and those that it may have in others. */
export interface ShownRead {
  readonly text: string;
  readonly subject: Subject;
  readonly is: number;
  readonly others: readonly number[];
}

/** Another text of the program. */
export interface Change {
  readonly before: string;
  readonly after: string;
  readonly lines: readonly DifferenceLine[];
}

/** A line of what differs between two texts. */
export interface DifferenceLine {
  readonly kind: 'removed' | 'added' | 'same' | 'left out';
  readonly text: string;
}

/** A fix, and the fabrics that it is for. */
export interface FixGroup {
  readonly models: readonly string[];
  readonly lines: readonly string[];
}

/** A query on all fabrics, as `remora fabrics` says it. */
export interface OnAllFabrics {
  readonly text: string;
  readonly fabrics: readonly ShownFabric[];
  /** The weakest on which it is safe, the strongest on which it can go wrong, and what that rests on. */
  readonly summary: string;
  readonly assuming: readonly string[];
}

export interface ShownFabric {
  /** What the page calls it, and what answers call it. */
  readonly name: string;
  readonly model: string;
  readonly verdict: string;
  readonly said: string;
}

export interface AskedQuery {
  readonly text: string;
  /** The outcome in words. */
  readonly label?: string;
  /** By model. */
  readonly verdicts: readonly ShownVerdict[];
}

export interface ShownVerdict {
  readonly verdict: string;
  /** The final state that shows it. */
  readonly state?: string;
  readonly reason?: string;
  readonly upTo?: number;
}

/** What an instruction of the program does, and where it stands. */
export interface AboutInstruction {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Something wrong in one of the texts. */
export interface Mistake {
  /** As the command line prints it. */
  readonly text: string;
  readonly message: string;
  /** In which text it is, if it is in one of the page's. */
  readonly in?: 'litmus' | 'model';
  /** Where it is in there. */
  readonly start?: number;
  readonly end?: number;
}
