import { Option } from 'commander';
import type { Format } from '../reporters.js';
import { FORMATS, SHORT_FORMATS } from '../reporters.js';
import { UsageError } from '../usage.js';

type Short = (typeof SHORT_FORMATS)[number];

const SHORT_TEXTS: { readonly [name in Short]: string } = {
  json: 'one JSON object a line',
  markdown: 'the table of test as Markdown',
  herd: "herd7's log format, for mcompare7; one model only",
};

/** An option that stands for a format of its own name. */
class ShortFormat extends Option {
  override attributeName(): string {
    return 'reporter';
  }
}

/** Every format; which of them fit depends on the results. */
const ALL: readonly Format[] = [...new Set(Object.values(FORMATS).flat())];

/**
 * The format of a report: `--reporter` with its name, and for some an option of their own. Two
 * different ones are a mistake.
 *
 * @param formats the default one first; without them, any, and the default is that of the command
 *   that the results are of
 */
export function formats(formats?: readonly Format[]): readonly Option[] {
  const choices: readonly string[] = formats ?? ALL;
  const only = (name: string, earlier: string | undefined): string => {
    if (earlier === undefined || earlier === name) return name;
    throw new UsageError(`a report has one format, and ${earlier} and ${name} are asked for`);
  };
  const usual = formats?.[0] ?? 'that of the command whose results they are';
  const named = new Option('--reporter <format>', `the format of the report (default: ${usual})`);
  named.choices(choices);
  const checked = named.parseArg!;
  named.argParser((text: string, earlier: string | undefined) =>
    only(checked(text, earlier ?? '') as unknown as string, earlier),
  );
  const short = SHORT_FORMATS.filter((name) => choices.includes(name)).map((name) =>
    new ShortFormat(`--${name}`, SHORT_TEXTS[name]).preset(name).argParser(only),
  );
  return [named, ...short];
}
