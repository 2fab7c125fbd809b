/** The elements that answers are made of. Texts are put in as texts, never as HTML. */
import type { Mistake } from './question.js';

export function section(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  const made = element('section');
  made.append(element('h2', title), ...content);
  return made;
}

export function pre(text: string): HTMLElement {
  const made = element('pre', text);
  made.tabIndex = 0;
  return made;
}

export function cell(kind: 'th', text: string, scope: string): HTMLTableCellElement {
  const made = element(kind, text);
  made.scope = scope;
  return made;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text?: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** What scrolls by itself where there is too little room. */
export function scrolling(label: string, ...content: readonly HTMLElement[]): HTMLElement {
  const scroll = element('div');
  scroll.className = 'scroll';
  scroll.tabIndex = 0;
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', label);
  scroll.append(...content);
  return scroll;
}

export function verdictButton(verdict: string, explain: () => void): HTMLButtonElement {
  const button = element('button', verdict);
  button.className = `verdict ${/^\w+$/.test(verdict) ? verdict : ''}`;
  button.title = 'explain this';
  button.onclick = explain;
  return button;
}

export const warned = (warnings: readonly Mistake[]): readonly HTMLElement[] =>
  warnings.length === 0 ? [] : [pre(warnings.map(({ text }) => text).join('\n'))];
