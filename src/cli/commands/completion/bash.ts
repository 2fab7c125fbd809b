import type { CommandWords, OptionWords, ValueWords } from './words.js';

/** A script with which bash completes the commands; the first of them is the program. */
export function bashScript([program, ...commands]: readonly CommandWords[]): string {
  const { name } = program;
  return `# Completion of ${name} for bash: source <(${name} completion bash)
_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words= paths=
  # \`--option=value\` is three words.
  [[ $cur == = ]] && cur=
  [[ $prev == = ]] && prev=\${COMP_WORDS[COMP_CWORD-2]}
  COMPREPLY=()
  local command=
  (( COMP_CWORD > 1 )) && command=\${COMP_WORDS[1]}
  case $command in
${[program, ...commands].map((command) => branch(command, command === program)).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  # Without anything here, bash completes paths.
  [[ -n $paths ]] || compopt +o default 2>/dev/null
}
complete -o default -F _${name} ${name}
`;
}

/** The completions after one command, or, for the program, in place of a command. */
function branch({ name, options, operands }: CommandWords, isProgram: boolean): string {
  const flags = options.flatMap(spellings);
  return [
    `    ${isProgram ? "''" : name})`,
    '      case $prev in',
    ...valueBranches(options),
    '        *)',
    `          if [[ $cur == -* ]]; then words='${flags.join(' ')}'`,
    `          else ${assigned(operands)}`,
    '          fi ;;',
    '      esac ;;',
  ].join('\n');
}

/** A branch for options with the same values. */
function valueBranches(options: readonly OptionWords[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const option of options) {
    if (option.value === undefined) continue;
    const action = assigned(option.value);
    groups.set(action, [...(groups.get(action) ?? []), ...spellings(option)]);
  }
  return [...groups].map(([action, names]) => `        ${names.join('|')}) ${action} ;;`);
}

const spellings = ({ short, long }: OptionWords): readonly string[] =>
  short === undefined ? [long] : [short, long];

const assigned = ({ words, paths }: ValueWords): string =>
  `words='${words.join(' ')}' paths=${paths ? '1' : ''}`;
