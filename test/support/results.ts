import { digested } from '../../src/cli/results/digest.js';

/** The text of a file of results without the digests of its lines. */
export const undigestedText = (text: string): string =>
  text.replace(/,"sha256":"[0-9a-f]{64}"\}$/gm, '}');

/** A file of results that somebody changed, with digests that fit. */
export function redigested(text: string): string {
  let [run, entry] = ['', ''];
  return undigestedText(text)
    .split('\n')
    .map((json) => {
      if (json === '') return '';
      const value = JSON.parse(json) as object;
      const [isHeader, isEntry] = [
        'corpus' in value || 'random' in value || 'calls' in value,
        'source' in value,
      ];
      const { line, digest } = digested(
        json,
        isHeader ? '' : isEntry || entry === '' ? run : entry,
      );
      if (isHeader) [run, entry] = [digest, ''];
      else if (isEntry) entry = digest;
      return line;
    })
    .join('\n');
}
