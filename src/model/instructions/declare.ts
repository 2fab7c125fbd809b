import type { Name } from '../../parse/cat-ast.js';
import type * as ast from '../../parse/declaration-ast.js';
import { didYouMean } from '../../parse/diagnostics/index.js';
import type { Report, Span } from '../../parse/diagnostics/index.js';
import type { NameDefinition } from '../../parse/links.js';
import type { Context } from '../context.js';
import { DeclaredNames, definedHere } from '../name-places.js';
import { define } from '../scope.js';
import type { ScopeBinding, ModelScope } from '../scope.js';
import type { TermId } from '../term.js';
import { elaborateGuess, termsOf } from './guess.js';
import type { GuessedTerms } from './guess.js';
import { callSetName, libraryMarks } from './library.js';
import { insteadIn, missingValue } from './instead.js';
import { OperationChecker } from './operation.js';
import type {
  Instead,
  InstructionSet,
  Label,
  Library,
  ObjectKind,
  Operation,
  ParameterKind,
  Performer,
  Short,
  Tag,
} from './set.js';
import { PARAMETER_KINDS, QUEUED, SHARED, TAGGED, WORDS } from './set.js';

/** A library while its file is read. */
type LibraryDraft = { -readonly [K in keyof Library]: Library[K] };

/** What an object may be. */
const PROPERTIES = ['copied', 'on node', 'empty', 'of size words'] as const;

export const LIBRARY_FIRST = 'a library is declared once, and first in its file';

/** Takes up the declarations of a model, one after the other, and checks each. */
export class Declarations {
  private readonly labels = new Map<string, Label>();
  private readonly operations = new Map<string, Operation>();
  private readonly shorts: Short[] = [];
  private readonly tags = new Map<string, Tag>();
  /** What stands in the place of events, with its place. */
  private insteads: readonly { readonly instead: Instead; readonly span: Span }[] = [];
  private readonly guesses = new Map<string, GuessedTerms>();
  private readonly libraries: LibraryDraft[] = [];
  private initial?: Name;
  /** Where labels, tags and the label of initial writes are declared. */
  private readonly places = new Map<string, Span>();
  private readonly names: DeclaredNames;
  private readonly report: Report;

  constructor(private readonly context: Context) {
    this.names = DeclaredNames.of(context);
    this.report = (span, message, hint) => void context.errors.push({ span, message, hint });
  }

  /** Says which library the next declarations belong to, up to the next call; undefined: to none. */
  begin(library: Omit<Library, 'roles' | 'object'> | undefined): void {
    this.library = library && { ...library, roles: [] };
    if (this.library !== undefined) this.libraries.push(this.library);
  }

  /** The library that what is declared belongs to. */
  private library: LibraryDraft | undefined;

  /** Takes up one declaration, and gives the scope with its names. */
  declare(scope: ModelScope, item: ast.Declaration): ModelScope {
    switch (item.kind) {
      case 'initial':
        this.declareInitial(item);
        return scope;
      case 'event':
        return this.declareEvents(scope, item);
      case 'operation':
        return this.declareOperation(scope, item);
      case 'drop':
        item.operations.forEach((one) => this.dropOperation(one));
        return scope;
      case 'instead':
        this.declareInstead(item);
        return scope;
      case 'dropInstead':
        item.labels.forEach((label) => this.dropInstead(label));
        return scope;
      case 'object':
        this.declareObject(item);
        return scope;
      case 'role':
        return this.declareRole(scope, item);
      case 'library':
        this.names.define(item.name, 'library', item);
        this.report(item.span, LIBRARY_FIRST);
        return scope;
      case 'short':
        this.declareShort(item);
        return scope;
      case 'guess':
        return this.declareGuess(scope, item);
      case 'tag':
        return this.declareTag(scope, item);
    }
  }

