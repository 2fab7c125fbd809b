import { Option } from 'commander';
import type { FormatName } from '../print/formats.js';
import { SHORT_FORMATS, formatNamed } from '../print/formats.js';
import { UsageError } from './usage.js';

/**
 * Reads a format option, where an earlier option may have asked for the format `earlier`. Two different formats are a
 * mistake.
 */
type ChooseFormat = (name: string, earlier: string | undefined) => string;

/** `conflict`: the message about two formats, if it is not the usual one. */
const choice =
  (conflict?: string): ChooseFormat =>
  (name, earlier) => {
    if (earlier === undefined || earlier === name) return name;
    const usual = `a report has one format, and ${earlier} and ${name} are asked for`;
    throw new UsageError(conflict ?? usual);
  };

/** An option that chooses a format. It sets the value of `reporter`, whatever its own name is. */
class FormatOption extends Option {
  constructor(flag: string, text: string, format: FormatName, conflict?: string) {
    super(flag, text);
    this.preset(format).argParser(choice(conflict));
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
    ...short.map((name) => new FormatOption(`--${name}`, formatNamed(name).option!, name)),
  ];
}

/**
 * The option for a format of a command that has no `--reporter`.
 *
 * @param conflict the message if another format is asked for, too
 */
export const formatOption = (
  format: FormatName,
  flag: string,
  text: string,
  conflict?: string,
): Option => new FormatOption(flag, text, format, conflict);
