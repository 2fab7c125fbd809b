/** What the server answers: a picture as SVG, or why there is none. */
export interface Shown {
  readonly svg?: string;
  readonly why?: string;
}

/** Nothing is loaded, and no script runs. */
const POLICY = `default-src 'none'; style-src 'unsafe-inline'`;

/** Pictures are on white, whatever the theme is. */
const STYLE = '<style>body { background: white; color: black }</style>';

/** The page with a picture. */
export function page({ svg, why = '' }: Shown): string {
  const text = why.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>Remora</title>${STYLE}${svg ?? `<pre>${text}</pre>`}`;
}
