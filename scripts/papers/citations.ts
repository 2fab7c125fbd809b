// Citations of the papers in texts: "TSO paper, Fig. 15", "LOCO paper, Def. E.1 and Thms 3.14, E.3".

/** The papers, by the word before "paper". */
export const PAPERS = ['TSO', 'robustness', 'decidability', 'ALock', 'LOCO'] as const;
export type Paper = (typeof PAPERS)[number];

/** Something in a paper that has a number or a name: `Fig. 15`, `§5.3`, `App. C.5`, `StarvationFree`. */
export interface Citation {
  readonly paper: Paper;
  readonly item: string;
}

/** How a kind is written, and how it is called here. */
const KINDS: readonly (readonly [written: RegExp, name: string])[] = [
  [/^(?:Figs?\.|Figures?)/, 'Fig.'],
  [/^(?:Defs?\.|Definitions?)/, 'Def.'],
  [/^(?:Thms?\.?|Theorems?)/, 'Thm'],
  [/^Lemmas?/, 'Lemma'],
  [/^(?:Cors?\.|Corollar(?:y|ies))/, 'Cor.'],
  [/^(?:Apps?\.|[Aa]ppendi(?:x|ces))/, 'App.'],
  [/^(?:§§?|[Ss]ections?)/, '§'],
  [/^Tables?/, 'Table'],
  [/^Algorithms?/, 'Algorithm'],
  [/^(?:Exs?\.|Examples?)/, 'Ex.'],
  [/^Claims?/, 'Claim'],
];

/** `15`, `2a`, `3.14`, `E`, `E.3`; the decidability paper's appendices begin with `0.`, which is left out here. */
const NUMBER = /^(?:0\.)?((?:[A-I](?:\.\d+)*|\d+(?:\.\d+)*)(?:(?<=\d)[a-i])?)(?!\w)/;
/** Up to which number, or letter: of `13-16`, `B.6–B.11`, `1a-d`. */
const LAST = /^[-–](?:[A-I]\.|\d+(?=[a-i]))?(\d+|[a-i])(?!\w)/;
const BETWEEN = /^(?:, and |, | and |; )/;

/** What the ALock paper's appendix asks of its lock: formulas, which have no numbers. */
const FORMULA =
  /^(?:MutualExclusion|ExecsCriticalSectionInfinitelyOften|StarvationFree|DeadAndLivelockFree|CohortFairness|GlobalFairness)\b/;

const NAME = /(TSO|[Rr]obustness|[Dd]ecidability|ALock|LOCO) paper/.source;
/** The paper first, and then its items. */
const BEFORE = new RegExp(`\\b${NAME}(?:'s|,| \\()? *`, 'g');
/** The items first: "Theorem 5 of the robustness paper". */
const AFTER = new RegExp(
  `(\\S+ ?[\\dA-I][\\w.]*(?:(?:, | and )[\\dA-I][\\w.]*)*) (?:of|in) the ${NAME}`,
  'g',
);

/** All citations in a text. Lines of comments are one text. */
export function citationsIn(text: string): readonly Citation[] {
  const line = text.replaceAll(/\s*\n[ \t]*(?:\*|\/\/|#|\|)?[ \t]*/g, ' ');
  const cited = (name: string, items: string): readonly Citation[] => {
    const paper = PAPERS.find((one) => one.toLowerCase() === name.toLowerCase())!;
    return itemsAt(items).map((item) => ({ paper, item }));
  };
  return [
    ...[...line.matchAll(BEFORE)].flatMap((found) =>
      cited(found[1], line.slice(found.index + found[0].length)),
    ),
    ...[...line.matchAll(AFTER)].flatMap(([, items, name]) => cited(name, items)),
  ];
}

/** The items that a text begins with. */
function itemsAt(text: string): readonly string[] {
  const items: string[] = [];
  let rest = text;
  for (let kind: string | undefined; ;) {
    const of = KINDS.find(([written]) => written.test(rest));
    if (of !== undefined) {
      [, kind] = of;
      rest = rest.replace(of[0], '').trimStart();
    }
    const found = itemAt(rest, kind);
    if (found === undefined) return items;
    items.push(...found.items);
    rest = rest.slice(found.length);
    const between = BETWEEN.exec(rest);
    if (between === null) return items;
    rest = rest.slice(between[0].length);
  }
}

/** The item, or the range of items, that a text begins with, and how long its text is. */
function itemAt(
  text: string,
  kind: string | undefined,
): { readonly items: readonly string[]; readonly length: number } | undefined {
  const formula = FORMULA.exec(text)?.[0];
  if (formula !== undefined) return { items: [formula], length: formula.length };
  const [written, first] = NUMBER.exec(text) ?? [];
  if (kind === undefined || written === undefined) return undefined;
  const range = LAST.exec(text.slice(written.length));
  const numbers = range === null ? [first] : upTo(first, range[1]);
  return {
    items: numbers.map((number) => (kind === '§' ? `§${number}` : `${kind} ${number}`)),
    length: written.length + (range?.[0].length ?? 0),
  };
}

/** The numbers from one up to a last one: from C.1 up to 3, from 2a up to d. */
function upTo(first: string, last: string): readonly string[] {
  const letters = /^(.*\d)([a-i])$/.exec(first);
  const [, before, from] = letters ?? /^(.*?)(\d+)$/.exec(first) ?? [];
  if (before === undefined) return [first];
  const code = (text: string): number => (letters === null ? Number(text) : text.charCodeAt(0));
  const named = (k: number): string => (letters === null ? `${k}` : String.fromCharCode(k));
  const many = Math.max(1, code(last) - code(from) + 1);
  return Array.from({ length: many }, (_, k) => `${before}${named(code(from) + k)}`);
}

/** An item, what it is a part of, and so on: Fig. 2a is a part of Fig. 2, and §5.3 of §5. */
export function widerThan(item: string): readonly string[] {
  const wider = item.replace(/(?:\.\d+|(?<=\d)[a-i])$/, '');
  return wider === item ? [item] : [item, ...widerThan(wider)];
}
