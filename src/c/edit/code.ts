/** Statements, and the variables that they need. */
export interface Code {
  readonly declarations: readonly string[];
  readonly statements: readonly string[];
}

/** One behind the other. */
export const joined = (all: readonly Code[]): Code => ({
  declarations: [...new Set(all.flatMap(({ declarations }) => declarations))],
  statements: all.flatMap(({ statements }) => statements),
});

/** As lines: variables are in a block of their own. */
export function linesOf({ declarations, statements }: Code, unit: string): readonly string[] {
  if (declarations.length === 0) return statements;
  const inner = [...declarations, '', ...statements];
  return ['{', ...inner.map((line) => (line === '' ? '' : unit + line)), '}'];
}

export const distinct = (all: readonly Code[]): readonly Code[] => [
  ...new Map(all.map((code) => [JSON.stringify(code), code])).values(),
];
