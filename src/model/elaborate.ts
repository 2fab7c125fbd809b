import { fail, ok } from '../parse/diagnostics/index.js';
import type { Mistake, Result, SourceFile, Span } from '../parse/diagnostics/index.js';
import type { AxiomItem, CatItem, Name } from '../parse/cat-ast.js';
import { DEPTH, TOO_DEEP } from '../parse/depth.js';
import type { NameLink } from '../parse/links.js';
import { Axioms, elaborateAxiom, forbidsMore } from './axioms.js';
import { CALLS, LEVELS } from './context.js';
import type { Context } from './context.js';
import { elaborateLet } from './definitions.js';
import { apartFor, countOf, elaborateExpr } from './expression.js';
import { Declarations } from './instructions/declare.js';
import { librarySetName } from './instructions/library.js';
import { interned } from './instructions/union.js';
import { definedHere, usedIn } from './name-places.js';
import { expectKind, restricted } from './operands.js';
import { BASE_SCOPE, define, extend, find } from './scope.js';
import type { CatValue, ModelScope } from './scope.js';
import { elementsOf, setOf } from './static.js';
import { basesOf, emptyTable, intern } from './table.js';
import type { Definition, Model, TermId } from './term.js';
import { elaborateFrom } from './with-from.js';

/** What a library calls the relation that says what its calls synchronise. */
export const SYNCHRONISES = 'so';

/** A model's syntax with its includes put in: what elaboration starts from. */
export interface ParsedModel {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly shipped: boolean;
  readonly items: readonly CatItem[];
  /** Whether it is written for herd7, which has pictures show what there is of what they are told to. */
  readonly isOfHerd?: boolean;
  /** The libraries that the items put together, each with items of its own. */
  readonly libraries?: readonly LibraryPart[];
}

/** A library file with its includes put in. */
export interface LibraryPart {
  readonly name: Name;
  readonly title: string;
  /** The file's name, without folder and `.cat`. */
  readonly file: string;
  readonly items: readonly CatItem[];
}

/**
 * Resolves names, tells sets and relations apart, and expands functions.
 *
 * @param sources the files of the items' spans, to quote from in messages
 * @param links gets what names stand for, whatever is wrong with the model, if anybody wants to know
 * @returns the model, or everything that is wrong with it
 */
export function elaborate(
  program: ParsedModel,
  sources: ReadonlyMap<string, SourceFile>,
  links?: NameLink[],
): Result<Model> {
  return new Elaboration(program, sources, links).model();
}

/** A library whose definitions are elaborated, and whose axioms are not. */
interface Elaborated {
  readonly part: LibraryPart;
  readonly context: Context;
  readonly axioms: readonly { readonly item: AxiomItem; readonly scope: ModelScope }[];
  /** Its synchronisation order (LOCO paper, Def. 3.3). */
  readonly so: TermId | undefined;
}

/** A definition, and the library in which it stands. */
type Owned = Definition & { readonly library?: string };

class Elaboration {
  private readonly errors: Mistake[] = [];
  private readonly context: Context;
  private readonly axioms = new Axioms();
  /** How many procedures and loops the present items are inside of. */
  private depth = 0;
  /** Whether a `with` has chosen the order of writes. */
  private isOrdered = false;
  private readonly definitions: Owned[] = [];
  /** Their names. */
  private readonly defined = new Set<string>();
  private readonly declarations: Declarations;
  private readonly shown = new Set<string>();

  constructor(
    private readonly program: ParsedModel,
    sources: ReadonlyMap<string, SourceFile>,
    links?: NameLink[],
  ) {
    const { errors } = this;
    this.context = {
      table: emptyTable(),
      errors,
      sources,
      calls: new Map(),
      work: { calls: CALLS },
      local: (context, scope, bindings) => elaborateLet(context, scope, bindings).scope,
      links,
      unsettled: [],
      depth: 0,
    };
    this.declarations = new Declarations(this.context);
  }

