import { fail, location, ok } from '../parse/diagnostics/index.js';
import type { Diagnostic, Result, SourceFile } from '../parse/diagnostics/index.js';
import type { Item, Name } from '../parse/cat-ast.js';
import { elaborateLet } from './definitions.js';
import { elaborateExpr, expectKind } from './expression.js';
import type { Context } from './expression.js';
import { Declarations } from './instructions/declare.js';
import { interned } from './instructions/union.js';
import { BASE_SCOPE } from './scope.js';
import type { Scope } from './scope.js';
import { basesOf, emptyTable } from './table.js';
import type { Axiom, Definition, Model, TermId } from './term.js';

/** A model's syntax with its includes put in: what elaboration starts from. */
export interface Program {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly shipped: boolean;
  readonly items: readonly Item[];
}

type AxiomItem = Extract<Item, { kind: 'axiom' }>;

/**
 * Resolves names, tells sets and relations apart, and expands functions.
 *
 * @param sources the files of the items' spans, to quote from in messages
 * @returns the model, or everything that is wrong with it
 */
export function elaborate(
  program: Program,
  sources: ReadonlyMap<string, SourceFile>,
): Result<Model> {
  const errors: Diagnostic[] = [];
  const context: Context = { table: emptyTable(), errors, sources, calls: new Map(), depth: 0 };
  const axioms: Axiom[] = [];
  const definitions: Definition[] = [];
  const declarations = new Declarations(context);
  let shown: readonly string[] = [];
  let scope: Scope = BASE_SCOPE;

  const show = (name: string): void => {
    shown = [...shown.filter((other) => other !== name), name];
  };

  for (const item of program.items) {
    switch (item.kind) {
      case 'let': {
        const made = elaborateLet(context, scope, item);
        scope = made.scope;
        definitions.push(...made.definitions);
        break;
      }
      case 'axiom': {
        const axiom = elaborateAxiom(context, scope, item, axioms.length);
        if (axiom === undefined) break;
        reportNamesake(context, axiom, axioms, item.name);
        axioms.push(axiom);
        break;
      }
      case 'show':
        for (const name of item.names) {
          const term = shownTerm(context, scope, name);
          if (term === undefined) continue;
          show(name.text);
          // A base relation has no definition yet: whoever draws it looks names up in one place.
          if (!definitions.some((definition) => definition.name === name.text)) {
            definitions.push({ name: name.text, term });
          }
        }
        break;
      case 'showAs': {
        const value = elaborateExpr(context, scope, item.expr);
        const term = expectKind(context, value, 'rel', '`show` needs a relation', item.expr);
        if (term === undefined) break;
        definitions.push({ name: item.name.text, term });
        show(item.name.text);
        break;
      }
      case 'unshow':
        for (const { text } of item.names) shown = shown.filter((name) => name !== text);
        break;
      case 'initial':
      case 'event':
      case 'operation':
      case 'short':
      case 'guess':
      case 'tag':
        scope = declarations.declare(scope, item);
        break;
      case 'include':
        throw new Error('includes are put in before elaboration');
    }
  }

  const instructions = declarations.finish();
  if (errors.length > 0) return fail(errors);
  const { terms, groups, words } = context.table;
  const operandWords = [...words].map(([term, said]) => ({ term, words: said }));
  const { name, title, file, shipped } = program;
  const bases = basesOf(
    context.table,
    axioms.map((axiom) => axiom.term),
  );
  return ok({
    name,
    title,
    file,
    shipped,
    terms,
    groups,
    axioms,
    definitions,
    operandWords,
    shown,
    bases,
    instructions: interned(instructions),
  });
}

function elaborateAxiom(
  context: Context,
  scope: Scope,
  item: AxiomItem,
  position: number,
): Axiom | undefined {
  const { test, negated, flag, expr, span } = item;
  const value = elaborateExpr(context, scope, expr);
  const kind = test === 'empty' && value.kind === 'set' ? 'set' : 'rel';
  const need = `\`${test}\` needs ${test === 'empty' ? 'a set or a relation' : 'a relation'}`;
  const term = expectKind(context, value, kind, need, expr);
  if (term === undefined) return undefined;
  const name = item.name?.text ?? `${test}-${position + 1}`;
  return { test, negated, flag, term, name, span };
}

/** Verdicts and explanations speak of axioms by their names: each has its own. */
function reportNamesake(
  { errors, sources }: Context,
  { name, span }: Axiom,
  axioms: readonly Axiom[],
  at: Name | undefined,
): void {
  const earlier = axioms.find((axiom) => axiom.name === name);
  if (earlier === undefined) return;
  const source = sources.get(earlier.span.file);
  const where = source === undefined ? earlier.span.file : location(earlier.span, source);
  const message = `two axioms have the name '${name}'; the other is at ${where}`;
  errors.push({ span: at?.span ?? span, message, hint: 'give it another name with `as`' });
}

function shownTerm(context: Context, scope: Scope, name: Name): TermId | undefined {
  const expr = { kind: 'name', ...name } as const;
  const value = elaborateExpr(context, scope, expr);
  return expectKind(context, value, 'rel', '`show` needs relations', expr);
}
