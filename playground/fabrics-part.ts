import { element, pre, scrolling, section, verdictButton, warned } from './elements.js';
import type { OnAllFabrics, Part } from './question.js';

/** @param explain is told which fabric and query people want to have explained */
type Explain = (model: string, query: number) => void;

/** A program on all fabrics: a table for each query, and what it comes to. */
export function fabricsOf(
  { name, queries, refused, warnings }: Extract<Part, { kind: 'fabrics' }>,
  explain: Explain,
): HTMLElement {
  const none =
    refused ?? (queries.length === 0 ? 'This file asks nothing: add exists (…).' : undefined);
  return section(
    name,
    ...queries.flatMap((query, i) => queryOf(query, i, explain)),
    ...(none === undefined ? [] : [element('p', none)]),
    ...warned(warnings),
  );
}

function queryOf(
  { text, fabrics, summary, assuming }: OnAllFabrics,
  query: number,
  explain: Explain,
): readonly HTMLElement[] {
  const table = element('table');
  table.createCaption().textContent = text;
  const body = table.createTBody();
  for (const { name, model, verdict, said } of fabrics) {
    const row = body.insertRow();
    const head = element('th', model);
    head.scope = 'row';
    const decided = element('td');
    decided.append(verdictButton(verdict, () => explain(name, query)));
    row.append(head, decided, element('td', said));
  }
  return [
    scrolling(text, table),
    element('p', summary),
    ...assuming.map((line) => element('p', `if ${line}`)),
  ];
}

/** What would rule it out where it can go wrong. */
export const fixesOf = ({ queries }: Extract<Part, { kind: 'fixes' }>): HTMLElement =>
  section(
    'What would rule it out',
    ...queries.flatMap(({ text, groups }) => [
      element('h3', text),
      ...groups.flatMap(({ models, lines }) => [
        element('p', `On ${models.join(', ')}:`),
        pre(lines.join('\n')),
      ]),
    ]),
  );
