/** Text that is HTML, with all that came from files escaped. Only `html` and `raw` may make it. */
export interface Html {
  readonly html: string;
}

/** What may be put into a template: text is escaped, lists are joined, `undefined` and `false` leave nothing. */
export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[];

const ESCAPES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for a place between tags, or in an attribute with quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

/** A template of HTML. Everything that is put into it is escaped, unless it is `Html` already. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let lean = LEAN.get(texts);
  if (lean === undefined) LEAN.set(texts, (lean = texts.map((t) => t.replace(/\n\s+/g, '\n'))));
  let all = '';
  lean.forEach((text, i) => (all += text + show(parts[i])));
  return { html: all };
}

/** The templates without indentation. It helps those who read the code, but would make pages twice as large. */
const LEAN = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Takes a text as HTML without escaping. Only for what Remora has made itself, and never for text from a file. */
export function raw(text: string): Html {
  return { html: text };
}

function show(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(show).join('');
}
