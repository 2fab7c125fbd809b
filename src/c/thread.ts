import type { LitmusExpr, Statement, ThreadDecl } from '../parse/litmus-ast.js';
import { CPU } from './cpu.js';
import type { QueuePairEnd } from './core.js';
import { truth } from './expressions.js';
import { expressionOf } from './head.js';
import type { Place, Region, Typed, Value, Way } from './state.js';
import { Executing } from './statements.js';
import type { CNode } from './tree.js';
import { fieldOf, operatorOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';
import { UNKNOWN, WORD } from './types.js';
import { VERBS } from './verbs.js';

const NOTHING: Typed = { value: { kind: 'nothing' }, type: UNKNOWN };

/** What prints, waits, frees or looks at clocks: nothing that a memory model knows. */
const LEFT_OUT =
  /^(f?printf|f?puts|putchar|perror|strerror|usleep|sleep|nanosleep|sched_yield|_mm_pause|cpu_relax|free|fflush|gettimeofday|clock_gettime|ibv_wc_status_str|ibv_req_notify_cq|ibv_get_cq_event|ibv_ack_cq_events|syslog|fputs)$/;
/** Calls that never return. */
const ENDS = /^(exit|_exit|abort|err|errx|die|__builtin_unreachable)$/;

/** The path of an expression of the head, as values have it. Undefined: it is none. */
export function pathOf(node: CNode): string | undefined {
  switch (node.type) {
    case 'identifier':
      return node.text;
    case 'parenthesized_expression':
      return pathOf(partsOf(node)[0]);
    case 'cast_expression':
      return pathOf(partOf(node, 'value'));
    case 'field_expression': {
      const of = pathOf(partOf(node, 'argument'));
      const name = partOf(node, 'field').text;
      if (of === undefined) return undefined;
      if (operatorOf(node) === '.')
        return of.startsWith('*') ? `${of.slice(1)}->${name}` : `${of}.${name}`;
      return of.startsWith('&') ? `${of.slice(1)}.${name}` : `${of}->${name}`;
    }
    case 'subscript_expression': {
      const of = pathOf(partOf(node, 'argument'));
      return of && `${of}[${partOf(node, 'index').text}]`;
    }
    case 'pointer_expression': {
      const of = pathOf(partOf(node, 'argument'));
      if (of === undefined) return undefined;
      if (operatorOf(node) === '&') return of.startsWith('*') ? of.slice(1) : `&${of}`;
      return of.startsWith('&') ? of.slice(1) : `*${of}`;
    }
    default:
      return undefined;
  }
}

/** Reads one thread of the head: its function, with all that it calls. */
export class ThreadReader extends Executing {
  private readonly bound = new Map<string, Region>();
  private readonly ends = new Map<string, QueuePairEnd>();
  private readonly prologue: Statement[] = [];
  private readonly privates = new Map<string, Region>();

  /** Variables at file level that it has in its private memory. */
  get ownGlobals(): readonly string[] {
    return [...this.privates.keys()];
  }

  declaration(): ThreadDecl {
    this.bind();
    const { code } = this.around;
    const { function: called, name, node } = this.thread;
    const found = code.functions.get(called.text);
    const place = { startIndex: called.span.start, endIndex: called.span.end };
    if (found === undefined) {
      const names = [...code.functions.keys()].join(', ');
      this.refuse(place as CNode, `the file has no function ${called.text}`, `it has ${names}`);
    }
    const given = this.thread.arguments;
    const values = found.parameters.map((parameter, i): Typed => {
      if (given !== undefined && given[i] !== undefined) {
        const expression = expressionOf(given[i].text.trim());
        if (expression !== undefined) return this.argumentIn(expression, parameter);
      }
      return this.parameter(parameter.name, parameter.type);
    });
    this.inline(called.text, values, found.node);
    if (this.unproven > 0 && this.gaps === undefined) this.mayFindNothing();
    return {
      name,
      node,
      body: [...this.prologue, ...this.body],
      span: name.span,
    };
  }

  private readonly body: Statement[] = this.out;

  private argumentIn(
    expression: CNode,
    { name, type }: { readonly name: string; readonly type: Type },
  ): Typed {
    const path = pathOf(expression);
    if (path !== undefined && path === name) return this.parameter(name, type);
    const { value } = this.evaluate(expression);
    return { value, type };
  }

  /** A parameter that nobody gives: a place of the same name, what a binding says, or a path. */
  private parameter(name: string, type: Type): Typed {
    const region = type.kind === 'pointer' ? this.regionOf(name) : undefined;
    const value: Value = this.boundTo(name) ??
      (region && { kind: 'address', region, offset: 0 }) ?? { kind: 'path', text: name };
    return { value, type };
  }

  private bind(): void {
    const { nodeOf, nodes, arrays } = this.around;
    for (const { left, to, queuePair, completions } of this.thread.binds) {
      const at = { startIndex: left.start, endIndex: left.start + left.text.length } as CNode;
      const expression = expressionOf(left.text);
      const path = expression && pathOf(expression);
      if (path === undefined) this.refuse(at, 'this is no path of C', 'ctx->remote.addr => data');
      const [first] = to;
      if (first === undefined) continue;
      const isLocation = nodeOf.has(first.name.text) || arrays.has(first.name.text);
      const isNode = nodes.includes(first.name.text);
      if (isLocation && isNode) this.refuse(at, `${first.name.text} is both a node and a location`);
      if (isNode) {
        const queue = completions && expressionOf(completions.text);
        const end = { node: first.name, ...(queuePair && { name: queuePair }) };
        this.ends.set(path, {
          ...end,
          ...(queue && { completions: pathOf(queue) ?? completions.text }),
        });
        continue;
      }
      let next = 0;
      const places = to.flatMap(({ name, at: bytes }) => {
        const region = this.regionOf(name.text);
        if (region === undefined) {
          const span = { startIndex: name.span.start, endIndex: name.span.end } as CNode;
          return this.refuse(span, `no node has a location ${name.text}`);
        }
        const start = bytes ?? next;
        next = start + 8 * region.places.length;
        return region.places.map(({ location, at }) => ({ location, at: start + at }));
      });
      const node = nodeOf.get(places[0].location)!;
      if (places.some(({ location }) => nodeOf.get(location) !== node)) {
        this.refuse(at, 'the places of one pointer are on one node');
      }
      if (this.bound.has(path)) this.refuse(at, `${left.text} has two bindings`);
      this.bound.set(path, { node, places });
    }
  }

  boundTo(text: string): Value | undefined {
    const region = this.bound.get(text);
    return region && { kind: 'address', region, offset: 0 };
  }

  pairs(): ReadonlyMap<string, QueuePairEnd> {
    return this.ends;
  }

  pairOf(value: Value, node: CNode): { readonly text: string; readonly end: QueuePairEnd } {
    if (value.kind !== 'path') return this.refuse(node, 'nobody knows which queue pair this is');
    const known = this.ends.get(value.text);
    if (known !== undefined) return { text: value.text, end: known };
    const { nodes } = this.around;
    const others = nodes.filter((one) => one !== this.thread.node.text);
    if (this.ends.size === 0 && others.length === 1) {
      const [only] = others;
      const end = { node: this.ident(only, node) };
      this.ends.set(value.text, end);
      this.remark('default', `${value.text} leads to node ${only}, the other one`, node);
      return { text: value.text, end };
    }
    this.missing(
      'queue pair',
      value.text,
      node,
      `nothing says where the queue pair ${value.text} leads`,
      `give it a node in the head of ${this.thread.name.text}: ${value.text} => ${others[0] ?? 'node'}`,
    );
    const end = { node: this.ident('?', node) };
    this.ends.set(value.text, end);
    return { text: value.text, end };
  }

  globalPlace(name: string, type: Type): Place {
    const global = this.around.code.globals.get(name)!;
    const isInt = type.kind === 'int' || (type.kind === 'array' && type.of.kind === 'int');
    if (!isInt) {
      const key = `global ${name}`;
      if (global.value === undefined || type.kind === 'unknown')
        return { kind: 'path', text: name, type };
      if (!this.state.values.has(`${key} zeroed`) && !this.state.values.has(key)) {
        const place: Place = { kind: 'variable', key, type };
        if (global.value.type === 'initializer_list') this.initialise(place, global.value);
        else this.write(place, this.evaluate(global.value).value, global.value);
      }
      return { kind: 'variable', key, type };
    }
    if (global.isConst && global.value !== undefined && type.kind === 'int') {
      const key = `global ${name}`;
      this.state.values.set(key, this.evaluate(global.value).value);
      return { kind: 'variable', key, type };
    }
    const known = this.privates.get(name);
    if (known !== undefined) return { kind: 'word', region: known, offset: 0, type };
    const of = type.kind === 'array' ? type.of : type;
    const count = type.kind === 'array' ? (type.count ?? 1) : 1;
    const size = this.around.code.types.sizeOf(of) ?? 8;
    const region: Region = {
      places: Array.from({ length: count }, (_, i) => ({
        location: this.fresh(type.kind === 'array' ? `${name}${i}` : name),
        at: size * i,
      })),
    };
    this.privates.set(name, region);
    const value = global.value === undefined ? undefined : this.evaluate(global.value).value;
    if (value?.kind === 'int' && value.value !== 0) {
      const span = this.spanOf(global.node);
      const [{ location }] = region.places;
      this.prologue.push({
        kind: 'assign',
        target: this.refTo(location, global.node),
        value: this.int(value.value, global.node),
        span,
      });
    }
    return { kind: 'word', region, offset: 0, type };
  }

  call(node: CNode): Typed {
    if (node.type === 'gnu_asm_expression') return this.assembly(node);
    const called = partOf(node, 'function');
    const given = partsOf(partOf(node, 'arguments'));
    if (called.type === 'parenthesized_expression' && given.length === 1)
      return this.evaluate(given[0]);
    if (called.type !== 'identifier') {
      return this.refuse(node, `a call through a pointer is not understood: ${called.text}`);
    }
    const name = called.text;
    const { functions } = this.around.code;
    const builtin = functions.has(name) ? undefined : (VERBS.get(name) ?? CPU.get(name));
    if (builtin !== undefined) return builtin(this, given, node);
    if (functions.has(name)) {
      const values = given.map((one) => {
        const { value, type } = this.evaluate(one);
        return { value: this.settled(value, one), type };
      });
      return this.inline(name, values, node);
    }
    if (name === 'READ_ONCE' && given.length === 1) return this.evaluate(given[0]);
    if (name === 'WRITE_ONCE' && given.length === 2) {
      this.write(this.placeOf(given[0]), this.evaluate(given[1]).value, node);
      return NOTHING;
    }
    if (given.length > 0 && /^(un)?likely$|^__builtin_expect$/.test(name))
      return this.evaluate(given[0]);
    if (name === 'assert' && given.length === 1) return this.assert(given[0], node);
    if (ENDS.test(name)) {
      this.alive = false;
      return NOTHING;
    }
    if (LEFT_OUT.test(name)) {
      this.remark('left out', `${name}()`, node);
      return { value: { kind: 'int', value: 0 }, type: WORD };
    }
    this.missing(
      'call',
      node.text,
      node,
      `nothing says what ${name} does`,
      'put its body into the file, or leave the call out',
    );
    return { value: { kind: 'path', text: node.text }, type: UNKNOWN };
  }

  private assembly(node: CNode): Typed {
    const code = fieldOf(node, 'assembly_code')?.text ?? '';
    if (/mfence/.test(code)) return CPU.get('_mm_mfence')!(this, [], node);
    if (/^"\s*"$|pause|sfence|lfence|nop/.test(code)) return NOTHING;
    return this.refuse(node, 'this assembly is not understood');
  }

  /** A question of one thread: can it be false there? */
  private assert(condition: CNode, node: CNode): Typed {
    const found = this.evaluate(condition);
    if (truth(found) !== undefined || found.value.kind !== 'runtime') return NOTHING;
    const name = this.fresh('asserted');
    const expr: LitmusExpr = found.value.expr;
    this.assign(name, expr, node);
    this.asserted.push({ name: this.ident(name, node), text: node.text });
    return NOTHING;
  }

  /** The body of a function in the place of a call. */
  private inline(name: string, given: readonly Typed[], node: CNode): Typed {
    const { parameters, body } = this.around.code.functions.get(name)!;
    if (this.frames.some((frame) => frame.function === name)) {
      return this.refuse(node, `${name} calls itself: that is not understood`);
    }
    const outer = this.out;
    const frame = this.enter(name);
    for (const [i, parameter] of parameters.entries()) {
      const value = given[i]?.value;
      if (value !== undefined && this.isNamedByRequests(parameter.name, parameter.type)) {
        // A request may name it: it is memory.
        const place = this.local(parameter.name, parameter.type, node);
        this.write(place, value, node);
        continue;
      }
      const key = `${frame.id}:${parameter.name}#`;
      frame.scopes[0].set(parameter.name, { kind: 'variable', key, type: parameter.type });
      if (value !== undefined) this.state.values.set(key, value);
    }
    this.execute(body);
    const result = `${frame.id}:result#`;
    let type: Type = UNKNOWN;
    const ways: Way[] = frame.returns.map((way) => {
      if (way.value !== undefined) {
        way.state.values.set(result, way.value.value);
        type = way.value.type;
      }
      return way;
    });
    if (this.alive) ways.push({ out: this.out, state: this.state });
    this.frames.pop();
    if (ways.length === 1 && ways[0].out !== outer) {
      // All other ways have ended for good.
      this.alive = true;
      this.out = ways[0].out;
      this.state = ways[0].state;
    } else this.join(ways, outer);
    const value = this.state.values.get(result);
    return value === undefined ? NOTHING : { value, type };
  }
}
