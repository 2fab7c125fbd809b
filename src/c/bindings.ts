import { didYouMean } from '../parse/diagnostics/index.js';
import { kindOn, wireTo } from './calls.js';
import { noMessageYet } from './completions.js';
import type { QueuePair, QueuePairEnd } from './around.js';
import type { Bind, BoundPlace } from './head.js';
import { expressionOf, split } from './pieces.js';
import { Looping } from './loops.js';
import { elementOf, partOfPath, pathText } from './paths.js';
import type { Region, Value } from './state.js';
import type { At, CNode } from './tree.js';
import { operatorOf, partOf, partsOf } from './tree.js';

/** The path of an expression of the head, as values have it. Undefined: it is none. */
export function pathOf(node: CNode): string | undefined {
  const written = writtenPath(node);
  if (written === undefined) return undefined;
  // The address of an element is that of the element alone, and what an array begins with is that of all of it.
  return isElement(node) ? firstAt(pathText(written)) : pathText(written);
}

/** The path of an expression as text, in one way of writing it. */
export function pathIn(text: string): string | undefined {
  const expression = expressionOf(text);
  return expression && pathOf(expression);
}

/** `&p[0]` */
function isElement(node: CNode): boolean {
  if (node.type === 'parenthesized_expression') return isElement(partsOf(node)[0]);
  if (node.type !== 'pointer_expression' || operatorOf(node) !== '&') return false;
  const argument = partOf(node, 'argument');
  return argument.type === 'subscript_expression' && partOf(argument, 'index').text === '0';
}

const firstAt = (text: string): string => `&${text}[0]`;

function writtenPath(node: CNode): string | undefined {
  switch (node.type) {
    case 'identifier':
      return node.text;
    case 'parenthesized_expression':
      return writtenPath(partsOf(node)[0]);
    case 'cast_expression':
      return writtenPath(partOf(node, 'value'));
    case 'field_expression': {
      const of = writtenPath(partOf(node, 'argument'));
      const { text } = partOf(node, 'field');
      if (of === undefined) return undefined;
      return partOfPath(operatorOf(node) === '.' ? of : elementOf(of, 0), `.${text}`);
    }
    case 'subscript_expression': {
      const of = writtenPath(partOf(node, 'argument'));
      const n = Number(partOf(node, 'index').text);
      return of !== undefined && Number.isInteger(n) ? elementOf(of, n) : undefined;
    }
    case 'pointer_expression': {
      const of = writtenPath(partOf(node, 'argument'));
      if (of === undefined) return undefined;
      return operatorOf(node) === '&' ? pathText(`&${of}`) : elementOf(of, 0);
    }
    default:
      return undefined;
  }
}

/** What the head says of a thread's pointers and queue pairs. */
export abstract class Bound extends Looping {
  private readonly bound = new Map<string, Region>();
  private readonly ends = new Map<string, QueuePairEnd>();
  /** The names that bindings begin with. */
  private readonly names = new Set<string>();
  /** What bindings are of that are still to be filled in. */
  private readonly open = new Set<string>();

  /** Notes the bindings of the head. */
  protected bind(): void {
    const { nodeOf, nodes, arrays } = this.around;
    for (const bind of this.thread.binds) {
      const { left, to } = bind;
      const at = { startIndex: left.start, endIndex: left.start + left.text.length };
      const path = pathIn(left.text);
      if (path === undefined) this.refuse(at, 'this is no path of C', 'ctx->remote.addr => data');
      this.mustBeNamed(path, at);
      const [first] = to;
      if (first === undefined) {
        this.open.add(path);
        continue;
      }
      const isLocation = nodeOf.has(first.name.text) || arrays.has(first.name.text);
      const isNode = nodes.includes(first.name.text);
      if (isLocation && isNode) this.refuse(at, `${first.name.text} is both a node and a location`);
      if (this.bound.has(path) || this.ends.has(path)) {
        this.refuse(at, `${left.text} has two bindings`);
      }
      if (isNode) this.lead(path, endOf(bind));
      else this.bound.set(path, this.regionAt(to, at));
    }
  }

  /** A binding is of something that the file names. */
  private mustBeNamed(path: string, at: At): void {
    const [name] = /[A-Za-z_]\w*/.exec(path) ?? [''];
    this.names.add(name);
    const { functions, globals } = this.around.code;
    const all = [...functions.values()];
    if (all.some(({ parameters }) => parameters.some((one) => one.name === name))) return;
    const bodies = all.map(({ node }) => node.text);
    if (globals.has(name) || bodies.some((text) => new RegExp(`\\b${name}\\b`).test(text))) return;
    const parameters = functions.get(this.thread.function.text)?.parameters ?? [];
    const names = [...parameters.map((one) => one.name), ...globals.keys()];
    this.refuse(at, `no function of the file names ${name}`, didYouMean(name, names));
  }

