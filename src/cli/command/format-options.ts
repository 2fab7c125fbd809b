import { Option } from 'commander';
import type { FormatName, FormatOf } from '../print/formats.js';
import { SHORT_FORMATS } from '../print/formats.js';
import { UsageError } from './usage.js';

/** What help says of `--json`. */
export const JSON_TEXT = 'one JSON object a line';

const SHORT_TEXTS: { readonly [name in (typeof SHORT_FORMATS)[number]]: string } = {
  json: JSON_TEXT,
  markdown: 'the table of test as Markdown',
  herd: "herd7's log format, for mcompare7; one model only",
};

/** Reads a format that is asked for after `earlier`. Two different ones are a mistake. */
type ChooseFormat = (name: string, earlier: string | undefined) => string;

/** `conflict`: what is said of two formats, where it is not what commands usually say. */
const choice =
  (conflict?: string): ChooseFormat =>
  (name, earlier) => {
    if (earlier === undefined || earlier === name) return name;
    const usual = `a report has one format, and ${earlier} and ${name} are asked for`;
    throw new UsageError(conflict ?? usual);
  };

/** An option that stands for a format. Whatever its name is, the format becomes the `reporter`. */
class FormatOption extends Option {
  constructor(flag: string, text: string, format: FormatName, choose: ChooseFormat) {
    super(flag, text);
    this.preset(format).argParser(choose);
  }

  override attributeName(): string {
    return 'reporter';
  }
}

/**
 * The options for the format of a report: `--reporter` with a name, and for some formats an option of
 * their own.
 *
 * @param names the formats, the default one first
 * @param usual what help says of the default
 */
export function formats(names: readonly FormatName[], usual: string = names[0]): readonly Option[] {
  const choose = choice();
  const named = new Option('--reporter <format>', `the format of the report (default: ${usual})`);
  named.choices(names);
  const checked = named.parseArg!;
  named.argParser((text: string, earlier: string | undefined) =>
    choose(checked(text, earlier ?? '') as unknown as string, earlier),
  );
  const short = SHORT_FORMATS.filter((name) => names.includes(name));
  return [
    named,
    ...short.map((name) => new FormatOption(`--${name}`, SHORT_TEXTS[name], name, choose)),
  ];
}

/** Commands where each format but text is asked for by an option of its own, and `--reporter` by none. */
type Command = 'explain' | 'robust' | 'agree' | 'instructions' | 'refine';

/**
 * The options of such a command.
 *
 * @param own for each format the option and its text
 * @param conflict what is said of two formats
 */
export function ownFormats<C extends Command>(
  own: { readonly [name in Exclude<FormatOf<C>, 'text'>]: readonly [flag: string, text: string] },
  conflict?: string,
): { readonly [name in Exclude<FormatOf<C>, 'text'>]: Option } {
  const choose = choice(conflict);
  const options: { [name: string]: Option } = {};
  for (const [name, [flag, text]] of Object.entries<readonly [string, string]>(own)) {
    options[name] = new FormatOption(flag, text, name as FormatName, choose);
  }
  return options as ReturnType<typeof ownFormats<C>>;
}
