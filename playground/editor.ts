import { standardKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  HighlightStyle,
  StreamLanguage,
  bracketMatching,
  syntaxHighlighting,
} from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, drawSelection, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Edit } from '../src/c/edit/insert.js';
import { C, CAT, LITMUS } from './language.js';
import { MARKS, setMarks } from './marks.js';
import { isCText } from './recognised.js';
import type { AboutInstruction, Mistake } from './question.js';

/** Colours that can be read on the ground of both themes are in `style.css`. */
const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, class: 'tok-keyword' },
  { tag: tags.typeName, class: 'tok-builtin' },
  { tag: tags.number, class: 'tok-number' },
  { tag: tags.string, class: 'tok-string' },
  { tag: tags.comment, class: 'tok-comment' },
]);

const IN_LITMUS = StreamLanguage.define(LITMUS);
const IN_C = StreamLanguage.define(C);

export interface Editor {
  text(): string;
  setText(text: string): void;
  /** Marks what is wrong. */
  mark(mistakes: readonly Marked[]): void;
  /** Puts another text in its place, as somebody who types does. */
  replace(text: string): void;
  /** Changes its text, as somebody who types does. */
  change(edits: readonly Edit[]): void;
}

type Marked = Pick<Mistake, 'text' | 'start' | 'end'>;

/** Says what an instruction does. */
type About = (at: number) => Promise<AboutInstruction | undefined>;

/** What an instruction does is shown where one points. */
const hover = (about: About) =>
  hoverTooltip(async (_, at) => {
    const found = await about(at);
    if (found === undefined) return null;
    const dom = document.createElement('pre');
    dom.textContent = found.text;
    return { pos: found.start, end: found.end, create: () => ({ dom }) };
  });

/** An editor for programs, which are litmus files or C, or for models. Escape leaves it, so that Tab goes on to what comes next. */
export function createEditor(
  parent: HTMLElement,
  language: 'litmus' | 'cat',
  label: string,
  changed: () => void,
  about?: About,
  moved?: (at: number) => void,
): Editor {
  let isQuiet = false;
  const colours = new Compartment();
  let isC = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        MARKS,
        about === undefined ? [] : hover(about),
        colours.of(language === 'litmus' ? IN_LITMUS : StreamLanguage.define(CAT)),
        syntaxHighlighting(COLOURS),
        keymap.of([...standardKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.lineWrapping,
        EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
          if (docChanged && language === 'litmus') recolour();
          if (docChanged && !isQuiet) changed();
          if (selectionSet) moved?.(state.selection.main.head);
        }),
      ],
    }),
  });
  function recolour(): void {
    const is = isCText(view.state.doc.toString());
    if (is === isC) return;
    isC = is;
    view.dispatch({ effects: colours.reconfigure(is ? IN_C : IN_LITMUS) });
  }
  return {
    text: () => view.state.doc.toString(),
    setText(text) {
      isQuiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isQuiet = false;
    },
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    change(edits) {
      view.dispatch({
        changes: edits.map(({ start, end, text }) => ({ from: start, to: end, insert: text })),
      });
    },
    mark(mistakes) {
      const { length } = view.state.doc;
      const found = mistakes.map(({ start = 0, end = 0, text }) => {
        const from = Math.max(0, Math.min(start, length - 1));
        return { from, to: Math.min(Math.max(end, from + 1), length), text };
      });
      view.dispatch({ effects: setMarks.of(found.filter(({ from, to }) => from < to)) });
    },
  };
}
