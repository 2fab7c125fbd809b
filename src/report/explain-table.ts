import type { ModelExplanation } from '../analyses/explain/explanation.js';
import type { Test } from '../program/program.js';
import type { Fix } from '../analyses/repair/fix.js';
import type { PrintedAddition } from '../analyses/repair/print.js';
import { ownerOf } from '../analyses/repair/print.js';
import type { ElsewhereDeparture } from './elsewhere.js';
import { departureWords, departures } from './elsewhere.js';
import type { ExplainedQuery, ExplainedTest } from './explained-tests.js';

/** A Markdown table of answers: for each query a row with the question, the answer, and the fix. */
export function answerTable(tests: readonly ExplainedTest[]): string {
  const rows = tests.flatMap(({ test, told }) =>
    told.map((one) => [questionCell(test, one), ...answerCells(one)]),
  );
  return ['| Question | Answer | Fix |', '| --- | --- | --- |', ...rows.map(row)].join('\n');
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function questionCell({ name, title, queries }: Test, { query }: ExplainedQuery): string {
  const { text, label } = queries[query];
  const what = title === undefined ? '' : `: ${title};`;
  return `[${name}](#${anchorOf(name)})${what} *${label ?? `\`${text}\``}?*`;
}

/**
 * The anchor that GitHub and similar sites make of a heading: in lower case, without punctuation, with hyphens for
 * blanks.
 */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

function answerCells({ explanation, fixes, elsewhere }: ExplainedQuery): readonly string[] {
  const [under] = explanation.models;
  if (under === undefined) return ['not explained', '–'];
  const others = departures(under.verdict, elsewhere);
  const about = (part: ElsewhereDeparture['about']): string => {
    const those = others.filter((other) => other.about === part).map(departureWords);
    return those.length === 0 ? '' : ` (${those.join('; ')})`;
  };
  return [`${shortAnswer(under)}${about('answer')}`, `${shortFix(fixes)}${about('fix')}`];
}

/** What has to be added, or a dash if nothing has to be. */
function shortFix([fix]: readonly Fix[]): string {
  if (fix?.kind !== 'additions') return '–';
  const { repair } = fix;
  switch (repair.kind) {
    case 'found':
      return [
        ...(repair.retagged ?? []).map(
          (one) => `${ownerOf(one)}: \`${one.text}\` for \`${one.insteadOf}\``,
        ),
        ...(repair.replaced ?? []).map(
          ({ thread, text, insteadOf }) => `${thread}: \`${text}\` for \`${insteadOf}\``,
        ),
        ...repair.additions.map(additionText),
      ].join(' and ');
    case 'none':
      return 'none found';
    case 'unknown':
      return `unknown: ${repair.reason}`;
  }
}

/** The answer to a question for people: yes or no. */
function shortAnswer({ verdict, upTo }: ModelExplanation): string {
  const bound = upTo === undefined ? '' : `, up to ${upTo} iterations`;
  switch (verdict) {
    case 'allowed':
      return '**Yes**';
    case 'fails':
      return '**No**';
    case 'forbidden':
      return `**No**${bound}`;
    case 'holds':
      return `**Yes**${bound}`;
    case 'vacuous':
    case 'unknown':
      return verdict;
  }
}

/** An addition and its place: T1: `poll(2)` before `x := 1`. */
const additionText = ({ thread, text, place }: PrintedAddition): string => {
  const where =
    'before' in place ? `before \`${place.before}\`` : `at the end of \`${place.endOf}\``;
  return `${thread}: \`${text}\` ${where}`;
};