  /** All declarations together; `initial` may name a label that comes later. */
  finish(): InstructionSet {
    const { initial } = this;
    if (initial !== undefined && !this.labels.has(initial.text)) {
      const hint = didYouMean(initial.text, this.labels.keys());
      this.report(initial.span, `unknown event '${initial.text}'`, hint);
    }
    if (initial !== undefined) this.names.use(initial, 'event');
    this.checkInsteads();
    const guessed = termsOf([...this.guesses.values()], this.context.table);
    return {
      initial: initial?.text,
      labels: [...this.labels.values()],
      operations: [...this.operations.values()],
      shorts: this.shorts,
      tags: [...this.tags.values()],
      insteads: this.insteads.map(({ instead }) => instead),
      libraries: this.libraries.map((library) => ({
        ...library,
        roles: library.roles.map((role) => {
          return { ...role, marked: this.isUsed(libraryMarks(library.name, role.name)) };
        }),
      })),
      ...guessed,
    };
  }

  private declareInitial({ label, span }: ast.InitialDeclaration): void {
    if (this.isAgain('initial', span)) return;
    if (this.initial !== undefined) this.report(span, 'initial writes have a label already');
    this.initial = label;
  }

  /** Several libraries include one file: what it declares is declared once for all. */
  private isAgain(key: string, span: Span): boolean {
    const before = this.places.get(key);
    this.places.set(key, before ?? span);
    if (before?.start !== span.start) return false;
    const text = ({ file }: Span): string => this.context.sources.get(file)?.text ?? file;
    return text(before) === text(span);
  }

  private declareEvents(scope: ModelScope, item: ast.EventDeclaration): ModelScope {
    const { labels, by, onQueuePair, occasions, replace } = item;
    const performer =
      by && this.oneOf(by, ['cpu', 'nic'] as const, 'is performed by `cpu` or `nic`');
    const names: [string, ScopeBinding][] = [];
    const here = new Map<string, NameDefinition>();
    for (const occasion of occasions) this.checkOccasion(occasion);
    for (const { name, index } of labels) {
      const { text, span } = name;
      const place = this.names.define(name, 'event', item);
      if (place !== undefined) here.set(text, place);
      names.push([text, { kind: 'base', of: 'set', name: text }]);
      const before = this.labels.get(text);
      if (replace && before === undefined)
        this.report(span, `there is no event '${text}' to replace`);
      if (!replace && this.isAgain(`event ${text}`, span)) continue;
      if (!replace && before !== undefined) {
        const elsewhere = this.places.get(`event ${text}`)?.file !== span.file;
        const hint = elsewhere ? 'a file that both include may declare it for both' : undefined;
        this.report(span, `event '${text}' is declared twice`, hint);
      }
      if (index !== undefined) this.oneOf(index, ['node'], 'is a node');
      this.labels.set(text, {
        name: text,
        by: performer as Performer | undefined,
        onQueuePair,
        ...(index === undefined ? {} : { indexed: true }),
        ...(occasions.length === 0 ? {} : { occasions: occasions.map(({ text }) => text) }),
        words: item.words ?? before?.words,
      });
    }
    return define(scope, names, here);
  }

  private dropOperation({ name, tag }: ast.DroppedOperation): void {
    this.names.use(name, 'operation');
    const { text } = name;
    const dropped = [...this.operations.keys()].filter((key) =>
      tag === undefined
        ? key === text || key.startsWith(`${text} [`)
        : key === `${text} [${tag.text}]`,
    );
    for (const key of dropped) this.operations.delete(key);
    if (dropped.length > 0) return;
    const what = tag === undefined ? text : `${text} [${tag.text}]`;
    const hint = didYouMean(text, this.operations.keys());
    this.report(name.span, `there is no operation '${what}' to drop`, hint);
  }

  /** What a program may have, so that it has events: a tag that is declared already, or something shared. */
  private checkOccasion(name: Name): void {
    const { text, span } = name;
    if ([SHARED, QUEUED, WORDS].includes(text)) return;
    this.names.use(name, 'tag');
    if (this.tags.has(text)) return;
    const hint = didYouMean(text, [...this.tags.keys(), SHARED, QUEUED, WORDS]);
    this.report(span, `'${text}' is no tag`, hint ?? `declare it before: tag ${text} on operation`);
  }

