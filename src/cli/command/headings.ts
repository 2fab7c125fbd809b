/** Headings that divide long lists of options in helps. */
import type { Option } from 'commander';

/** A list of at most so many options has no headings. */
const SHORT = 8;

/** Headings, each with the options below it, by their long names. Any other option is one of the command's own. */
const OPTION_HEADINGS: { readonly [heading: string]: readonly string[] } = {
  'What is asked:': [
    ...['model', 'library', 'implementation', 'set', 'query', 'grep', 'bound', 'shipped', 'all'],
    ...['include', 'shard'],
  ],
  'How it is decided:': [
    ...['engine', 'solver', 'limit', 'buffer', 'counter-bound', 'time-limit', 'memory', 'jobs'],
  ],
  'What is printed:': ['reporter', 'json', 'markdown', 'table', 'herd', 'quiet', 'show'],
  'Files:': [
    ...['out', 'resume', 'force', 'proof', 'proof-format', 'dot', 'svg', 'png', 'timeline'],
  ],
};

const HEADING_OF = new Map<string, string>(
  Object.entries(OPTION_HEADINGS).flatMap(([heading, names]) =>
    names.map((name) => [`--${name}`, heading] as const),
  ),
);

/** Puts the options of a command below headings, if they are many. */
export function underHeadings(options: readonly Option[]): readonly Option[] {
  if (options.length <= SHORT) return options;
  return options.map((option) => {
    const heading = HEADING_OF.get(option.long ?? '');
    return heading === undefined ? option : option.helpGroup(heading);
  });
}
