import type { Local } from './frames.js';
import { Initialising } from './initialisers.js';
import { withLength } from './lengths.js';
import { expressionOf, statementsOf } from './pieces.js';
import type { Place, Region, Typed, Way } from './state.js';
import type { At, CNode } from './tree.js';
import { fieldOf, fieldsOf, isSaid, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';
import { WORD } from './types.js';

/** A loop, by its parts. */
export interface LoopParts {
  readonly before?: CNode;
  readonly after?: CNode;
  readonly update?: CNode;
  readonly body: CNode;
}

/** What statements do, but for loops. */
export abstract class Executing extends Initialising {
  /** Words in the thread's private memory. */
  protected readonly ownMemory = new Set<string>();
  /** By declaration: the words of a variable. Each call of its function, and each round of its loop, has the same ones. */
  private readonly slots = new Map<string, Region>();

  protected abstract loop(node: CNode, parts: LoopParts): void;

  execute(node: CNode): void {
    if (node.type === 'labeled_statement') this.arrive(node);
    // Where nothing comes, labels still may have something come.
    if (this.alive) this.upToTheEnd(() => this.statement(node));
    else if (node.type === 'compound_statement') for (const one of partsOf(node)) this.execute(one);
  }

  /** Ways that have jumped to a label go on there. */
  private arrive(node: CNode): void {
    const label = partOf(node, 'label').text;
    this.frame.passed.set(label, this.spanOf(node).start);
    const ways = this.frame.jumps.get(label) ?? [];
    this.frame.jumps.delete(label);
    if (ways.length > 0) this.gather(ways, node);
  }

  private statement(node: CNode): void {
    this.spend();
    if (this.frame.blocks === 0) this.frame.made.clear();
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
        if (expression === undefined || this.macroStatement(expression)) return;
        this.unused = expression;
        this.evaluate(expression);
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
      case 'goto_statement': {
        const [label] = partsOf(node);
        const passed = this.frame.passed.get(label.text) ?? Infinity;
        if (passed <= this.spanOf(node).start) {
          this.refuse(node, 'a jump backwards is not understood', 'write a loop');
        }
        if (this.isTrial) this.refuse(node, 'ways part here');
        const { jumps } = this.frame;
        const ways = jumps.get(label.text) ?? [];
        jumps.set(label.text, ways);
        return this.leave(ways);
      }
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

  /** A macro that stands for statements: `CHECK(call);` */
  private macroStatement(node: CNode): boolean {
    if (node.type !== 'call_expression') return false;
    const text = this.expanded(node);
    if (text === undefined || expressionOf(text) !== undefined) return false;
    const { text: name } = partOf(node, 'function');
    const body = statementsOf(text);
    if (body === undefined) return this.refuse(node, `the macro ${name} is no C by itself`);
    this.inMacro(node, name, () => this.execute(body));
    return true;
  }

  private declare(node: CNode): void {
    const { types } = this.around.code;
    const base = types.specified(node);
    if (isSaid(node, 'static') && !/\bconst\b/.test(node.text)) {
      this.refuse(
        node,
        'a static variable of a function is not understood',
        'put it at file level',
      );
    }
    for (const declarator of fieldsOf(node, 'declarator')) {
      const { name, type: written } = types.declared(base, declarator, (of) => this.lengthOf(of));
      const value =
        declarator.type === 'init_declarator' ? fieldOf(declarator, 'value') : undefined;
      const type = withLength(written, value);
      const place = this.local(name, type, node);
      if (value === undefined) continue;
      if (value.type === 'initializer_list') this.initialise(place, value);
      else this.write(place, this.evaluate(value).value, declarator);
    }
  }

  private lengthOf(node: CNode): number {
    const { value } = this.evaluate(node);
    if (value.kind === 'int') return value.value;
    return this.refuse(node, 'how long this array is must be known when the file is read');
  }

  /** A variable of the function: memory if a request may use it. */
  protected local(name: string, type: Type, node: At): Place {
    const { frame } = this;
    const scope = frame.scopes.at(-1)!;
    const place: Local = this.isFound(`memory ${name}`, node)
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

  ownWord(key: string, name: string): Place & { kind: 'word' } {
    return this.ownWords(key, name, WORD);
  }

  ownWords(key: string, name: string, type: Type): Place & { kind: 'word' } {
    const region = this.privateRegion(key, name, type, false);
    return { kind: 'word', region, offset: 0, type };
  }

  /** New words of the thread's private memory, for a number, an array, or a structure. */
  protected privateRegion(key: string, name: string, type: Type, isObserved: boolean): Region {
    const places = this.around.code.types.wordsOf(type, name).map(({ name: one, at }) => ({
      location: this.following.names.of(`${key} ${one}`, one, isObserved),
      at,
    }));
    for (const { location } of places) this.ownMemory.add(location);
    return { places };
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
    const found = this.evaluate(partOf(node, 'condition'));
    const value = this.settled(found.value, node);
    const body = partOf(node, 'body');
    const cases = partsOf(body).filter(({ type }) => type === 'case_statement');
    const inner = cases
      .flatMap(partsOf)
      .map(caseIn)
      .find((one) => one !== undefined);
    if (inner !== undefined) {
      this.refuse(inner, 'a case inside of another statement is not understood', 'write if');
    }
    const loop = { breaks: [] as Way[], continues: this.frame.loops.at(-1)?.continues ?? [] };
    this.frame.loops.push(loop);
    this.toCase({ ...found, value }, cases, 0);
    this.frame.loops.pop();
    this.gather(loop.breaks, node);
  }

  /** Goes to the case that is met, from one of them on. Each that may be met is another way. */
  private toCase(value: Typed, cases: readonly CNode[], from: number): void {
    for (const [at, one] of cases.entries()) {
      const label = at < from ? undefined : fieldOf(one, 'value');
      if (label === undefined) continue;
      const isMet = this.combined('==', value, this.evaluate(label), label);
      const known = this.holds(isMet);
      if (known === true) return this.fromCase(cases, at);
      if (known === undefined) {
        return this.branch(label, isMet.value, [
          () => this.fromCase(cases, at),
          () => this.toCase(value, cases, at + 1),
        ]);
      }
    }
    const other = cases.findIndex((one) => fieldOf(one, 'value') === undefined);
    if (other >= 0) this.fromCase(cases, other);
  }

  private fromCase(cases: readonly CNode[], at: number): void {
    for (const one of cases.slice(at)) {
      const label = fieldOf(one, 'value');
      for (const part of partsOf(one)) {
        if (part.startIndex !== label?.startIndex) this.execute(part);
      }
      if (!this.alive) break;
    }
  }
}

/** Does a branch leave, as one does after an error? */
function endsBadly(node: CNode): boolean {
  return /\b(return|goto|exit|abort|throw|die|err|errx|perror|break)\b/.test(node.text);
}

/** A case that stands in another statement of a switch. */
function caseIn(node: CNode): CNode | undefined {
  if (node.type === 'case_statement') return node;
  if (node.type === 'switch_statement') return undefined;
  for (const one of partsOf(node)) {
    const found = caseIn(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