  private declareInstead({ label, tags, ways }: ast.InsteadDeclaration): void {
    const of = this.labelNamed(label);
    for (const tag of tags) this.checkTagOfCalls(tag);
    for (const { label: own, without } of ways) {
      const made = this.labelNamed(own);
      if (of !== undefined && made !== undefined && of.indexed !== made.indexed) {
        const [one, other] = of.indexed === true ? [of, made] : [made, of];
        this.report(own.span, `'${one.name}' has an index, and '${other.name}' has none`);
      }
      for (const name of without) {
        if (name.text !== 'nic' && name.text !== 'cpu') this.labelNamed(name);
      }
      const texts = (names: readonly Name[]): readonly string[] => names.map(({ text }) => text);
      const instead = { of: label.text, tags: texts(tags), label: own.text };
      const whole = { ...instead, without: texts(without) };
      this.insteads = [...this.insteads, { instead: whole, span: own.span }];
    }
  }

  private dropInstead(label: Name): void {
    this.labelNamed(label);
    const left = this.insteads.filter(({ instead }) => instead.of !== label.text);
    if (left.length === this.insteads.length && this.labels.has(label.text)) {
      this.report(label.span, `nothing stands in the place of '${label.text}'`);
    }
    this.insteads = left;
  }

  private labelNamed(name: Name): Label | undefined {
    const { text, span } = name;
    this.names.use(name, 'event');
    const known = this.labels.get(text);
    if (known !== undefined) return known;
    const hint = (): string =>
      didYouMean(text, this.labels.keys()) ?? `declare it before: event ${text}`;
    this.report(span, `unknown event '${text}'`, hint);
    return undefined;
  }

  /** A tag that calls have, or their queue pairs. */
  private checkTagOfCalls(name: Name): void {
    const { text, span } = name;
    this.names.use(name, 'tag');
    const on = this.tags.get(text)?.on;
    if (on === 'operation' || on === 'qp') return;
    const fit = [...this.tags.values()].filter((tag) => tag.on === 'operation' || tag.on === 'qp');
    const known = fit.map((tag) => tag.name);
    const message = `'${text}' is no tag on operations or queue pairs`;
    const hint = (): string =>
      on === undefined
        ? (didYouMean(text, known) ?? `declare it before: tag ${text} on qp`)
        : `it is one on ${on}s`;
    this.report(span, message, hint);
  }

  /** Where events are left out, no other may need what they read. */
  private checkInsteads(): void {
    const labels = [...this.labels.values()];
    for (const { instead, span } of this.insteads) {
      for (const operation of this.operations.values()) {
        const missing = insteadIn(operation, [instead], labels)
          .map((alternative) => missingValue(operation, alternative))
          .find((name) => name !== undefined);
        if (missing === undefined) continue;
        const message = `\`${operation.name}\` needs the value '${missing}', which nothing reads then`;
        this.report(span, message, 'leave out what needs it, too');
        break;
      }
    }
  }

  private declareOperation(scope: ModelScope, item: ast.OperationDeclaration): ModelScope {
    const { name, tag, replace } = item;
    const { library } = this;
    const place = this.names.define(name, 'operation', item);
    const of = library === undefined || library.plain ? '' : `${library.name}.`;
    const key = `${of}${name.text}${tag === undefined ? '' : ` [${tag.text}]`}`;
    this.checkReplaced(replace, name, `operation '${key}'`, this.operations.has(key));
    const declaredTag = tag && this.tags.get(tag.text);
    if (tag !== undefined && declaredTag?.on !== 'operation' && declaredTag?.on !== 'node') {
      const hint =
        declaredTag === undefined ? `declare it: tag ${tag.text} on operation` : undefined;
      this.report(tag.span, `'${tag.text}' is no tag on operations or nodes`, hint);
    }
    const operation = new OperationChecker(
      item,
      this.labels,
      library,
      this.report,
      this.names.inside(),
    ).check();
    this.operations.set(key, operation);
    const calls = callSetName(operation);
    if (calls === undefined || this.labels.has(name.text)) return scope;
    return defineOne(scope, name, { kind: 'base', of: 'set', name: calls, own: true }, place);
  }

