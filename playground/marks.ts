import type { Extension } from '@codemirror/state';
import { RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutter, hoverTooltip } from '@codemirror/view';

/** What is wrong in a part of a text. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Puts marks in the place of those before. */
export const setMarks = StateEffect.define<readonly Mark[]>();

/** The marks, which move with the text. */
const FIELD = StateField.define({
  create: () => Decoration.none,
  update(marks, { changes, effects }) {
    const set = effects.find((effect) => effect.is(setMarks));
    if (set === undefined) return marks.map(changes);
    const made = (set.value as readonly Mark[]).map(({ from, to, text }) =>
      Decoration.mark({ class: 'wrong', text }).range(from, to),
    );
    return Decoration.set(made, true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Dot extends GutterMarker {
  override elementClass = 'wrong-line';
}
const DOT = new Dot();

/** Wrong parts are underlined, their lines have a dot, and what is wrong is shown where one points. */
export const MARKS: Extension = [
  FIELD,
  gutter({
    class: 'wrong-lines',
    markers: ({ state }) => {
      const lines: number[] = [];
      state.field(FIELD).between(0, state.doc.length, (from) => {
        lines.push(state.doc.lineAt(from).from);
      });
      return RangeSet.of(lines.map((from) => DOT.range(from)));
    },
  }),
  hoverTooltip(({ state }, at) => {
    const texts: string[] = [];
    state.field(FIELD).between(at, at, (_from, _to, { spec }) => {
      texts.push(spec.text as string);
    });
    if (texts.length === 0) return null;
    const dom = document.createElement('pre');
    dom.textContent = texts.join('\n\n');
    return { pos: at, create: () => ({ dom }) };
  }),
];
