import { didYouMean } from '../parse/diagnostics/index.js';
import type { LitmusExpr } from '../parse/litmus-ast.js';
import { loaded } from './atomics.js';
import { NOTHING, emitCall, int, peer } from './calls.js';
import type { Next } from './completions.js';
import { firstOf, inQueue, oneOf, ofPair, pollOnce, take } from './completions.js';
import { CONSTANTS } from './constants.js';
import type { QueuePair } from './around.js';
import type { Core } from './core.js';
import { Refusal } from './core.js';
import { ACQUIRE } from './orders.js';
import { expressionOf } from './pieces.js';
import { keepIn } from './known.js';
import type { Building, Typed, Value } from './state.js';
import { NEVER_RETURNS, isSame } from './state.js';
import type { CallLine, Operation } from './tables.js';
import { matched } from './tables.js';
import type { CNode } from './tree.js';
import { identifiersIn } from './tree.js';
import { INT, UNKNOWN, WORD } from './types.js';
import { EXCHANGE, INLINE, post } from './work.js';

/** What a line of a table says that a call does, in place of that call. */
export function perform(
  core: Core,
  line: CallLine,
  given: ReadonlyMap<string, Typed>,
  node: CNode,
): Typed {
  const frame = core.enter(`call of ${line.names[0]}`, node);
  const [scope] = frame.scopes;
  // It is no null pointer, whatever its type is called.
  const request: Typed = { value: { kind: 'pointer', key: core.fresh('request') }, type: UNKNOWN };
  // A parameter goes before a word of tables.
  const known = new Map<string, Typed>([
    ['request', request],
    ['made', { value: { kind: 'path', text: node.text, made: {} }, type: UNKNOWN }],
    ['nodes', { value: int(core.around.nodes.length), type: INT }],
    ...given,
  ]);
  for (const [name, { value, type }] of known) {
    const key = `${frame.id}:${name}#`;
    keepIn(core.state.values, key, value);
    scope.set(name, { kind: 'variable', key, type });
  }
  const isNew = line.operations.some(({ operands }) => operands.some((one) => /\bnew\b/.test(one)));
  if (isNew) scope.set('new', core.ownWord(`result ${node.startIndex}`, 'result'));
  const called = new Performer(core, line, request.value, node);
  let result: Typed = { value: int(0), type: INT };
  for (const operation of line.operations) {
    if (!core.alive) break;
    const found = called.does(operation);
    if (found.value !== undefined) result = found.value;
    if (found.isLast) break;
  }
  core.leaveFrame();
  return core.alive ? result : NOTHING;
}

interface Done {
  readonly value?: Typed;
  /** The call returns here. */
  readonly isLast?: boolean;
}

/** The comparisons of `shmem_wait_until`, in the order of their constants. */
const COMPARISONS = ['==', '!=', '>', '<=', '<', '>='] as const;
const OPCODES = new Map(
  [
    ['put', 'RDMA_WRITE'],
    ['inline put', 'RDMA_WRITE'],
    ['inject', 'RDMA_WRITE'],
    ['unsignalled put', 'RDMA_WRITE'],
    ['get', 'RDMA_READ'],
    ['rcas', 'ATOMIC_CMP_AND_SWP'],
    ['rfaa', 'ATOMIC_FETCH_AND_ADD'],
    ['rxchg', EXCHANGE],
  ].map(([name, opcode]) => [name, CONSTANTS.get(`IBV_WR_${opcode}`) ?? Number(opcode)]),
);
/** Requests that make no completion. */
const UNSIGNALLED: readonly string[] = ['inject', 'unsignalled put'];
/** What is done to all queue pairs that were made beside one. */
const BESIDE: readonly string[] = ['fence', 'flush', 'poll all'];
const SIGNALED = CONSTANTS.get('IBV_SEND_SIGNALED')!;

class Performer {
  constructor(
    private readonly core: Core,
    private readonly line: CallLine,
    private readonly request: Value,
    private readonly node: CNode,
  ) {}

