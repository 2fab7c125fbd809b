import type { CommandWords, OptionWords, ValueWords } from './words.js';

/** A script with which fish completes the commands; the first of them is the program. */
export function fishScript([program, ...commands]: readonly CommandWords[]): string {
  const { name } = program;
  const at = (command: string, rest: string): string =>
    `complete -c ${name} -n '__${name}_at ${command}' ${rest}`.trimEnd();
  return [
    `# Completion of ${name} for fish: ${name} completion fish | source`,
    `complete -c ${name} -f`,
    '# Is the first word that stands there already this one, or is there none?',
    `function __${name}_at`,
    '    set -l words (commandline -opc)',
    '    test "$words[2]" = "$argv[1]"',
    'end',
    ...program.options.map((option) => at('', optionText(option))),
    ...commands.map((command) => at('', `-a ${command.name} -d ${quoted(command.text)}`)),
    ...commands.flatMap(({ name: command, options, operands }) => [
      ...options.map((option) => at(command, optionText(option))),
      at(command, valuesTexts(operands).join(' ')),
    ]),
    '',
  ].join('\n');
}

function optionText({ short, long, text, value }: OptionWords): string {
  return [
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    `-l ${long.slice(2)}`,
    ...(value === undefined ? [] : [value.paths ? '-r' : '-x', ...valuesTexts(value)]),
    `-d ${quoted(text)}`,
  ].join(' ');
}

const valuesTexts = ({ words, paths }: ValueWords): readonly string[] => [
  ...(paths ? ['-F'] : []),
  ...(words.length === 0 ? [] : [`-a ${quoted(words.join(' '))}`]),
];

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