  private regionAt(to: readonly BoundPlace[], at: At): Region {
    let next = 0;
    const places = to.flatMap(({ name, at: bytes }) => {
      const region = this.regionOf(name.text);
      if (region === undefined) {
        const place = { startIndex: name.span.start, endIndex: name.span.end };
        const names = [...this.around.nodeOf.keys(), ...this.around.arrays.keys()];
        const hint = didYouMean(name.text, names);
        return this.refuse(place, `no node has a location ${name.text}`, hint);
      }
      const start = bytes ?? next;
      next = start + 8 * region.places.length;
      return region.places.map((one) => ({ ...one, at: start + one.at }));
    });
    for (const [i, one] of places.entries()) {
      const other = places.slice(0, i).find(({ at: before }) => before === one.at);
      if (other === undefined) continue;
      const where = `${other.location} and ${one.location} both begin ${one.at} bytes from there`;
      this.refuse(at, where, 'say how far each is: a => x, y @ 64');
    }
    const node = this.around.nodeOf.get(places[0].location)!;
    if (places.some(({ location }) => this.around.nodeOf.get(location) !== node)) {
      this.refuse(at, 'the places of one pointer are on one node');
    }
    return { node, places };
  }

  protected isOpen(path: string): boolean {
    return this.open.has(path);
  }

  isInHead(name: string): boolean {
    return this.names.has(name);
  }

  boundAt(text: string): Value | undefined {
    const at = pathText(`&${text}`);
    return this.boundTo(at) ?? (text.startsWith('*') ? this.boundTo(firstAt(at)) : undefined);
  }

  boundTo(text: string): Value | undefined {
    const region = this.bound.get(text);
    return region && { kind: 'address', region, offset: 0 };
  }

  pairs(): ReadonlyMap<string, QueuePairEnd> {
    return this.ends;
  }

  anotherPair({ text, end }: QueuePair): QueuePair {
    const n = [...this.ends.keys()].filter((one) => one.startsWith(`${text} `)).length + 1;
    const another = `${text} ${n}`;
    const name = { ...end.node, text: `op${n}` };
    const own = { ...end, name };
    this.lead(another, own);
    return { text: another, end: own };
  }

  /** Notes a queue pair. What other threads have posted on it is open. */
  private lead(text: string, end: QueuePairEnd): void {
    this.ends.set(text, end);
    noMessageYet(this, end);
    const wire = wireTo(this, end);
    const open = [false, true].flatMap(
      (isReceive) => this.following.supplied.get(kindOn(wire, isReceive)) ?? [],
    );
    if (open.length > 0) this.state.open.set(text, open);
  }

  pairOf(value: Value, node: CNode, context = ''): QueuePair {
    if (value.kind === 'int') return this.pairTo(String(value.value), context, node);
    if (value.kind !== 'path') return this.refuse(node, 'nobody knows which queue pair this is');
    const { text } = value;
    const known = this.ends.get(text);
    const end = known ?? this.assumedEnd(text, node);
    if (known === undefined) this.lead(text, end);
    return { text, end };
  }

  /** The queue pair to a node by its number. */
  private pairTo(name: string, context: string, node: CNode): QueuePair {
    if (!this.around.nodes.includes(name)) this.refuse(node, `there is no node ${name}`);
    if (name === this.thread.node.text) this.refuse(node, `this is on node ${name} itself`);
    const text = context === '' ? `node ${name}` : `node ${name} of ${context}`;
    const { names } = this.following;
    const own = context === '' ? undefined : names.of(`context ${context}`, context);
    const end = { node: this.ident(name, node), ...(own && { name: this.ident(own, node) }) };
    if (!this.ends.has(text)) this.lead(text, end);
    return { text, end };
  }

  /** Where a queue pair leads of which the head says nothing: to the other node, if there is one, and one queue pair. */
  private assumedEnd(text: string, node: CNode): QueuePairEnd {
    const others = this.around.nodes.filter((one) => one !== this.thread.node.text);
    const [other = 'node'] = others;
    if (this.ends.size === 0 && others.length === 1 && !this.isOpen(text)) {
      this.remark('default', `${text} leads to node ${other}, the other one`, node);
      return { node: this.ident(other, node) };
    }
    this.missing(
      'queue pair',
      text,
      node,
      `nothing says where the queue pair ${text} leads`,
      `give it a node in the head of ${this.thread.name.text}: ${text} => ${other}`,
    );
    return { node: this.ident('?', node) };
  }
}

function endOf({ to: [{ name: node }], queuePair, completions }: Bind): QueuePairEnd {
  const queues = split(completions?.text ?? '', 0, completions?.text.length ?? 0, ',').map(
    ({ text }) => pathIn(text) ?? text.trim(),
  );
  const [sends, receives = sends] = queues;
  return {
    node,
    ...(queuePair && { name: queuePair }),
    ...(queues.length > 0 && { completions: { sends, receives } }),
  };
}
