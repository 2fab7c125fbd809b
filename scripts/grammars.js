// Compiles the nearley grammars to TypeScript, with tables beside them (tables.js). The output is generated
// code: it is not type-checked.
import { readFileSync, writeFileSync } from 'node:fs';
import nearley from 'nearley';
import compile from 'nearley/lib/compile.js';
import generate from 'nearley/lib/generate.js';
import language from 'nearley/lib/nearley-language-bootstrapped.js';
import { tablesOf } from './tables.js';

for (const name of ['cat', 'litmus']) {
  const file = `src/parse/${name}`;
  const parser = new nearley.Parser(nearley.Grammar.fromCompiled(language));
  parser.feed(readFileSync(`${file}.ne`, 'utf8'));
  const grammar = withoutLexer(compile(parser.results[0], {}));
  const code = generate(grammar, 'grammar');
  const tables = JSON.stringify(tablesOf(plainRules(grammar), grammar.start));
  // V8 reads JSON in a string more quickly than an object literal.
  const text = `// @ts-nocheck
${code}
import { once } from './once.js';
export const tables = once(() => JSON.parse('${tables}'));
`;
  writeFileSync(`${file}.grammar.ts`, text);
}

/** nearley has code for tokens that asks the lexer whether it has them: it has all. Tokens come from parseTokens. */
function withoutLexer({ rules, ...grammar }) {
  const symbolOf = (symbol) =>
    symbol.token === undefined ? symbol : { token: /\{type: "\w+"\}/.exec(symbol.token)[0] };
  return {
    ...grammar,
    rules: rules.map((rule) => ({ ...rule, symbols: rule.symbols.map(symbolOf) })),
    config: { ...grammar.config, lexer: undefined },
  };
}

/** Rules with the types of tokens as data. */
function plainRules({ rules }) {
  return rules.map(({ name, symbols }) => ({
    name,
    symbols: symbols.map((symbol) =>
      typeof symbol === 'string' ? symbol : { type: /\{type: "(\w+)"\}/.exec(symbol.token)[1] },
    ),
  }));
}