  private declareObject({ properties, span }: ast.ObjectDeclaration): void {
    if (this.library === undefined) {
      this.report(span, 'objects belong to a library', 'begin the file with: library NAME');
      return;
    }
    if (this.library.object !== undefined) this.report(span, 'objects are declared twice');
    const words = properties.map((property) =>
      this.oneOf(property, PROPERTIES, 'is one of ' + PROPERTIES.join(', ')),
    );
    for (const [i, { text, span: at }] of properties.entries()) {
      const again = words[i] !== undefined && words.indexOf(words[i]) < i;
      if (again) this.report(at, `'${text}' is said twice`);
    }
    const isMemory = words.includes('copied') || words.includes('on node');
    if (words.includes('copied') && words.includes('on node')) {
      const message = 'an object has a copy on each node, or is on one node';
      this.report(span, message, 'leave out `copied` or `on node`');
    } else if (words.length > 0 && !isMemory && !words.includes(undefined)) {
      const message = `only memory is ${words.join(' and ')}`;
      this.report(span, message, 'write `copied` or `on node` with it');
    }
    this.library.object = {
      cells: cellsOf(words),
      empty: words.includes('empty'),
      sized: words.includes('of size words'),
    };
  }

  private declareRole(scope: ModelScope, item: ast.RoleDeclaration): ModelScope {
    const { name, many, span } = item;
    const { library } = this;
    const place = this.names.define(name, 'role', item);
    if (library === undefined) {
      this.report(span, 'roles belong to a library', 'begin the file with: library NAME');
      return scope;
    }
    const { text } = name;
    if (library.object === undefined) {
      this.report(span, 'roles are those of an object', 'say what it is before: object x');
    }
    if (library.roles.some((role) => role.name === text)) {
      this.report(name.span, `role '${text}' is declared twice`);
    }
    const number = this.oneOf(many, ['thread', 'threads'] as const, 'is `thread` or `threads`');
    const role = { name: text, many: number === 'threads', marked: false };
    library.roles = [...library.roles, role];
    const marks = libraryMarks(library.name, text);
    return defineOne(scope, name, { kind: 'base', of: 'set', name: marks, own: true }, place);
  }

  private declareShort({ left, right, operation, span }: ast.ShortDeclaration): void {
    const kind = (name: Name): ParameterKind =>
      this.oneOf(name, PARAMETER_KINDS, `is one of ${PARAMETER_KINDS.join(', ')}`) ?? 'own';
    const short = { left: left && kind(left), right: kind(right), operation: operation.text };
    if (this.shorts.some((other) => other.left === short.left && other.right === short.right)) {
      this.report(span, 'this short form has a meaning already');
    }
    const meant = this.operations.get(operation.text);
    this.names.use(operation, 'operation');
    if (meant === undefined) {
      const hint = () => didYouMean(operation.text, this.operations.keys());
      this.report(operation.span, `unknown operation '${operation.text}'`, hint);
    } else if (!fits(short, meant)) {
      const message = `'${operation.text}' does not take what this short form gives`;
      this.report(operation.span, message, 'the kinds are those of its parameters, in order');
    }
    this.shorts.push(short);
  }

  private declareGuess(scope: ModelScope, item: ast.GuessDeclaration): ModelScope {
    const { name, replace } = item;
    const base = this.library === undefined ? name.text : `${this.library.name}.${name.text}`;
    this.checkReplaced(replace, name, `guess '${name.text}'`, this.guesses.has(base));
    if (replace && this.isUsed(base)) {
      const message = `'${name.text}' is used before here: it cannot be replaced any more`;
      this.report(name.span, message, 'replace it before the first definition that uses it');
    }
    const guess = elaborateGuess(this.context, scope, item, this.guesses);
    // Without words of its own, one that takes another's place is about the same.
    const words = guess?.words ?? this.guesses.get(base)?.words;
    if (guess !== undefined) this.guesses.set(base, { ...guess, name: base, words });
    const place = definedHere(this.context, name, 'guess', item);
    return defineOne(scope, name, { kind: 'base', of: 'rel', name: base, own: true }, place);
  }

  isGuessed(name: string): boolean {
    return this.guesses.has(name);
  }