  model(): Result<Model> {
    const { program, context, errors } = this;
    const libraries = (program.libraries ?? []).map((part) => this.library(part));
    const scope = this.items(program.items, this.before(libraries), context, (item, at) =>
      this.axiom(item, at, context, this.axioms.list.length),
    );
    for (const library of libraries) this.axiomsOf(library, scope);
    const instructions = this.declarations.finish();
    if (errors.length > 0) return fail(errors);
    const { unsettled } = context;
    const { terms, groups, words } = context.table;
    const operandWords = [...words].map(([term, said]) => ({ term, words: said }));
    const { name, title, file, shipped } = program;
    const bases = basesOf(
      context.table,
      this.axioms.list.map((axiom) => axiom.term),
    );
    return ok({
      name,
      title,
      file,
      shipped,
      terms,
      groups,
      axioms: this.axioms.list,
      definitions: apart(this.definitions),
      operandWords,
      shown: [...this.shown],
      bases,
      instructions: interned(instructions),
      ...(unsettled.length > 0 && { unsettled }),
    });
  }

  /** What the items that put libraries together can name: the union of what the libraries synchronise. */
  private before(libraries: readonly Elaborated[]): ModelScope {
    const { table } = this.context;
    const [first, ...others] = libraries.flatMap(({ so }) => so ?? []);
    if (libraries.length === 0 || first === undefined) return BASE_SCOPE;
    const union = others.reduce(
      (left, right) => intern(table, { op: 'union', kind: 'rel', left, right }),
      first,
    );
    return extend(BASE_SCOPE, [[SYNCHRONISES, { kind: 'rel', id: union }]]);
  }

  private library(part: LibraryPart): Elaborated {
    const { name, title, file, items } = part;
    const { table } = this.context;
    const own = intern(table, { op: 'base', kind: 'set', name: librarySetName(name.text) });
    const all = intern(table, { op: 'product', kind: 'rel', left: own, right: own });
    const context: Context = { ...this.context, own: { events: own, pairs: all } };
    const plain = items.some(({ kind }) => kind === 'short');
    this.declarations.begin({ name: name.text, file, title, plain });
    const axioms: { item: AxiomItem; scope: ModelScope }[] = [];
    const scope = this.items(
      items,
      BASE_SCOPE,
      context,
      (item, at) => void axioms.push({ item, scope: at }),
      name.text,
    );
    this.declarations.begin(undefined);
    return { part, context, axioms, so: this.synchronisation(part, scope) };
  }

  private synchronisation({ name }: LibraryPart, scope: ModelScope): TermId | undefined {
    const so = find(scope, SYNCHRONISES);
    if (so?.kind === 'rel') return so.id;
    if (so?.kind === 'zero') return intern(this.context.table, { op: 'empty', kind: 'rel' });
    if (so?.kind === 'error') return undefined;
    const message =
      so === undefined
        ? `library ${name.text} does not say what its calls synchronise`
        : `\`so\` of library ${name.text} is no relation`;
    this.errors.push({ span: name.span, message, hint: 'define it: let so = …' });
    return undefined;
  }

  /** The axioms of a library may name `hb`, as the items that put libraries together define it. */
  private axiomsOf({ part, context, axioms }: Elaborated, root: ModelScope): void {
    const { table } = this.context;
    const hb = find(root, 'hb');
    const whole = hb?.kind === 'rel' ? hb.id : undefined;
    const given = whole === undefined ? undefined : restricted(context, 'rel', whole);
    for (const [position, { item, scope }] of axioms.entries()) {
      const before = this.axioms.list.length;
      // A library that defines a relation of this name means its own.
      const hidden = given === undefined || find(scope, 'hb') !== undefined;
      const inside = hidden ? scope : extend(scope, [['hb', { kind: 'rel', id: given }]]);
      this.axiom(item, inside, context, position, part.name.text);
      const made = this.axioms.list.at(before);
      if (made === undefined || whole === undefined) continue;
      if (made.flag || forbidsMore(table, made, whole)) continue;
      const message = 'with more of `hb`, this axiom could hold where it does not';
      const hint = 'an axiom of a library may ask only for what `hb` is not (LOCO paper, Def. 3.5)';
      this.errors.push({ span: item.expr.span, message, hint });
    }
  }