  does(operation: Operation): Done {
    const { core, node } = this;
    if (operation.condition !== undefined) {
      const { value } = this.valueOf(operation.condition);
      if (value.kind !== 'int') {
        return core.refuse(node, `this is not known: ${operation.condition}`);
      }
      if (value.value === 0) return {};
    }
    switch (operation.name) {
      case 'fence':
        for (const { end } of this.pairs(operation)) {
          emitCall(core, 'rfence', [peer(core, end, node)], node);
        }
        return {};
      case 'flush':
        for (const pair of this.pairs(operation)) this.flush(pair, this.idOf(operation));
        return {};
      case 'poll':
        this.poll(operation);
        return {};
      case 'poll all':
        for (const { text } of this.pairs(operation)) {
          for (const one of ofPair(core, text)) {
            if (!one.request.isReceive) take(core, one, undefined, 0, node);
          }
        }
        return {};
      case 'poll count':
        this.pollTo(operation);
        return {};
      case 'take':
        return this.take(operation);
      case 'mfence':
        emitCall(core, 'mfence', [], node);
        return {};
      case 'spin':
      case 'acquire spin': {
        const { condition, left } = this.comparison(operation);
        core.emit({ kind: 'assume', condition, span: core.spanOf(node) });
        return { value: left };
      }
      case 'test':
      case 'acquire test': {
        const { condition: expr } = this.comparison(operation);
        return { value: { value: { kind: 'runtime', expr, reads: true }, type: INT } };
      }
      case 'assume': {
        const { value } = this.valueOf(operation.operands[0]);
        core.emit({
          kind: 'assume',
          condition: core.exprOf(value, node),
          span: core.spanOf(node),
        });
        return {};
      }
      case 'write': {
        const [place, value] = operation.operands.map((one) => this.valueOf(one));
        core.write(core.behind(place, node), value.value, node);
        return {};
      }
      case 'read': {
        const [place] = operation.operands.map((one) => this.valueOf(one));
        return { value: core.read(core.behind(place, node), node) };
      }
      case 'value':
        return { value: this.valueOf(operation.operands[0]) };
      case 'nothing':
        return {};
      case 'error':
        core.endHere();
        return {};
      case 'refuse':
        return core.refuse(node, 'this call is not understood with these arguments');
      default:
        this.post(operation);
        return {};
    }
  }

  private valueOf(text: string): Typed {
    const { core, node } = this;
    if (text === 'here' && core.find(text) === undefined) return this.here();
    const expression = expressionOf(text);
    if (expression === undefined) return core.refuse(node, `this is no expression of C: ${text}`);
    this.mustBeParameters(text, expression);
    const found = core.usingAt(node, () => core.evaluate(expression));
    return { ...found, value: core.settled(found.value, node) };
  }

  /** What a line of the head names is a parameter of it, or something of the file. */
  private mustBeParameters(text: string, expression: CNode): void {
    const { core, line } = this;
    const { code, calls, constants, nodeOf } = core.around;
    if (!calls.head.includes(line)) return;
    const all = [code.globals, code.functions, code.macros, code.templates, constants, CONSTANTS];
    const isKnown = (name: string): boolean =>
      core.find(name) !== undefined || nodeOf.has(name) || all.some((of) => of.has(name));
    const wrong = identifiersIn(expression).find((name) => !isKnown(name) && !core.isInHead(name));
    const piece = line.operations.find((one) => one.piece.text.includes(text))?.piece;
    if (wrong === undefined || piece === undefined) return;
    const at = piece.start + piece.text.search(new RegExp(`\\b${wrong}\\b`));
    const names = [...(line.pattern()?.parameters ?? [])];
    const hint = didYouMean(wrong, names) ?? `its parameters are ${names.join(', ')}`;
    const span = { file: core.around.file, start: at, end: at + wrong.length };
    throw new Refusal({ span, message: `${line.call.text} has no parameter ${wrong}`, hint });
  }

  /** The number of the thread's node. */
  private here(): Typed {
    const { text } = this.core.thread.node;
    if (/^\d+$/.test(text)) return { value: int(Number(text)), type: INT };
    const hint = 'name the nodes 0, 1, …';
    return this.core.refuse(this.node, `node ${text} has no number`, hint);
  }

