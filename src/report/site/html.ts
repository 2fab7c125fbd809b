/** Text that is HTML already. Made by `html` and `raw` alone. */
export interface Html {
  readonly html: string;
}

/** What can stand in a piece of HTML: text is escaped, lists are joined, `undefined` and `false` are nothing. */
export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[];

const ESCAPES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand between tags, and in attributes within quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

/** A template of HTML: everything that is put into it is escaped, unless it is HTML itself. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let lean = LEAN.get(texts);
  if (lean === undefined) LEAN.set(texts, (lean = texts.map((t) => t.replace(/\n\s+/g, '\n'))));
  let all = '';
  lean.forEach((text, i) => (all += text + show(parts[i])));
  return { html: all };
}

/** Templates without indentation, which is for those who read their code, and would make pages twice as large. */
const LEAN = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Takes text as HTML: for what this program has made itself. */
export function raw(text: string): Html {
  return { html: text };
}

function show(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(show).join('');
}