  /**
   * Elaborates items one after the other, and gives the scope behind the last one.
   *
   * @param axiom what is done with each axiom
   * @param library whose items they are
   */
  private items(
    items: readonly CatItem[],
    outer: ModelScope,
    context: Context,
    axiom: TakeAxiom,
    library?: string,
  ): ModelScope {
    let scope = outer;
    for (const item of items) {
      switch (item.kind) {
        case 'let': {
          const made = elaborateLet(context, scope, item);
          scope = made.scope;
          for (const one of made.definitions) this.put({ ...one, library });
          if (item.when !== undefined) axiom(item.when, scope);
          break;
        }
        case 'enum':
          scope = enumerated(context, scope, item);
          break;
        case 'procedure':
          scope = define(scope, [[item.name.text, { ...item, scope }]]);
          break;
        case 'call':
          this.call(item, scope, context, axiom, library);
          break;
        case 'forall':
          this.forall(item, scope, context, axiom, library);
          break;
        case 'from':
          scope = this.choose(item, scope, context, library);
          break;
        case 'aside':
          for (const expr of item.exprs) elaborateExpr(context, scope, expr);
          break;
        case 'axiom':
          axiom(item, scope);
          break;
        case 'show':
          for (const name of item.names) this.show(name, scope, library);
          break;
        case 'showAs': {
          const shown = this.showing(context);
          const value = elaborateExpr(shown, scope, item.expr);
          const term = expectKind(shown, value, 'rel', '`show` needs a relation', item.expr);
          if (term === undefined) break;
          this.put({ name: item.name.text, term, library });
          this.showName(item.name.text);
          break;
        }
        case 'unshow':
          for (const name of item.names) {
            usedIn(context, scope, name);
            this.shown.delete(name.text);
          }
          break;
        case 'initial':
        case 'event':
        case 'operation':
        case 'drop':
        case 'instead':
        case 'dropInstead':
        case 'short':
        case 'guess':
        case 'tag':
        case 'object':
        case 'role':
        case 'library':
          scope = this.declarations.declare(scope, item);
          break;
        case 'include':
        case 'conditional':
          throw new Error('includes and conditions are put in before elaboration');
      }
    }
    return scope;
  }

  /** The items of a procedure, with arguments. What it defines is not seen behind the call. */
  private call(
    { callee, args, name, span }: Extract<CatItem, { kind: 'call' }>,
    scope: ModelScope,
    outer: Context,
    axiom: TakeAxiom,
    library?: string,
  ): void {
    const found = find(scope, callee.text);
    const given = args.map((arg) => elaborateExpr(outer, scope, arg));
    if (found?.kind === 'error' || given.some(({ kind }) => kind === 'error')) return;
    const refuse = (at: Span, message: string): void =>
      void this.errors.push({ span: at, message });
    if (found?.kind !== 'procedure')
      return refuse(callee.span, `unknown procedure '${callee.text}'`);
    const { params } = found;
    const values = apartFor(params.length, given);
    if (values.length !== params.length) {
      return refuse(span, `'${callee.text}' takes ${countOf(params.length)}, not ${values.length}`);
    }
    const context: Context = { ...outer, depth: outer.depth + LEVELS, links: undefined };
    outer.work.calls -= 1;
    if (context.depth > DEPTH) return refuse(span, TOO_DEEP);
    if (outer.work.calls < 0)
      return refuse(span, `with this, the model has more than ${CALLS} calls`);
    const inner = extend(
      found.scope,
      params.map(({ text }, i) => [text, values[i]] as const),
    );
    const named: TakeAxiom = (item, at) => axiom(name === undefined ? item : { ...item, name }, at);
    this.inside(() => this.items(found.items, inner, context, named, library));
  }

  /** What is defined inside of procedures and loops is not seen from outside. */
  private inside(elaborate: () => void): void {
    this.depth += 1;
    elaborate();
    this.depth -= 1;
  }

  /** The items for each value of a set that is written down. */
  private forall(
    { name, of, items }: Extract<CatItem, { kind: 'forall' }>,
    scope: ModelScope,
    outer: Context,
    axiom: TakeAxiom,
    library?: string,
  ): void {
    const context: Context = { ...outer, depth: outer.depth + LEVELS };
    const value = elaborateExpr(context, scope, of);
    const elements = elementsOf(value);
    if (elements === undefined && value.kind !== 'error') {
      const message = '`forall` needs a set that is written down';
      this.errors.push({ span: of.span, message });
    }
    for (const element of elements ?? []) {
      const inner = extend(scope, [[name.text, element]]);
      this.inside(() => this.items(items, inner, context, axiom, library));
    }
  }

