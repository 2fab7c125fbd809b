import type { Name } from '../../parse/cat-ast.js';
import type * as ast from '../../parse/declaration-ast.js';
import { didYouMean } from '../../parse/diagnostics/index.js';
import type { Context } from '../expression.js';
import { extend } from '../scope.js';
import type { Binding, Scope } from '../scope.js';
import { elaborateGuess, termsOf } from './guess.js';
import type { GuessedTerms } from './guess.js';
import { OperationChecker } from './operation.js';
import type { Report } from './operation.js';
import type {
  InstructionSet,
  Label,
  Operation,
  ParameterKind,
  Performer,
  Short,
  Tag,
} from './set.js';
import { PARAMETER_KINDS, TAGGED } from './set.js';

/** Takes up the declarations of a model, one after the other, and checks each. */
export class Declarations {
  private readonly labels = new Map<string, Label>();
  private readonly operations = new Map<string, Operation>();
  private readonly shorts: Short[] = [];
  private readonly tags = new Map<string, Tag>();
  private readonly guesses = new Map<string, GuessedTerms>();
  private initial?: Name;
  private readonly report: Report;

  constructor(private readonly context: Context) {
    this.report = (span, message, hint) => void context.errors.push({ span, message, hint });
  }

  /** Takes up one declaration, and gives the scope with its names. */
  declare(scope: Scope, item: ast.Declaration): Scope {
    switch (item.kind) {
      case 'initial':
        this.declareInitial(item);
        return scope;
      case 'event':
        return this.declareEvents(scope, item);
      case 'operation':
        this.declareOperation(item);
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
    const guessed = termsOf([...this.guesses.values()], this.context.table);
    return {
      initial: initial?.text,
      labels: [...this.labels.values()],
      operations: [...this.operations.values()],
      shorts: this.shorts,
      tags: [...this.tags.values()],
      ...guessed,
    };
  }

  private declareInitial({ label, span }: ast.InitialDeclaration): void {
    if (this.initial !== undefined) this.report(span, 'initial writes have a label already');
    this.initial = label;
  }

  private declareEvents(
    scope: Scope,
    { labels, by, onQueuePair, words }: ast.EventDeclaration,
  ): Scope {
    const performer =
      by && this.oneOf(by, ['cpu', 'nic'] as const, 'is performed by `cpu` or `nic`');
    const names: [string, Binding][] = [];
    for (const { text, span } of labels) {
      if (this.labels.has(text)) this.report(span, `event '${text}' is declared twice`);
      this.labels.set(text, {
        name: text,
        by: performer as Performer | undefined,
        onQueuePair,
        words,
      });
      names.push([text, { kind: 'base', of: 'set', name: text }]);
    }
    return extend(scope, names);
  }

  private declareOperation(item: ast.OperationDeclaration): void {
    const { name, tag, replace } = item;
    const key = tag === undefined ? name.text : `${name.text} [${tag.text}]`;
    this.checkReplaced(replace, name, `operation '${key}'`, this.operations.has(key));
    const declaredTag = tag && this.tags.get(tag.text);
    if (tag !== undefined && declaredTag?.on !== 'operation') {
      const hint =
        declaredTag === undefined ? `declare it: tag ${tag.text} on operation` : undefined;
      this.report(tag.span, `'${tag.text}' is no tag on operations`, hint);
    }
    this.operations.set(key, new OperationChecker(item, this.labels, this.report).check());
  }

  private declareShort({ left, right, operation, span }: ast.ShortDeclaration): void {
    const kind = (name: Name): ParameterKind =>
      this.oneOf(name, PARAMETER_KINDS, `is one of ${PARAMETER_KINDS.join(', ')}`) ?? 'own';
    const short = { left: left && kind(left), right: kind(right), operation: operation.text };
    if (this.shorts.some((other) => other.left === short.left && other.right === short.right)) {
      this.report(span, 'this short form has a meaning already');
    }
    const meant = this.operations.get(operation.text);
    if (meant === undefined) {
      const hint = didYouMean(operation.text, this.operations.keys());
      this.report(operation.span, `unknown operation '${operation.text}'`, hint);
    } else if (!fits(short, meant)) {
      const message = `'${operation.text}' does not take what this short form gives`;
      this.report(operation.span, message, 'the kinds are those of its parameters, in order');
    }
    this.shorts.push(short);
  }

  private declareGuess(scope: Scope, item: ast.GuessDeclaration): Scope {
    const { name, replace } = item;
    this.checkReplaced(replace, name, `guess '${name.text}'`, this.guesses.has(name.text));
    if (replace && this.isUsed(name.text)) {
      const message = `'${name.text}' is used before here: it cannot be replaced any more`;
      this.report(name.span, message, 'replace it before the first definition that uses it');
    }
    const guess = elaborateGuess(this.context, scope, item, new Set(this.guesses.keys()));
    // Without words of its own, one that takes another's place is about the same.
    const words = guess?.words ?? this.guesses.get(name.text)?.words;
    if (guess !== undefined) this.guesses.set(name.text, { ...guess, words });
    return extend(scope, [[name.text, { kind: 'base', of: 'rel', name: name.text }]]);
  }

  private declareTag(scope: Scope, { name, on, words }: ast.TagDeclaration): Scope {
    if (this.tags.has(name.text)) this.report(name.span, `tag '${name.text}' is declared twice`);
    const what = this.oneOf(on, TAGGED, `is one of ${TAGGED.join(', ')}`) ?? 'location';
    this.tags.set(name.text, { name: name.text, on: what, words });
    return extend(scope, [[name.text, { kind: 'base', of: 'set', name: name.text }]]);
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

/** Does an operation take a place or value to the right of `:=`, and one to the left if there is one? */
function fits({ left, right }: Omit<Short, 'operation'>, operation: Operation): boolean {
  const { parameters, into } = operation;
  const kinds = parameters.map(({ kind }) => kind);
  if (left === undefined) return operation.result !== undefined && kinds.join() === right;
  if (into !== undefined) return into.kind === left && kinds.join() === right;
  return kinds.join() === [left, right].join();
}
