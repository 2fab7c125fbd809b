import { didYouMean } from '../parse/diagnostics/index.js';
import type { Statement } from '../parse/litmus-ast.js';
import { passBarrier } from './barriers.js';
import { Bound, pathOf } from './bindings.js';
import { BUILTINS } from './builtins.js';
import type { CFunction, CGlobal } from './code.js';
import { NOTHING, int } from './calls.js';
import type { HeadCall } from './head.js';
import type { Piece } from './pieces.js';
import { expressionOf } from './pieces.js';
import { keepIn } from './known.js';
import { barrierIn } from './orders.js';
import { perform } from './operations.js';
import { refuseKnown } from './refused.js';
import type { Place, Region, Typed, Value, Way } from './state.js';
import { forgetFrame } from './state.js';
import type { CallLine } from './tables.js';
import { matched } from './tables.js';
import type { At, CNode } from './tree.js';
import { fieldOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';
import { UNKNOWN, WORD } from './types.js';

/** What prints, waits or frees: nothing that a memory model knows. */
const LEFT_OUT =
  /^(f?printf|f?puts|putchar|perror|strerror|usleep|sleep|nanosleep|sched_yield|_mm_pause|__builtin_ia32_pause|cpu_relax|free|fflush|ibv_wc_status_str|ibv_req_notify_cq|ibv_get_cq_event|ibv_ack_cq_events|syslog|_Static_assert|static_assert)$/;
/** Calls that never return. */
const ENDS = /^(exit|_exit|abort|err|errx|die|__builtin_unreachable)$/;

/** One run through the function of a thread, with all that it calls. */
export class ThreadReader extends Bound {
  /** By the name of a word of its own: its first value. */
  readonly prologue = new Map<string, Statement>();
  private readonly privates = new Map<string, Region>();
  /** Variables at file level that it uses and that are on no node. */
  readonly globals = new Set<string>();

  /** Variables at file level that it has in its private memory. */
  get ownGlobals(): readonly string[] {
    return [...this.privates.keys()];
  }

  /**
   * What the thread does on the way of this run.
   * @throws Refusal if something is not understood
   */
  run(): readonly Statement[] {
    this.bind();
    const body = this.out;
    this.decide();
    for (const call of [...(this.thread.before ?? []), this.thread]) this.begin(call);
    if (this.unproven > 0 && this.gaps === undefined) this.mayFindNothing();
    return body;
  }

  /** A call that stands in the head. */
  private begin({ function: called, arguments: given = [] }: HeadCall): void {
    const place = { startIndex: called.span.start, endIndex: called.span.end };
    const { parameters, isVariadic } = this.functionAt(called.text, place);
    // The object of a method is what bindings say of `this`.
    const isMethod = parameters[0]?.name === 'this';
    const rest = isMethod ? [undefined, ...given] : given;
    const [surplus] = rest.slice(parameters.length);
    if (surplus !== undefined && !isVariadic) {
      const names = parameters.slice(isMethod ? 1 : 0).map((one) => one.name);
      const counts = `${names.length} parameters, and here ${given.length} arguments`;
      const hint = `${called.text}(${names.join(', ')})`;
      this.refuse(placeOf(surplus), `${called.text} has ${counts}`, hint);
    }
    const values = parameters.map((parameter, i) => this.argument(rest[i], parameter));
    if (this.alive) this.inline(called.text, values, place);
  }

  private functionAt(name: string, node: At): CFunction {
    const { functions, twice } = this.around.code;
    const found = functions.get(name);
    if (found === undefined) {
      const names = [...functions.keys()];
      const hint = didYouMean(name, names) ?? `it has ${names.join(', ')}`;
      return this.refuse(node, `the file has no function ${name}`, hint);
    }
    if (twice.has(name)) {
      this.refuse(node, `the file has several functions ${name}`, 'leave the one that is meant');
    }
    return found;
  }

  /** What the head gives for a parameter; without that, it is a place of the same name, what a binding says, or a path. */
  private argument(
    given: Piece | undefined,
    { name, type }: { readonly name: string; readonly type: Type },
  ): Typed {
    const expression = given && expressionOf(given.text.trim());
    if (given !== undefined && expression === undefined) {
      this.refuse(placeOf(given), 'this is no expression of C');
    }
    if (given !== undefined && expression !== undefined && pathOf(expression) !== name) {
      const place = placeOf(given);
      return { value: this.usingAt(place, () => this.evaluate(expression)).value, type };
    }
    const isNamed = type.kind === 'pointer' && !this.isOpen(name);
    const region = isNamed ? this.regionOf(name) : undefined;
    const value: Value = this.boundTo(name) ??
      (region && { kind: 'address', region, offset: 0 }) ?? { kind: 'path', text: name };
    return { value, type };
  }

  globalPlace(name: string, type: Type): Place {
    this.globals.add(name);
    const global = this.around.code.globals.get(name)!;
    const isInt = type.kind === 'int' || (type.kind === 'array' && type.of.kind === 'int');
    if (isInt && !global.isConst) {
      const region = this.privates.get(name) ?? this.ownGlobal(global);
      return { kind: 'word', region, offset: 0, type };
    }
    const isZero = isInt && global.isStatic;
    if ((global.value === undefined && !isZero) || type.kind === 'unknown') {
      return { kind: 'path', text: name, type };
    }
    const place = { kind: 'variable', key: `global ${name}`, type } as const;
    if (this.partAt(place.key) === undefined) {
      const isChanged = this.changed.has(name);
      if (global.value === undefined) this.zero(place.key);
      else if (global.value.type === 'initializer_list') this.initialise(place, global.value);
      else keepIn(this.state.values, place.key, this.evaluate(global.value).value);
      if (!isChanged) this.changed.delete(name);
    }
    return place;
  }

  /** A number, or an array of them, at file level that no node has: it is the thread's own, and begins with its first value. */
  private ownGlobal({ name, type, value: given, node }: CGlobal): Region {
    const isObserved = this.around.observed(this.thread.name.text).has(name);
    const region = this.privateRegion(`global ${name}`, name, type, isObserved);
    this.privates.set(name, region);
    const values = given?.type === 'initializer_list' ? partsOf(given) : given ? [given] : [];
    if (values.length > region.places.length) {
      this.refuse(values[region.places.length], `${name} has fewer words than values`);
    }
    for (const [i, { location }] of region.places.entries()) {
      const first = values[i] === undefined ? int(0) : this.evaluate(values[i]).value;
      if (first.kind !== 'int') {
        return this.refuse(values[i], `the first value of ${name} is not known`);
      }
      const target = this.refTo(location, node);
      const span = this.spanOf(node);
      const value = this.int(first.value, node);
      this.prologue.set(location, { kind: 'assign', target, value, span });
    }
    return region;
  }

  call(node: CNode): Typed {
    if (node.type === 'gnu_asm_expression') return this.assembly(node);
    const called = partOf(node, 'function');
    const given = partsOf(partOf(node, 'arguments'));
    // A cast to a type that the grammar does not know.
    const isStar = /^\(\s*\*/.test(called.text);
    if (called.type === 'parenthesized_expression' && given.length === 1 && !isStar) {
      return this.evaluate(given[0]);
    }
    const said = this.byTable(this.around.calls.head, node);
    if (said !== undefined) return said;
    const name = this.nameOf(called, node);
    if (this.around.code.functions.has(name)) {
      const values = given.map((one) => {
        const { value, type } = this.evaluate(one);
        return { value: this.settled(value, one), type };
      });
      return this.inline(name, values, node);
    }
    const text = this.expanded(node);
    if (text !== undefined) {
      const expression = expressionOf(text);
      if (expression !== undefined)
        return this.inMacro(node, name, () => this.evaluate(expression));
      return this.refuse(node, `the macro ${name} is no expression`);
    }
    const builtin = BUILTINS.get(name);
    if (builtin !== undefined) return builtin(this, given, node);
    if (name === 'assert' && given.length === 1) return this.assert(given[0], node);
    const known = this.byTable(this.around.calls.tables, node);
    if (known !== undefined) return known;
    if (ENDS.test(name)) {
      this.leave(undefined);
      return NOTHING;
    }
    if (LEFT_OUT.test(name)) {
      for (const one of given) if (doesSomething(one)) this.evaluate(one);
      this.remark('left out', `${name}()`, node);
      return { value: int(0), type: WORD };
    }
    refuseKnown(this, name, node);
    this.mustBeAsInHead(name, given, node);
    this.missing(
      'call',
      node.text,
      node,
      `nothing says what ${name} does`,
      didYouMean(name, [
        ...this.around.calls.head.flatMap(({ names }) => names),
        ...BUILTINS.keys(),
        ...this.around.code.functions.keys(),
      ]) ?? `say it in the head: call ${name}(…) = put(…) on qp, or = nothing`,
    );
    return { value: { kind: 'path', text: node.text }, type: UNKNOWN };
  }

  /** A line of the head is about this function, but with other arguments. */
  private mustBeAsInHead(name: string, given: readonly CNode[], node: CNode): void {
    const line = this.around.calls.head.find((one) => one.names.includes(name));
    const pattern = line?.pattern();
    if (line === undefined || pattern === undefined) return;
    const expected = partsOf(partOf(pattern.call, 'arguments'));
    const isAlike = (one: CNode, i: number): boolean =>
      one.text === given[i]?.text || pattern.parameters.has(one.text);
    const wrong = expected.findIndex((one, i) => !isAlike(one, i));
    const message = `the head says what ${line.call.text} does, and not what this call does`;
    const [what] = /[A-Za-z_]\w*$/.exec(expected[wrong]?.text ?? '') ?? ['n'];
    const any = expected.map((one, i) => (i === wrong ? what : one.text)).join(', ');
    const hint =
      given.length < expected.length
        ? `it has ${expected.length} arguments there, and ${given.length} here`
        : `a line with a name in that place is about any argument: ${name}(${any})`;
    this.refuse(given[wrong] ?? node, message, hint);
  }

  /** What a line says that a call does. */
  private byTable(lines: readonly CallLine[], node: CNode): Typed | undefined {
    for (const line of lines) {
      const given = matched(line, node);
      if (given === undefined) continue;
      this.around.used.add(line);
      const values = [...given].flatMap(([name, one]) => {
        // What the operations do not need, need not be known.
        if (!line.operations.some(({ piece }) => new RegExp(`\\b${name}\\b`).test(piece.text))) {
          if (doesSomething(one)) this.evaluate(one);
          return [];
        }
        const { value, type } = this.evaluate(one);
        return [[name, { value: this.settled(value, one), type }] as const];
      });
      return perform(this, line, new Map(values), node);
    }
    return undefined;
  }

  /** The name of the function that is called; through a pointer, if it is known which one that is. */
  private nameOf(called: CNode, node: CNode): string {
    const isPlain = called.type === 'identifier' && this.find(called.text) === undefined;
    if (isPlain) return called.text;
    // What the functions of libibverbs do is to call these (infiniband/verbs.h).
    const [, verb] = /->context->ops\s*\.\s*(post_send|post_recv|poll_cq)$/.exec(called.text) ?? [];
    if (verb !== undefined) return `ibv_${verb}`;
    const { value } = this.evaluate(called);
    // A function is what a pointer to it leads to.
    const name = value.kind === 'path' ? value.text.replace(/^[*&]+/, '') : '';
    if (this.around.code.functions.has(name)) return name;
    const given = partOf(node, 'arguments').text;
    return this.refuse(
      node,
      `nobody knows which function this calls: ${called.text}`,
      `say in the head what it does: call ${called.text}${given} = put(…) on …`,
    );
  }

  private assembly(node: CNode): Typed {
    const code = fieldOf(node, 'assembly_code')?.text ?? '';
    if (/mfence|lock[;\s]+(add|or)[lq]?\s+\$0/.test(code))
      return BUILTINS.get('_mm_mfence')!(this, [], node);
    const made = barrierIn(code);
    if (made !== undefined) {
      passBarrier(this, made, node);
      return NOTHING;
    }
    if (/^"\s*"$|pause|yield|sfence|lfence|nop/.test(code)) return NOTHING;
    return this.refuse(node, 'this assembly is not understood');
  }

  /** A question of one thread: can it be false there? */
  private assert(condition: CNode, node: CNode): Typed {
    const found = this.evaluate(condition);
    if (this.holds(found) === true) return NOTHING;
    const before = this.asserted.filter(({ name: { span } }) => span.start === node.startIndex);
    const key = `assert ${node.startIndex} ${before.length}`;
    const failed = this.following.names.of(key, 'failed');
    this.assign(failed, this.exprOf(this.negated(found.value, node), node), node);
    this.asserted.push({ name: this.ident(failed, node), text: node.text });
    return NOTHING;
  }

  /** The body of a function in the place of a call. */
  private inline(name: string, given: readonly Typed[], node: At): Typed {
    const { parameters, body, returns } = this.functionAt(name, node);
    if (this.frames.some((frame) => frame.function === name)) {
      return this.refuse(node, `${name} calls itself: that is not understood`, 'write a loop');
    }
    // Named by the calls around it, and not by their numbers: in each round of a loop it is the same.
    const calls = this.frames.map(({ from }) => from.startIndex).join('/');
    const result =
      this.frames.length === 0 ? 'call:result#' : this.keyAt('result', node, `call ${calls}`);
    this.forget(result);
    const frame = this.enter(name, node);
    for (const [i, parameter] of parameters.entries()) {
      const value = given[i] && this.asType(given[i].value, parameter.type);
      const place = this.local(parameter.name, parameter.type, node);
      if (value === undefined) continue;
      // A request may name it: it is memory.
      if (place.kind === 'word') this.write(place, value, node);
      else if (place.kind === 'variable') keepIn(this.state.values, place.key, value);
    }
    this.execute(body);
    for (const label of frame.jumps.keys()) {
      this.refuse(node, `where the label ${label} is, is not found`);
    }
    const ways: readonly Way[] = [
      ...frame.returns,
      ...(this.alive ? [{ out: this.out, state: this.state }] : []),
    ];
    for (const { state, value } of ways) {
      if (value !== undefined) keepIn(state.values, result, this.asType(value.value, returns));
      forgetFrame(state, frame.id);
    }
    this.frames.pop();
    this.meet(ways, node);
    const value = this.alive ? this.partAt(result) : undefined;
    const found = ways.findLast((way) => way.value !== undefined)?.value?.type ?? UNKNOWN;
    const type = returns.kind === 'unknown' ? found : returns;
    return value === undefined ? NOTHING : { value, type };
  }
}

/** Whether an expression changes something when it is evaluated. */
const doesSomething = (node: CNode): boolean =>
  ['call_expression', 'update_expression', 'assignment_expression'].includes(node.type) ||
  partsOf(node).some(doesSomething);

/** Where a text of the head stands, without the spaces around it. */
function placeOf({ text, start }: Piece): At {
  const startIndex = start + text.length - text.trimStart().length;
  return { startIndex, endIndex: startIndex + text.trim().length };
}