  /** `with x from S`: the scope with what is chosen. */
  private choose(
    item: Extract<CatItem, { kind: 'from' }>,
    scope: ModelScope,
    context: Context,
    library?: string,
  ): ModelScope {
    const { name, span } = item;
    const { declarations } = this;
    const chosen = elaborateFrom(context, scope, item, {
      isOrdered: this.isOrdered,
      isGuessed: (one) => declarations.isGuessed(one),
      guess: (one, pairs) => declarations.guessOrder(one, pairs),
    });
    const place = definedHere(context, name, 'relation', item);
    const value: CatValue = chosen?.value ?? { kind: 'error' };
    if (value.kind === 'rel') this.put({ name: name.text, term: value.id, span, library });
    this.isOrdered ||= chosen?.ordersWrites === true;
    if (chosen?.missing !== undefined) {
      const label = `${name.text}-extends`;
      this.axioms.add({
        test: 'empty',
        negated: false,
        flag: false,
        term: chosen.missing,
        name: label,
        span,
      });
    }
    return define(scope, [[name.text, value]], place && new Map([[name.text, place]]));
  }

  private put(definition: Owned): void {
    if (this.depth > 0) return;
    this.definitions.push(definition);
    this.defined.add(definition.name);
  }

  /** Base relations are shown of all libraries at once. */
  private show(name: Name, scope: ModelScope, library: string | undefined): void {
    const term = shownTerm(this.showing(this.context), scope, name);
    if (term === undefined) return;
    this.showName(name.text);
    // A base relation has no definition yet: whoever draws it looks names up in one place.
    if (!this.defined.has(name.text)) {
      const isBase = this.context.table.terms[term].op === 'base';
      this.put({ name: name.text, term, library: isBase ? undefined : library });
    }
  }

  /** Where what is shown is elaborated. */
  private showing(context: Context): Context {
    return this.program.isOfHerd === true ? { ...context, errors: [] } : context;
  }

  /** What is shown again comes last. */
  private showName(name: string): void {
    this.shown.delete(name);
    this.shown.add(name);
  }

  private axiom(
    item: AxiomItem,
    scope: ModelScope,
    context: Context,
    position: number,
    library?: string,
  ): void {
    if (item.name !== undefined) definedHere(context, item.name, 'axiom', item);
    const axiom = elaborateAxiom(context, scope, item, position, library);
    if (axiom !== undefined) this.axioms.add(axiom);
  }
}

/** What is done with an axiom. */
type TakeAxiom = (item: AxiomItem, scope: ModelScope) => void;

/** The scope with the tags of an `enum`, and for each tag the set of the events that have it. */
function enumerated(
  context: Context,
  scope: ModelScope,
  { name, tags }: Extract<CatItem, { kind: 'enum' }>,
): ModelScope {
  const none: CatValue = { kind: 'set', id: intern(context.table, { op: 'empty', kind: 'set' }) };
  // A tag that operations may have is declared, with a low line for each dash. Where one has it in capitals, the set stays unknown: which
  // accesses have the tag, may hang on how it is written.
  const isOther = (text: string): boolean =>
    text !== text.toUpperCase() && find(scope, text.toUpperCase()) !== undefined;
  const sets = tags
    .filter(({ text }) => !isOther(text))
    .map(({ text }) => [text[0].toUpperCase() + text.slice(1), text.replaceAll('-', '_')] as const)
    .filter(([name]) => find(scope, name) === undefined)
    .map(([name, tag]) => [name, find(scope, tag) ?? none] as const);
  const all = setOf(tags.map(({ text }) => ({ kind: 'tag', text })));
  return define(scope, [...sets, [name.text, all]]);
}

/** Definitions of one name in several libraries, each with the name of its library before it. */
function apart(definitions: readonly Owned[]): readonly Definition[] {
  const owners = new Map<string, Set<string | undefined>>();
  for (const { name, library } of definitions) {
    owners.set(name, (owners.get(name) ?? new Set()).add(library));
  }
  return definitions.map(({ library, ...definition }) => {
    const several = owners.get(definition.name)!.size > 1;
    return several && library !== undefined
      ? { ...definition, name: `${library}.${definition.name}` }
      : definition;
  });
}

function shownTerm(context: Context, scope: ModelScope, name: Name): TermId | undefined {
  const expr = { kind: 'name', ...name } as const;
  const value = elaborateExpr(context, scope, expr);
  return expectKind(context, value, 'rel', '`show` needs relations', expr);
}
