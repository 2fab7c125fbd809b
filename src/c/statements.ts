import type { Statement } from '../parse/litmus-ast.js';
import { Refusal } from './core.js';
import { Evaluating, truth } from './expressions.js';
import type { Place, State, Value, Way } from './state.js';
import { copyOf, sameValue } from './state.js';
import type { CNode } from './tree.js';
import { fieldOf, fieldsOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';

/** A loop that is written out goes round so often at most. */
const ROUNDS = 1000;

/** A loop, by its parts. */
interface LoopParts {
  readonly before?: CNode;
  readonly after?: CNode;
  readonly update?: CNode;
  readonly body: CNode;
}

/** What statements do. */
export abstract class Executing extends Evaluating {
  execute(node: CNode): void {
    if (!this.alive) return;
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
        return this.loop(node, { before: partOf(node, 'condition') });
      case 'do_statement':
        return this.loop(node, { after: partOf(node, 'condition') });
      case 'for_statement': {
        this.frame.scopes.push(new Map());
        const [before, update, first] = ['condition', 'update', 'initializer'].map((n) =>
          fieldOf(node, n),
        );
        if (first?.type === 'declaration') this.declare(first);
        else if (first !== undefined) this.evaluate(first);
        this.loop(node, { before, update });
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
        return this.choose(node);
      case 'labeled_statement':
        return this.execute(partsOf(node).at(-1)!);
      case 'goto_statement':
        return this.refuse(node, 'a jump is not understood', 'write a loop, or return');
      case 'preproc_if':
      case 'preproc_ifdef':
      case 'preproc_def':
      case 'type_definition':
      case 'struct_specifier':
        return;
      case 'attributed_statement':
        return this.execute(partsOf(node).at(-1)!);
      default:
        return this.refuse(node, `this is not understood: ${node.type.replaceAll('_', ' ')}`);
    }
  }

  private leave(ways: Way[], more: Pick<Way, 'value'> = {}): void {
    ways.push({ out: this.out, state: this.state, ...more });
    this.alive = false;
  }

  private declare(node: CNode): void {
    const { types } = this.around.code;
    const base = types.specified(node);
    const isStatic = partsOf(node).some(
      (one) => one.type === 'storage_class_specifier' && one.text === 'static',
    );
    if (isStatic) this.remark('assumed', 'a static variable has its first value', node);
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
  protected local(name: string, type: Type, node: CNode): Place {
    const { frame } = this;
    const scope = frame.scopes.at(-1)!;
    const isMemory = this.isNamedByRequests(name, type);
    const place: Place = isMemory
      ? { kind: 'word', region: this.privately(name, type), offset: 0, type }
      : { kind: 'variable', key: `${frame.id}:${name}#${node.startIndex}`, type };
    // A loop that comes back here has a new one.
    if (place.kind === 'variable') {
      for (const key of [...this.state.values.keys()]) {
        if (
          key === place.key ||
          (key.startsWith(place.key) && /^[.[ ]/.test(key.slice(place.key.length)))
        ) {
          this.state.values.delete(key);
        }
      }
    }
    scope.set(name, place as never);
    return place;
  }

  private privately(name: string, type: Type) {
    const count = type.kind === 'array' ? (type.count ?? 1) : 1;
    const of = type.kind === 'array' ? type.of : type;
    const size = this.around.code.types.sizeOf(of) ?? 8;
    const places = Array.from({ length: count }, (_, i) => ({
      location: this.fresh(count === 1 ? name : `${name}${i}`),
      at: size * i,
    }));
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
    const known = truth(condition);
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
    this.branch(node, this.settled(value, node), [
      () => this.execute(yes),
      () => {
        if (no !== undefined) this.execute(no);
      },
    ]);
  }

  private choose(node: CNode): void {
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
    const outer = this.out;
    this.frame.loops.push(loop);
    for (const one of cases.slice(first)) {
      const of = fieldOf(one, 'value');
      for (const part of partsOf(one)) {
        if (part.startIndex !== of?.startIndex) this.execute(part);
      }
      if (!this.alive) break;
    }
    this.frame.loops.pop();
    this.gather(loop.breaks, outer);
  }

  /** Goes on where ways that have left meet the one that has not. */
  private gather(ways: readonly Way[], outer: Statement[]): void {
    const all = [...ways, ...(this.alive ? [{ out: this.out, state: this.state }] : [])];
    this.join(all, outer);
  }

  private loop(
    node: CNode,
    {
      before,
      after,
      update,
    }: { readonly before?: CNode; readonly after?: CNode; readonly update?: CNode },
  ): void {
    const parts = { before, after, update, body: partOf(node, 'body') };
    const outer = this.out;
    const breaks: Way[] = [];
    for (let round = 0, goesOn = true; this.alive && goesOn; round++) {
      if (round === ROUNDS) this.refuse(node, `this loop goes round more than ${ROUNDS} times`);
      const [state, unproven] = [copyOf(this.state), this.unproven];
      goesOn = this.round(node, parts, round, breaks);
      if (this.unproven > unproven) this.mustWait(parts, state);
      this.unproven = unproven;
    }
    this.gather(breaks, outer);
  }

  /** Goes through a loop once. Whether it goes on. */
  private round(node: CNode, parts: LoopParts, round: number, breaks: Way[]): boolean {
    const { before, after, update, body } = parts;
    const condition = after !== undefined && round === 0 ? undefined : before;
    if (condition !== undefined) {
      const found = this.evaluate(condition);
      const known = truth(found);
      if (known === false) return false;
      if (known === undefined) {
        this.open(node, found.value, condition, update);
        return false;
      }
    }
    const start = { out: this.out, length: this.out.length, state: copyOf(this.state) };
    const loop = { breaks: [] as Way[], continues: [] as Way[] };
    this.frame.loops.push(loop);
    this.execute(body);
    this.frame.loops.pop();
    const spun = this.isSpin(loop, start, update);
    if (spun !== undefined) {
      this.out.length = start.length;
      this.emit({ kind: 'assume', condition: this.exprOf(spun, node), span: this.spanOf(node) });
      this.state = start.state;
      return false;
    }
    this.gather(loop.continues, this.out);
    breaks.push(...loop.breaks);
    if (!this.alive) return false;
    if (update !== undefined) this.evaluate(update);
    if (after === undefined) return true;
    const found = this.evaluate(after);
    const known = truth(found);
    if (known === undefined) this.again(node, found.value, after, body, start);
    return known === true;
  }

  /**
   * A loop whose polls find nothing goes round without doing anything, so that a poll in it waits. A round is tried from a state: it must
   * come back to the beginning, and a second one must change nothing.
   */
  private mustWait(parts: LoopParts, state: State): void {
    if (this.gaps !== undefined || this.findsNothing) return;
    const { out, state: after, alive } = this;
    const left = this.frames.map(({ returns }) => returns.length);
    const asserted = this.asserted.length;
    this.findsNothing = true;
    this.state = copyOf(state);
    let waits: boolean;
    try {
      waits = this.comesBack(parts);
      const first = copyOf(this.state);
      waits = waits && this.comesBack(parts) && unchanged(first, this.state);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      waits = false;
    }
    this.findsNothing = false;
    const isLeft = this.frames.some(({ returns }, i) => returns.length > left[i]);
    this.frames.forEach(({ returns }, i) => (returns.length = left[i]));
    this.asserted.length = asserted;
    [this.out, this.state, this.alive] = [out, after, alive];
    if (!waits || isLeft) this.mayFindNothing();
  }

  /** Whether a round ends where it began, with nothing written down. */
  private comesBack({ before, after, update, body }: LoopParts): boolean {
    this.out = [];
    this.alive = true;
    const isTrue = (condition: CNode | undefined): boolean =>
      condition === undefined || truth(this.evaluate(condition)) === true;
    if (!isTrue(before)) return false;
    const loop = { breaks: [] as Way[], continues: [] as Way[] };
    this.frame.loops.push(loop);
    this.execute(body);
    this.frame.loops.pop();
    if (loop.breaks.length > 0) return false;
    this.gather(loop.continues, this.out);
    if (!this.alive) return false;
    if (update !== undefined) this.evaluate(update);
    return isTrue(after) && this.out.length === 0;
  }

  /** A poll that need not find anything: what happens then is another way, which is not followed. */
  protected mayFindNothing(): never {
    return this.refuse(
      this.lastPoll!,
      'this poll may find nothing, and what happens then is not followed yet',
      'wait in a loop: while (ibv_poll_cq(…) == 0) ;',
    );
  }

  /**
   * A round of an endless loop that waits: it has only read, and leaves by a condition. The condition by which it leaves;
   * undefined: it is none.
   */
  private isSpin(
    { breaks, continues }: { readonly breaks: readonly Way[]; readonly continues: readonly Way[] },
    {
      out,
      length,
      state,
    }: { readonly out: readonly Statement[]; readonly length: number; readonly state: State },
    update: CNode | undefined,
  ): Value | undefined {
    if (continues.length > 0 || breaks.length !== 1 || !this.alive || update !== undefined)
      return undefined;
    const made = out.slice(length);
    const [last] = made;
    if (made.length !== 1 || last.kind !== 'if') return undefined;
    if (!unchanged(state, this.state) || !unchanged(state, breaks[0].state)) return undefined;
    if (last.then === breaks[0].out && last.then.length === 0 && last.else.length === 0) {
      return { kind: 'runtime', expr: last.condition, reads: true };
    }
    return undefined;
  }

  /** A loop whose condition the program computes: one that only waits is one read; another one is a loop. */
  private open(node: CNode, condition: Value, at: CNode, update: CNode | undefined): void {
    const body = partOf(node, 'body');
    // What is missing may be what the loop waits for.
    if (this.gaps !== undefined) return;
    const [before, outer] = [copyOf(this.state), this.out];
    if (condition.kind === 'path')
      this.remark('assumed', `nobody knows ${condition.text}: any number of rounds`, node);
    const block: Statement[] = [];
    const loop = { breaks: [] as Way[], continues: [] as Way[] };
    this.out = block;
    this.frame.loops.push(loop);
    this.execute(body);
    this.frame.loops.pop();
    if (this.alive && update !== undefined) this.evaluate(update);
    const isQuiet =
      block.length === 0 && this.alive && loop.breaks.length === 0 && unchanged(before, this.state);
    this.out = outer;
    this.state = before;
    this.alive = true;
    if (isQuiet && condition.kind === 'runtime') {
      const done = this.negated(condition, at);
      this.emit({ kind: 'assume', condition: this.exprOf(done, node), span: this.spanOf(node) });
      return;
    }
    this.refuse(
      node,
      'a loop of unknown length that does more than wait is not understood yet',
      'write it out for as many rounds as are asked about',
    );
  }

  /** The same where the condition is behind the body: `do { v = *p; } while (v == 0);`. */
  private again(
    node: CNode,
    condition: Value,
    at: CNode,
    body: CNode,
    {
      out,
      length,
      state,
    }: { readonly out: Statement[]; readonly length: number; readonly state: State },
  ): void {
    const made = out.slice(length);
    const onlyReads = made.every(
      (one) => one.kind === 'assign' && !this.around.nodeOf.has(one.target.name.text),
    );
    const sameOpen = [...state.open].every(([key, open]) =>
      sameValue(open as never, this.state.open.get(key) as never),
    );
    if (condition.kind === 'runtime' && onlyReads && sameOpen && this.out === out) {
      const done = this.negated(condition, at);
      this.emit({ kind: 'assume', condition: this.exprOf(done, node), span: this.spanOf(node) });
      return;
    }
    this.refuse(
      body,
      'a loop of unknown length that does more than wait is not understood yet',
      'write it out for as many rounds as are asked about',
    );
  }
}

function unchanged(a: State, b: State): boolean {
  const same = <T>(x: ReadonlyMap<string, T>, y: ReadonlyMap<string, T>): boolean =>
    x.size === y.size &&
    [...x].every(([key, value]) => sameValue(value as never, y.get(key) as never));
  return same(a.values, b.values) && same(a.open, b.open) && same(a.building, b.building);
}

/** Does a branch leave, as one does after an error? */
function endsBadly(node: CNode): boolean {
  return /\b(return|goto|exit|abort|die|err|errx|perror|break)\b/.test(node.text);
}

/** Builtins whose `&x` is a variable of the function, and no memory of a request. */
const BY_ADDRESS =
  /^(ibv_poll_cq|ibv_post_\w+|ibv_get_cq_event|atomic_\w+|__atomic_\w+|__sync_\w+|memset|ibv_\w+poll)$/;

/** Is the address of a variable taken, but for calls that only return something in it? An array is an address. */
function addressTaken(node: CNode, name: string, isArray: boolean): boolean {
  const visit = (one: CNode): boolean => {
    if (one.type === 'call_expression') {
      const called = fieldOf(one, 'function')?.text ?? '';
      const given = partsOf(partOf(one, 'arguments'));
      return given.some((argument) =>
        BY_ADDRESS.test(called) && isAddressOf(argument, name) ? false : visit(argument),
      );
    }
    if (isAddressOf(one, name)) return true;
    if (isArray && one.type === 'identifier' && one.text === name) return true;
    if (isArray && one.type === 'subscript_expression') {
      return partsOf(one).slice(1).some(visit);
    }
    if (one.type === 'sizeof_expression') return false;
    if (one.type === 'init_declarator') {
      const value = fieldOf(one, 'value');
      return value !== undefined && visit(value);
    }
    if (one.type === 'array_declarator') return false;
    return partsOf(one).some(visit);
  };
  return visit(node);
}

function isAddressOf(node: CNode, name: string): boolean {
  if (node.type !== 'pointer_expression' || !node.text.startsWith('&')) return false;
  const argument = partOf(node, 'argument');
  const root = argument.type === 'subscript_expression' ? partOf(argument, 'argument') : argument;
  return root.type === 'identifier' && root.text === name;
}