  /** An order that executions guess, without a declaration: a strict total order on each class of an equivalence. */
  guessOrder(name: string, pairs: TermId): void {
    this.guesses.set(name, { name, how: 'total', pairs });
  }

  private declareTag(scope: ModelScope, item: ast.TagDeclaration): ModelScope {
    const { name, on, words } = item;
    const place = definedHere(this.context, name, 'tag', item);
    const again = this.isAgain(`tag ${name.text}`, name.span);
    if (!again && this.tags.has(name.text))
      this.report(name.span, `tag '${name.text}' is declared twice`);
    const what = this.oneOf(on, TAGGED, `is one of ${TAGGED.join(', ')}`) ?? 'location';
    const facing = item.facing && this.facingTag(item.facing, what);
    const ordersWords = item.order !== undefined && this.ordersWords(item.order, what);
    this.tags.set(name.text, {
      ...{ name: name.text, on: what, words },
      ...(facing && { facing }),
      ...(ordersWords && { ordersWords }),
    });
    return defineOne(scope, name, { kind: 'base', of: 'set', name: name.text }, place);
  }

  /** Whether a tag says that the words of a call are in order. */
  private ordersWords({ text, span }: Name, on: Tag['on']): boolean {
    const example = 'tag a on operation in order';
    if (text !== 'order') this.report(span, `words are in order, not in '${text}'`, example);
    else if (on !== 'operation') this.report(span, 'only calls of operations have words', example);
    else return true;
    return false;
  }

  /** The tag of the other end of a connection. */
  private facingTag(name: Name, on: Tag['on']): string | undefined {
    const { text, span } = name;
    this.names.use(name, 'tag');
    if (on !== 'qp') {
      this.report(span, 'only queue pairs have another end', 'tag a on qp facing b');
      return undefined;
    }
    const other = this.tags.get(text)?.on;
    if (other === 'qp') return text;
    const known = [...this.tags.values()].flatMap((tag) => (tag.on === 'qp' ? [tag.name] : []));
    const hint = (): string =>
      other === undefined
        ? (didYouMean(text, known) ?? `declare it before: tag ${text} on qp`)
        : `it is one on ${other}s`;
    this.report(span, `'${text}' is no tag on queue pairs`, hint);
    return undefined;
  }

  private checkReplaced(replace: boolean, { span }: Name, what: string, known: boolean): void {
    if (known && !replace)
      this.report(span, `${what} is declared twice`, 'write `replace` before it');
    if (!known && replace) this.report(span, `there is no ${what} to replace`);
  }

  private isUsed(base: string): boolean {
    return this.context.table.terms.some((term) => term.op === 'base' && term.name === base);
  }

  private oneOf<T extends string>(name: Name, words: readonly T[], says: string): T | undefined {
    const found = words.find((word) => word === name.text);
    if (found === undefined) {
      this.report(
        name.span,
        `unknown word '${name.text}'`,
        didYouMean(name.text, words) ?? `it ${says}`,
      );
    }
    return found;
  }
}

function defineOne(
  scope: ModelScope,
  { text }: Name,
  binding: ScopeBinding,
  place: NameDefinition | undefined,
): ModelScope {
  return define(scope, [[text, binding]], place && new Map([[text, place]]));
}

/** What objects with these properties are in memory; where a word is misspelt, it may be anything. */
function cellsOf(words: readonly ((typeof PROPERTIES)[number] | undefined)[]): ObjectKind['cells'] {
  if (words.includes(undefined)) return 'misdeclared';
  if (words.includes('copied')) return words.includes('on node') ? 'misdeclared' : 'copies';
  return words.includes('on node') ? 'one' : 'none';
}

/** Does an operation take a place or value to the right of `:=`, and one to the left if there is one? */
function fits({ left, right }: Omit<Short, 'operation'>, operation: Operation): boolean {
  const { parameters, into } = operation;
  const kinds = parameters.map(({ kind }) => kind);
  if (left === undefined) return operation.result !== undefined && kinds.join() === right;
  if (into !== undefined) return into.kind === left && kinds.join() === right;
  return kinds.join() === [left, right].join();
}
