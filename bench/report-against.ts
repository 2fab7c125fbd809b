// Remora beside other checkers, as tables.
import type { AgainstAnswer, FamilyAgainst } from './against.js';
import { ms, table } from './markdown.js';

const WHAT = { one: 'asked outcome', all: 'all final states' };

export function againstLines(families: readonly FamilyAgainst[]): readonly string[] {
  return [
    'Milliseconds of whole commands on this machine, starts included: programs of CPUs under x86-TSO, each checker with its own',
    'model. A series ends where an answer takes too long. Verdicts that differ are marked.',
    ...families.flatMap(({ family, answers }) => {
      const columns = [...new Map(answers.map((a) => [`${a.name}, ${WHAT[a.ask]}`, a])).entries()];
      const sizes = [...new Set(answers.map(({ k }) => k))];
      return [
        '',
        `### ${family}`,
        '',
        ...table(
          ['k', 'verdict', ...columns.map(([title]) => title)],
          sizes.map((k) => {
            const here = answers.filter((a) => a.k === k);
            const { verdict } = here.find((a) => a.verdict !== undefined) ?? {};
            const cell = ({ name, ask }: AgainstAnswer): string => {
              const found = here.find((a) => a.name === name && a.ask === ask);
              if (found === undefined) return '';
              const differs = found.verdict !== undefined && found.verdict !== verdict;
              return (
                (found.end ?? ms(1000 * found.seconds.median)) +
                (differs ? ` **${found.verdict}**` : '')
              );
            };
            return [k, verdict ?? '', ...columns.map(([, column]) => cell(column))];
          }),
        ),
      ];
    }),
  ];
}