  private post(operation: Operation): void {
    const { core, node } = this;
    const { name, operands } = operation;
    const values = operands.map((one) => this.valueOf(one).value);
    const [first, second, third, fourth] = values;
    const isAtomic = ['rcas', 'rfaa', 'rxchg'].includes(name);
    const [remote, local] = isAtomic
      ? [first, name === 'rcas' ? fourth : third]
      : name === 'get'
        ? [first, second]
        : [second, first];
    const isInline = name === 'inline put' || name === 'inject';
    const isPlace = ['address', 'pointer', 'parts', 'path'].includes(local.kind);
    const copied: readonly LitmusExpr[] | undefined =
      isInline && !isPlace ? [core.exprOf(local, node)] : undefined;
    const length = isAtomic || third === undefined ? int(8) : third;
    if (length.kind !== 'int') {
      return core.refuse(node, `how many bytes ${name} moves is not known`);
    }
    const request: Building = {
      opcode: OPCODES.get(name)!,
      flags: (UNSIGNALLED.includes(name) ? 0 : SIGNALED) | (isInline ? INLINE : 0),
      ...{ id: this.idOf(operation), remote },
      ...(isAtomic && { operands: name === 'rcas' ? [second, third] : [second] }),
      ...(copied === undefined ? { data: [{ local, length: length.value }] } : { copied }),
    };
    for (const pair of this.pairs(operation)) post(core, pair, request, node);
  }

  private idOf({ as }: Operation): Value {
    return as === undefined ? this.request : this.valueOf(as).value;
  }

  /** A get of where something was last, so that what was put before it is in memory when it has completed. */
  private flush(pair: QueuePair, id: Value): void {
    const { core, node } = this;
    const remote = core.state.last.get(pair.text);
    if (remote === undefined) return;
    if (remote.kind === 'nothing') {
      core.refuse(node, 'what the last request before this flush reached is not known');
    }
    const { region, offset } = core.ownWord(`flush ${node.startIndex}`, 'flushed');
    const local: Value = { kind: 'address', region, offset };
    const opcode = OPCODES.get('get')!;
    const data = [{ local, length: 8 }];
    post(core, pair, { opcode, flags: SIGNALED, id, remote, data }, node);
  }

  private poll(operation: Operation): void {
    const { core, node } = this;
    if (operation.of !== undefined) {
      for (const one of this.upTo(operation.of)) take(core, one, undefined, 0, node);
      return;
    }
    const next = this.next(operation);
    if (next.length === 0) core.refuse(node, NEVER_RETURNS);
    const ways = next.map((one) => () => this.took(one, operation));
    oneOf(core, ways, node);
  }

  /** Polls until so many completions were taken in all. */
  private pollTo(operation: Operation): void {
    const { core, node } = this;
    const { value } = this.valueOf(operation.operands[0]);
    if (value.kind !== 'int') {
      const hint = value.kind === 'path' ? core.givenFor(value.text) : undefined;
      return core.refuse(node, 'how many completions this waits for is not known', hint);
    }
    while (core.alive && core.state.polls.found < value.value) this.poll(operation);
  }

  /** Takes a completion, and says which request it was of. */
  private took(one: Next, { into }: Operation): Typed {
    const { core, node } = this;
    const taken = take(core, one, undefined, 0, node);
    if (into === undefined) return taken;
    const entry = core.behind(this.valueOf(into), node);
    const key = core.keyOf(core.member(entry, 'op_context', node));
    if (key !== undefined) core.state.values.set(key, one.request.id);
    return taken;
  }

  /** At most one completion; or, of a request, what it has completed behind. */
  private take(operation: Operation): Done {
    const { core, node } = this;
    const nothing = this.valueOf(operation.otherwise ?? '0');
    const upTo = operation.of === undefined ? undefined : this.upTo(operation.of);
    if (upTo?.length === 0) return {};
    const ways = upTo === undefined ? this.next(operation).map((one) => [one]) : [upTo];
    const count = pollOnce(
      core,
      ways.map((all) => () => {
        for (const one of all) this.took(one, operation);
        return { value: int(1), type: INT };
      }),
      node,
    );
    return count === 0 ? { value: nothing, isLast: true } : { value: { value: int(1), type: INT } };
  }

