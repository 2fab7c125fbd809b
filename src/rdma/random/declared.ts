import fc from 'fast-check';
import { balanced } from './balance.js';
import type { CallContext } from './calls.js';
import { callArms, waitPiece } from './calls.js';
import { NUMBER, PRIVATE, REGISTER, arm, branch, plain } from './draw.js';
import type { Layout, Theme, Themes } from './layout.js';
import { declarations, layouts, pairsOf } from './layout.js';
import { LOCATIONS } from './nodes.js';
import type { Piece } from './pieces.js';
import type { Source } from './programs.js';
import type { Vocabulary } from './vocabulary.js';
import { isTaker } from './vocabulary.js';
import { writeThread } from './write.js';

/** The themes that there is something to draw for. */
export function themesOf({ forms, tags, sharing }: Vocabulary): readonly Theme[] {
  const isThere: Themes = {
    tags: tags.operation.length > 0 || forms.some(({ operation }) => operation.tag !== undefined),
    messages: forms.some(({ ends }) => ends.length > 0),
    shared: sharing && forms.some(({ byNic }) => byNic),
    completions: sharing && forms.some((form) => isTaker(form) && form.ends.length === 0),
    places: tags.location.length + tags.qp.length + tags.node.length > 0,
    words: forms.some(({ isWide }) => isWide),
    new: forms.some(({ isNew }) => isNew),
  };
  return (Object.keys(isThere) as Theme[]).filter((theme) => isThere[theme]);
}

/**
 * Programs of all operations that models declare, about one theme. Now and then there is something of other themes, too.
 * Each of them is valid, also after shrinking.
 */
export function declaredPrograms(vocabulary: Vocabulary, theme: Theme): fc.Arbitrary<Source> {
  const there = themesOf(vocabulary);
  const has = (one: Theme): fc.Arbitrary<boolean> =>
    there.includes(one) ? fc.nat(9).map((n) => one === theme || n === 9) : fc.constant(false);
  return fc
    .record<Themes>({
      tags: has('tags'),
      messages: has('messages'),
      shared: has('shared'),
      completions: has('completions'),
      places: has('places'),
      words: has('words'),
      new: has('new'),
    })
    .chain((themes) =>
      layouts(vocabulary, themes).chain((layout) => threadsFor(vocabulary, themes, layout)),
    );
}

/** Messages go both ways, but more often from node 1 to the others. */
const CONNECTED: Readonly<Record<string, CallContext['connected']>> = {
  1: { to: 12, from: 3 },
  2: { to: 3, from: 30 },
  3: { to: 2, from: 2 },
};

function threadsFor(vocabulary: Vocabulary, themes: Themes, layout: Layout): fc.Arbitrary<Source> {
  const { homes } = layout;
  const bodies = homes.map((own, thread) => {
    const context: CallContext = {
      ...{ vocabulary, own, pairs: pairsOf(thread, themes, layout) },
      tagged: themes.tags ? 5 : 0,
      connected: themes.messages ? CONNECTED[own] : undefined,
      wide: themes.words ? 4 : 0,
      news: themes.new ? 12 : 1,
    };
    const [minLength, maxLength] = homes.length === 1 ? [3, 5] : thread < 2 ? [2, 4] : [1, 2];
    return fc.array(pieces(context), { minLength, maxLength });
  });
  return fc.tuple(...bodies).map((drawn) => ({
    nodes: declarations(themes, layout),
    threads: balanced(drawn).map((body, thread) => ({
      ...{ name: `T${thread + 1}`, node: homes[thread], body: writeThread(body) },
    })),
  }));
}

function pieces(context: CallContext): fc.Arbitrary<Piece> {
  const here = fc.constantFrom(...LOCATIONS[context.own]);
  const cpu = fc.oneof(
    arm(
      3,
      fc.tuple(here, NUMBER).map(([x, n]) => plain(`${x} := ${n}`)),
    ),
    arm(
      3,
      fc.tuple(REGISTER, here).map(([a, x]) => plain(`${a} := ${x}`, [], a)),
    ),
    arm(
      1,
      fc.tuple(here, REGISTER).map(([x, a]) => plain(`${x} := ${a} + 1`, [a])),
    ),
    arm(
      1,
      REGISTER.map((a) => plain(`${a} := ${PRIVATE}`, [PRIVATE], a)),
    ),
  );
  const called = fc.oneof(
    ...callArms(context),
    ...(context.vocabulary.waits ? [arm(6, waitPiece)] : []),
  );
  const simple = fc.oneof(arm(1, cpu), arm(3, called));
  return fc.oneof(arm(15, simple), arm(1, branch(simple, here)));
}
