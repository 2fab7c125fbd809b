/** The folder of their programs. */
export const LESSONS = 'learn/';

/** A lesson of the tour. Texts are paragraphs, with `code` and **strong words** in them. */
export interface Lesson {
  /** It is the name of its program, too, in the folder `learn`. */
  readonly name: string;
  readonly title: string;
  readonly intro: readonly string[];
  readonly program: string;
  /** What is to be guessed: whether the outcome can happen. */
  readonly guess: string;
  /** The one idea. */
  readonly answer: readonly string[];
  /** What is worth changing, and the program with it. */
  readonly change: readonly string[];
  readonly changed: string;
  /** The model that is asked, if it is not the usual one. */
  readonly model?: string;
}