  /** The completions up to that of a request; none, if that was taken. */
  private upTo(text: string): readonly Next[] {
    const { core, node } = this;
    const { value } = this.valueOf(text);
    for (const pair of core.pairs().keys()) {
      const open = ofPair(core, pair);
      const at = open.findIndex(({ request }) => isSame(request.id, value));
      if (at < 0) continue;
      const { isReceive } = open[at].request;
      return open.slice(0, at + 1).filter(({ request }) => request.isReceive === isReceive);
    }
    if (core.gaps !== undefined || core.state.done.some((id) => isSame(id, value))) return [];
    const given = matched(this.line, node)?.get(text);
    const open = [...core.pairs().keys()].flatMap((pair) =>
      ofPair(core, pair).map(({ request }) => idText(request.id)),
    );
    const ids = [...new Set(open)].join(', ');
    const hint = ids === '' ? 'no request is open here' : `those that are open here have ${ids}`;
    const message = `no request has ${given?.text ?? text} as its wr_id`;
    return core.refuse(given ?? node, message, hint);
  }

  private next({ on }: Operation): readonly Next[] {
    const { core, node } = this;
    if (on === undefined) return inQueue(core, undefined, node);
    const { value } = this.valueOf(on);
    const isPair = value.kind !== 'path' || core.pairs().has(value.text);
    if (!isPair) return inQueue(core, value, node);
    const { text } = core.pairOf(value, node);
    return firstOf(core, ofPair(core, text));
  }

  /** A comparison of what stands at a place, and what that is. */
  private comparison({ name, operands: [at, comparison, wanted] }: Operation): {
    readonly condition: LitmusExpr;
    readonly left: Typed;
  } {
    const { core, node } = this;
    const place = core.behind(this.valueOf(at), node);
    const right = this.valueOf(wanted);
    const { value: how } = this.valueOf(comparison);
    const op = how.kind === 'int' ? COMPARISONS[how.value] : undefined;
    if (op === undefined) return core.refuse(node, 'how this compares is not known');
    const type = place.type.kind === 'int' ? place.type : WORD;
    const word = { ...place, type };
    const left = name.startsWith('acquire')
      ? loaded(core, word, ACQUIRE, node)
      : core.read(word, node);
    return { condition: core.exprOf(core.combined(op, left, right, node).value, node), left };
  }

  /** The queue pairs that an operation is on; what is done to one is done to those that were made beside it. */
  private pairs({ name, on, piece }: Operation): readonly QueuePair[] {
    const { core, node } = this;
    if (on === undefined) return core.refuse(node, `${piece.text} is on no queue pair`, 'on qp');
    const [, fresh, expression, context] = /^(new\s+)?(.*?)(?:\s+of\s+(.*))?$/s.exec(on)!;
    const of = context === undefined ? '' : this.contextOf(context);
    const open = [...core.pairs()].map(([text, end]) => ({ text, end }));
    if (expression === 'all') return open.filter(({ text }) => contextIn(text) === of);
    const pair = core.pairOf(this.valueOf(expression).value, node, of);
    if (fresh !== undefined) return [core.anotherPair(pair)];
    if (!BESIDE.includes(name)) return [pair];
    const isBeside = (text: string): boolean =>
      text.startsWith(pair.text) && /^( \d+)?$/.test(text.slice(pair.text.length));
    return open.filter(({ text }) => isBeside(text));
  }

  /** What tells the queue pairs of a context from others; nothing, if it is the default one. */
  private contextOf(text: string): string {
    const { value } = this.valueOf(text);
    if (value.kind === 'path') return value.text;
    if (value.kind === 'int') return '';
    return this.core.refuse(this.node, 'which context this is is not known');
  }
}

/** What names a request, as the code has it. */
function idText(id: Value): string {
  if (id.kind === 'int') return String(id.value);
  if (id.kind === 'path') return id.text;
  const [, name] = id.kind === 'pointer' ? (/^[^:]*:([^#]*)/.exec(id.key) ?? []) : [];
  return name === undefined ? 'none' : `&${name}`;
}

const contextIn = (pair: string): string => / of (.*?)( \d+)?$/s.exec(pair)?.[1] ?? '';
