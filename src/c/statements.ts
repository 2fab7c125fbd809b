import { addressTaken } from './addresses.js';
import type { Local } from './core.js';
import { Evaluating } from './expressions.js';
import { elementNames } from './head.js';
import type { Place, Region, Way } from './state.js';
import type { At, CNode } from './tree.js';
import { fieldOf, fieldsOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';

/** A loop, by its parts. */
export interface LoopParts {
  readonly before?: CNode;
  readonly after?: CNode;
  readonly update?: CNode;
  readonly body: CNode;
}

/** What statements do, but for loops. */
export abstract class Executing extends Evaluating {
  /** Words in the thread's private memory. */
  protected readonly ownMemory = new Set<string>();
  /** By declaration: the words of a variable. Each call of its function, and each round of its loop, has the same ones. */
  private readonly slots = new Map<string, Region>();

  protected abstract loop(node: CNode, parts: LoopParts): void;

  execute(node: CNode): void {
    if (this.alive) this.upToTheEnd(() => this.statement(node));
  }

  private statement(node: CNode): void {
    switch (node.type) {
      case 'compound_statement': {
        this.frame.scopes.push(new Map());
        const before = this.frame.scopes.length;
        for (const one of partsOf(node)) this.execute(one);
        this.frame.scopes.length = before - 1;
        return;
      }
      case 'expression_statement': {
        const [expression] = partsOf(node);
        if (expression !== undefined) this.evaluate(expression);
        return;
      }
      case 'declaration':
        return this.declare(node);
      case 'if_statement':
        return this.conditionally(node);
      case 'while_statement':
        return this.loop(node, { before: partOf(node, 'condition'), body: partOf(node, 'body') });
      case 'do_statement':
        return this.loop(node, { after: partOf(node, 'condition'), body: partOf(node, 'body') });
      case 'for_statement': {
        this.frame.scopes.push(new Map());
        const [before, update, first] = ['condition', 'update', 'initializer'].map((n) =>
          fieldOf(node, n),
        );
        if (first?.type === 'declaration') this.declare(first);
        else if (first !== undefined) this.evaluate(first);
        const body = partOf(node, 'body');
        this.loop(node, { ...(before && { before }), ...(update && { update }), body });
        this.frame.scopes.pop();
        return;
      }
      case 'return_statement': {
        const [value] = partsOf(node);
        const found = value === undefined ? undefined : this.evaluate(value);
        const settled = found && { ...found, value: this.settled(found.value, node) };
        this.leave(this.frame.returns, settled === undefined ? {} : { value: settled });
        return;
      }
      case 'break_statement':
      case 'continue_statement': {
        const loop = this.frame.loops.at(-1);
        if (loop === undefined) return this.refuse(node, 'this is in no loop');
        return this.leave(node.type === 'break_statement' ? loop.breaks : loop.continues);
      }
      case 'switch_statement':
        return this.switched(node);
      case 'labeled_statement':
        return this.execute(partsOf(node).at(-1)!);
      case 'goto_statement':
        return this.refuse(node, 'a jump is not understood', 'write a loop, or return');
      case 'preproc_if':
      case 'preproc_ifdef':
      case 'preproc_def':
      case 'preproc_function_def':
        return this.refuse(
          node,
          'a directive inside of a function is not understood',
          'leave one of the ways',
        );
      case 'type_definition':
        return this.around.code.types.typedef(node);
      case 'struct_specifier':
        this.around.code.types.named(node);
        return;
      case 'attributed_statement':
        return this.execute(partsOf(node).at(-1)!);
      default:
        return this.refuse(node, `this is not understood: ${node.type.replaceAll('_', ' ')}`);
    }
  }

  private declare(node: CNode): void {
    const { types } = this.around.code;
    const base = types.specified(node);
    if (isStatic(node)) {
      this.refuse(
        node,
        'a static variable of a function is not understood',
        'put it at file level',
      );
    }
    for (const declarator of fieldsOf(node, 'declarator')) {
      const { name, type } = types.declared(base, declarator);
      const value =
        declarator.type === 'init_declarator' ? fieldOf(declarator, 'value') : undefined;
      const place = this.local(name, type, node);
      if (value === undefined) continue;
      if (value.type === 'initializer_list') this.initialise(place, value);
      else this.write(place, this.evaluate(value).value, declarator);
    }
  }

  /** A variable of the function: memory if a request may use it. */
  protected local(name: string, type: Type, node: At): Place {
    const { frame } = this;
    const scope = frame.scopes.at(-1)!;
    const isMemory = this.isNamedByRequests(name, type);
    const place: Local = isMemory
      ? { kind: 'word', region: this.slot(name, type, node), offset: 0, type }
      : { kind: 'variable', key: `${frame.id}:${name}#${node.startIndex}`, type };
    // A loop that comes back here has a new one.
    if (place.kind === 'variable') this.forget(place.key);
    scope.set(name, place);
    return place;
  }

  private slot(name: string, type: Type, node: At): Region {
    const key = `${name} ${this.frame.function} ${node.startIndex}`;
    const known = this.slots.get(key);
    if (known !== undefined) return known;
    const made = this.privateRegion(key, name, type, this.isObserved(`${this.frame.id}:${name}`));
    this.slots.set(key, made);
    return made;
  }

  /** New words of the thread's private memory, for a number or an array of numbers. */
  protected privateRegion(key: string, name: string, type: Type, isObserved: boolean): Region {
    const isArray = type.kind === 'array';
    const size = this.around.code.types.sizeOf(isArray ? type.of : type) ?? 8;
    const count = isArray ? (type.count ?? 1) : undefined;
    const places = elementNames(name, count).map((one, i) => ({
      location: this.following.names.of(`${key} ${one}`, one, isObserved),
      at: size * i,
    }));
    for (const { location } of places) this.ownMemory.add(location);
    return { places };
  }

  protected isNamedByRequests(name: string, type: Type): boolean {
    const scalar = type.kind === 'int' || (type.kind === 'array' && type.of.kind === 'int');
    if (!scalar) return false;
    const { body } = this.around.code.functions.get(this.frame.function)!;
    return addressTaken(body, name, type.kind === 'array');
  }

  private conditionally(node: CNode): void {
    const condition = this.evaluate(partOf(node, 'condition'));
    const yes = partOf(node, 'consequence');
    const alternative = fieldOf(node, 'alternative');
    const no = alternative?.type === 'else_clause' ? partsOf(alternative).at(-1) : alternative;
    const known = this.holds(condition);
    if (known !== undefined) {
      const left = known ? no : yes;
      if (left !== undefined && endsBadly(left))
        this.remark('left out', 'what is done on an error', left);
      const taken = known ? yes : no;
      if (taken !== undefined) this.execute(taken);
      return;
    }
    const { value } = condition;
    if (value.kind === 'path')
      this.remark('assumed', `nobody knows ${value.text}: both ways`, node);
    this.branch(node, value, [
      () => this.execute(yes),
      () => {
        if (no !== undefined) this.execute(no);
      },
    ]);
  }

  /** Goes on where ways that have left meet the one that has not. */
  protected gather(ways: readonly Way[], node: CNode): void {
    this.meet([...ways, ...(this.alive ? [{ out: this.out, state: this.state }] : [])], node);
  }

  private switched(node: CNode): void {
    const condition = this.evaluate(partOf(node, 'condition'));
    const { value } = condition;
    if (value.kind !== 'int') {
      return this.refuse(
        node,
        'what a switch goes by must be known when the file is read',
        'write if',
      );
    }
    const cases = partsOf(partOf(node, 'body')).filter(({ type }) => type === 'case_statement');
    const isOf = (one: CNode): boolean => {
      const of = fieldOf(one, 'value');
      if (of === undefined) return false;
      const found = this.evaluate(of).value;
      return found.kind === 'int' && found.value === value.value;
    };
    const hit = cases.findIndex(isOf);
    const first = hit >= 0 ? hit : cases.findIndex((one) => fieldOf(one, 'value') === undefined);
    if (first < 0) return;
    const loop = { breaks: [] as Way[], continues: this.frame.loops.at(-1)?.continues ?? [] };
    this.frame.loops.push(loop);
    for (const one of cases.slice(first)) {
      const of = fieldOf(one, 'value');
      for (const part of partsOf(one)) {
        if (part.startIndex !== of?.startIndex) this.execute(part);
      }
      if (!this.alive) break;
    }
    this.frame.loops.pop();
    this.gather(loop.breaks, node);
  }
}

const isStatic = (node: CNode): boolean =>
  partsOf(node).some((one) => one.type === 'storage_class_specifier' && one.text === 'static') &&
  !/\bconst\b/.test(node.text);

/** Does a branch leave, as one does after an error? */
function endsBadly(node: CNode): boolean {
  return /\b(return|goto|exit|abort|die|err|errx|perror|break)\b/.test(node.text);
}
