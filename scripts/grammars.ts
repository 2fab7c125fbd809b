// Compiles the nearley grammars to TypeScript, with tables beside them (tables.ts). The output is generated
// code: it is not type-checked.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import nearley from 'nearley';
import type { PlainRule } from './tables.js';
import { tablesOf } from './tables.js';

// nearley has no types of its compiler.
const require = createRequire(import.meta.url);
const compile = require('nearley/lib/compile.js') as (tree: unknown, options: object) => Grammar;
const generate = require('nearley/lib/generate.js') as (grammar: Grammar, name: string) => string;
const language = require('nearley/lib/nearley-language-bootstrapped.js') as nearley.CompiledRules;

/** A symbol of nearley's compiler: a rule by its name, or a token by code. */
type Symbol = string | { readonly token: string };

interface Rule {
  readonly name: string;
  readonly symbols: readonly Symbol[];
}

interface Grammar {
  readonly rules: readonly Rule[];
  readonly start: string;
  readonly config: object;
}

/** Writes the code of both grammars. */
export function writeGrammars(): void {
  for (const name of ['cat', 'litmus']) writeGrammar(`src/parse/${name}`);
}

function writeGrammar(file: string): void {
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
function withoutLexer({ rules, ...grammar }: Grammar): Grammar {
  const symbolOf = (symbol: Symbol): Symbol =>
    typeof symbol === 'string' || symbol.token === undefined
      ? symbol
      : { token: /\{type: "\w+"\}/.exec(symbol.token)![0] };
  return {
    ...grammar,
    rules: rules.map((rule) => ({ ...rule, symbols: rule.symbols.map(symbolOf) })),
    config: { ...grammar.config, lexer: undefined },
  };
}

/** Rules with the types of tokens as data. */
function plainRules({ rules }: Grammar): readonly PlainRule[] {
  return rules.map(({ name, symbols }) => ({
    name,
    symbols: symbols.map((symbol) =>
      typeof symbol === 'string' ? symbol : { type: /\{type: "(\w+)"\}/.exec(symbol.token)![1] },
    ),
  }));
}
