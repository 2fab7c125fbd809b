import type { CommandWords, OptionWords, ValueWords } from './words.js';

/** A script with which zsh completes the commands; the first of them is the program. */
export function zshScript([program, ...commands]: readonly CommandWords[]): string {
  const { name } = program;
  return `#compdef ${name}
# Completion of ${name} for zsh: source <(${name} completion zsh), after compinit.
_${name}() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands=(
${commands.map((command) => `    ${quoted(`${command.name}:${command.text}`)}`).join('\n')}
  )
  _arguments -C ${program.options.flatMap(optionSpecs).join(' ')} \\
    '1:command:->command' '*::argument:->arguments'
  case $state in
    command) _describe -t commands '${name} command' commands ;;
    arguments)
      case $words[1] in
${commands.map(branch).join('\n')}
      esac ;;
  esac
}
compdef _${name} ${name}
`;
}

function branch({ name, options, operands }: CommandWords): string {
  const specs = [...options.flatMap(optionSpecs), quoted(`*:argument:${action(operands)}`)];
  const lines = ['_arguments', ...specs.map((spec) => `          ${spec}`)];
  return `        ${name}) ${lines.join(' \\\n')} ;;`;
}

/** One for each spelling. An option with a value may come again. */
function optionSpecs({ short, long, text, value }: OptionWords): readonly string[] {
  const about = `[${text.replace(/[\\[\]:]/g, '\\$&')}]`;
  const spellings = short === undefined ? [long] : [short, long];
  if (value === undefined) {
    const once = `(${spellings.join(' ')})`;
    return spellings.map((spelling) => quoted(once + spelling + about));
  }
  return spellings.map((spelling) => {
    const joined = spelling === long ? `${spelling}=` : `${spelling}+`;
    return quoted(`*${joined}${about}:value:${action(value)}`);
  });
}

function action({ words, paths }: ValueWords): string {
  if (words.length === 0) return paths ? '_files' : ' ';
  const list = `(${words.join(' ')})`;
  // Colons divide a specification, so those of the call are escaped.
  return paths ? `{_alternative "words\\:word\\:${list}" "files\\:file\\:_files"}` : list;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
