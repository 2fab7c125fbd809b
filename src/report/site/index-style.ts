/**
 * Widths of the columns of the index, in rem. On narrower screens, each row is a card, so that nothing scrolls
 * sideways.
 */
const TEST_COLUMN = 12;
const QUESTION_COLUMN = 14;
const MODEL_COLUMN = 7;
const HARDWARE_COLUMN = 7;
const AROUND = 2;
const MARK_COLUMN = 5.5;
const WEAKEST_COLUMN = 9;

/** The style sheet of the index, without what all pages share; `models` is the number of its columns for models. */
export function indexStyle(models: number): string {
  const room = AROUND + TEST_COLUMN + QUESTION_COLUMN + MODEL_COLUMN * models + HARDWARE_COLUMN;
  return `${PARTS}${ROWS}${asCards(room)}`;
}

/** The style sheet of the page about fabrics: it has marks without words, so that its columns are narrower. */
export function fabricsStyle(fabrics: number): string {
  const room = AROUND + TEST_COLUMN + QUESTION_COLUMN + MARK_COLUMN * fabrics + WEAKEST_COLUMN;
  return `${PARTS}${ROWS}
.outcomes .model{width:${MARK_COLUMN}rem}
.outcomes thead .model{font-size:.85rem}
.outcomes thead .weakest{width:${WEAKEST_COLUMN}rem}
${asCards(room)}`;
}

const asCards = (room: number): string =>
  `@media screen and (max-width:${room - 0.01}rem){${CARDS}}`;

const PARTS = `
.folders:not([hidden]){display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0}
.folders li{min-width:0;overflow-wrap:anywhere}
.counts{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;list-style:none;padding:0}
.counts .departure{font-weight:700}
.by-model table{margin-bottom:1rem}
.attention{border:2px solid var(--departs);border-radius:.4rem;padding:0 1rem .5rem;margin:1rem 0}
.attention h2{margin-top:.75rem}
.filters{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:end;margin:1rem 0;padding:.75rem 1rem;
background:var(--raised);border:1px solid var(--line);border-radius:.4rem}
.filters[hidden]{display:none}
.filters p,.filters fieldset{margin:0;border:0;padding:0;min-width:0}
.filters p>label,.filters legend{display:block;font-size:.85rem;color:var(--faint);padding:0}
.filters fieldset label{display:inline-block;margin-right:1rem;padding:.3rem 0}
.filters input[type=search],.filters select,.filters button{font:inherit;height:2.25rem;padding:0 .5rem;max-width:100%}
.filters .result{display:flex;gap:1rem;align-items:center;flex-wrap:wrap}
#none{padding:1rem;border:1px solid var(--line);font-weight:600}
`;

const ROWS = `
.outcomes{border-collapse:separate;border-spacing:0;table-layout:fixed;width:100%;margin-top:1rem;
overflow-wrap:anywhere}
.outcomes caption{text-align:left;padding:.5rem .6rem;color:var(--faint)}
.outcomes thead th{position:sticky;top:0;z-index:2;background:var(--raised);
border-bottom:2px solid var(--ink)}
.outcomes thead button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:0;margin:0;
text-align:left;cursor:pointer;overflow-wrap:anywhere;text-decoration:underline dotted;text-underline-offset:.2em}
.outcomes [aria-sort=ascending] button::after{content:" ▲" / ""}
.outcomes [aria-sort=descending] button::after{content:" ▼" / ""}
.outcomes .test{width:${TEST_COLUMN}rem}
.outcomes .model{width:${MODEL_COLUMN}rem}
.outcomes thead .hardware{width:${HARDWARE_COLUMN}rem}
.outcomes th,.outcomes td{padding:.35rem .4rem}
.outcomes .verdict{font-size:.85rem;padding:0 .3rem;white-space:normal}
.outcomes .why{text-decoration:none}
.outcomes .why:hover .verdict,.outcomes .why:focus .verdict{text-decoration:underline}
.query .differ,.query .departure{display:block}
.outcomes th .title,.outcomes .query .title{display:block;font-weight:400;font-size:.85rem;line-height:1.35}
.outcomes .folder th{background:var(--raised);border-top:1px solid var(--line);padding-top:.6rem}
.outcomes .folder{scroll-margin-top:4rem}
.outcomes.sorted .row>th::after{content:attr(data-folder);display:block;font-weight:400;font-size:.85rem;color:var(--faint)}
.folder h2{display:inline;font-size:1.05rem;margin:0}
.folder .count{font-weight:400;margin-left:.6rem}
.outcomes .row:hover>*{background:var(--raised)}
.outcomes tr.departing>:first-child{box-shadow:inset 4px 0 var(--departs)}
.query .departure{font-size:.85rem;margin-right:.8rem;white-space:nowrap}
.instead{display:block;font-size:.85rem;color:var(--departs);font-weight:600}
@media screen{.outcomes:not(.filtered) .folded .row{display:none!important}}
.folder button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:left;overflow-wrap:anywhere}
.folder button::before{content:"▾ " / ""}
.folder .departure{margin-left:.6rem}
.folded .folder button::before{content:"▸ " / ""}
tr[hidden],tbody[hidden],table[hidden]{display:none!important}
`;

/** The style of rows as cards: first what a row is about, then each verdict with its model. */
const CARDS = `
.outcomes,.outcomes caption,.outcomes tbody,.outcomes thead,.outcomes .folder,.outcomes .folder th{display:block}
.outcomes thead{border:1px solid var(--line);padding:.3rem .6rem;background:var(--raised)}
.outcomes thead:not(:has(button)){display:none}
.outcomes thead tr{display:flex;flex-wrap:wrap;gap:.1rem 1rem}
.outcomes thead tr::before{content:"sort by"}
.outcomes thead th{position:static;border:0;padding:.2rem 0;width:auto!important}
.outcomes .row{display:flex;flex-wrap:wrap;gap:.2rem 1rem;padding:.6rem .4rem;border-bottom:1px solid var(--line)}
.outcomes .row>*{border:0;padding:0;width:auto;max-width:100%}
.outcomes .row>th,.outcomes .row>.query,.outcomes .row>[colspan]{flex:1 0 100%}
.outcomes .idle,.outcomes .hardware:empty{display:none}
.outcomes td[data-model]::before{content:attr(data-model) " ";font-size:.85rem;color:var(--faint)}
.outcomes .folder{position:sticky;top:0;z-index:1;scroll-margin-top:0}
.outcomes .row>.weakest{flex:1 0 100%}
.outcomes .row>.weakest:not(:empty)::before{content:"weakest on which it is safe: ";color:var(--faint)}
`;
