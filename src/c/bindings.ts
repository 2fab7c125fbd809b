import { didYouMean } from '../parse/diagnostics/index.js';
import { kindOn, wireTo } from './calls.js';
import { noMessageYet } from './completions.js';
import type { QueuePair, QueuePairEnd } from './around.js';
import { Refusal } from './core.js';
import type { BoundRegion } from './distances.js';
import { contradictionIn } from './distances.js';
import type { Bind, BoundPlace } from './head.js';
import type { Piece } from './pieces.js';
import { expressionOf, split } from './pieces.js';
import { Looping } from './loops.js';
import { isAddress, strangeMember, typeOfPath } from './path-types.js';
import { elementOf, partOfPath, pathText } from './paths.js';
import { withoutMember } from './places.js';
import type { Region, Value } from './state.js';
import type { At, CNode } from './tree.js';
import { operatorOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';
import { UNKNOWN } from './types.js';
import type { Ident } from '../parse/litmus-ast.js';

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
    const regions: BoundRegion[] = [];
    for (const bind of this.thread.binds) {
      const { left, to } = bind;
      const at = placeOf(left.start, left.text);
      const path = pathIn(left.text);
      if (path === undefined) this.refuse(at, 'this is no path of C', 'ctx->remote.addr => data');
      this.mustBeNamed(path, at);
      this.mustHaveMembers(left);
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
      if (isNode) {
        if (isAddress(this.typeIn(left))) this.isNode(left.text, first.name);
        for (const { text, start } of queuesOf(bind)) {
          const queue = pathIn(text) ?? this.refuse(placeOf(start, text), 'this is no path of C');
          this.mustBeNamed(queue, placeOf(start, text));
        }
        this.lead(path, endOf(bind));
      } else {
        if (bind.queuePair !== undefined) this.isLocation(first.name, bind.queuePair);
        const region = this.regionAt(to, at);
        this.bound.set(path, region);
        regions.push({ bind, region });
      }
    }
    const wrong = contradictionIn(regions);
    if (wrong === undefined) return;
    const { left } = wrong.bind;
    const hint = 'say how far each is from what is before it: a => x, y @ 64';
    this.refuse(placeOf(left.start, left.text), wrong.message, hint);
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

  /** The functions whose parameters bindings name. */
  private get called(): readonly string[] {
    const { before = [], function: own } = this.thread;
    return [own, ...before.map((one) => one.function)].map(({ text }) => text);
  }

  private typeIn({ text }: Piece): Type {
    const expression = expressionOf(text);
    return expression === undefined
      ? UNKNOWN
      : typeOfPath(expression, this.around.code, this.called);
  }

  /** The members that a binding names are those of their structures. */
  private mustHaveMembers({ text, start }: Piece): void {
    const expression = expressionOf(text)!;
    const strange = strangeMember(expression, this.around.code, this.called);
    if (strange === undefined) return;
    const { member, of, known } = strange;
    // The text of an expression is read in parentheses.
    const from = start + member.startIndex - expression.startIndex - 1;
    this.refuse(placeOf(from, member.text), ...withoutMember(of, member.text, known));
  }

  /** What is used as an address is said to lead to a node. */
  private isNode(path: string, { text, span }: Ident): never {
    const all = [...this.around.nodeOf].map(([name, node]) => `${name} on ${node}`);
    const message = `${text} is a node, and ${path} an address, which leads to a location`;
    const hint = all.length > 0 ? `there are ${all.join(', ')}` : undefined;
    throw new Refusal({ span, message, ...(hint !== undefined && { hint }) });
  }

  private isLocation({ text }: Ident, { span, text: name }: Ident): never {
    const message = `${text} is a location: behind a dot is the name of a queue pair`;
    const hint = `write ${text} without .${name}, or a node in its place`;
    throw new Refusal({ span, message, hint });
  }

  override unplaced(path: string, node: At): void {
    const [pointer] = path.split(' + ');
    const end = this.ends.get(pointer);
    if (end !== undefined) this.isNode(pointer, end.node);
    super.unplaced(path, node);
  }

  private regionAt(to: readonly BoundPlace[], at: At): Region {
    let next = 0;
    const places = to.flatMap(({ name, at: bytes }) => {
      const region = this.regionOf(name.text);
      if (region === undefined) {
        return this.isUnknown(name, to.length === 1);
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

  /** Alone, it may have been meant as a location or as a node. */
  private isUnknown({ text, span }: Ident, isAlone: boolean): never {
    const { nodeOf, arrays, nodes } = this.around;
    const locations = [...nodeOf.keys(), ...arrays.keys()];
    const message = isAlone
      ? `there is no node and no location ${text}`
      : `no node has a location ${text}`;
    const hint =
      didYouMean(text, isAlone ? [...locations, ...nodes] : locations) ??
      `declare it: node ${nodes[0] ?? 'server'} { ${text} = 0 }`;
    throw new Refusal({ span, message, hint });
  }

  protected isOpen(path: string): boolean {
    return this.open.has(path);
  }

  isInHead(name: string): boolean {
    return this.names.has(name);
  }

  isPlaced(text: string): boolean {
    const path = pathIn(text);
    const isBound = path !== undefined && (this.bound.has(path) || this.ends.has(path));
    return isBound || this.regionOf(text) !== undefined;
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
    if (value.kind === 'address') this.mustBeNoPlace(value.region, node);
    if (value.kind !== 'path') return this.refuse(node, 'nobody knows which queue pair this is');
    const { text } = value;
    const known = this.ends.get(text);
    const end = known ?? this.assumedEnd(text, node);
    if (known === undefined) this.lead(text, end);
    return { text, end };
  }

  /** The binding that a region is of. */
  private bindOf(region: Region): Bind | undefined {
    const [path] = [...this.bound].find(([, one]) => one === region) ?? [];
    return this.thread.binds.find(({ left }) => pathIn(left.text) === path);
  }

  /** What is used as a queue pair leads to a node. */
  private mustBeNoPlace(region: Region, { text }: CNode): void {
    const name = this.bindOf(region)?.to[0].name;
    if (name === undefined) return;
    const message = `${name.text} is a location, and ${text} a queue pair, which leads to a node`;
    const hint = `there are ${this.around.nodes.join(', ')}`;
    throw new Refusal({ span: name.span, message, hint });
  }

  isElsewhere(region: Region, { node: { text: node } }: QueuePairEnd): void {
    const { left, to } = this.bindOf(region) ?? {};
    if (left === undefined || to === undefined) return;
    const [{ name }] = to;
    const used = `${left.text} is used with a queue pair that leads to node ${node}`;
    const message = `${name.text} is on node ${region.node!}, and ${used}`;
    const there = [...this.around.nodeOf].flatMap(([one, home]) => (home === node ? [one] : []));
    const hint = there.length > 0 ? `on ${node} there are ${there.join(', ')}` : undefined;
    throw new Refusal({ span: name.span, message, ...(hint !== undefined && { hint }) });
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

const placeOf = (start: number, text: string): At => ({
  startIndex: start,
  endIndex: start + text.length,
});

/** The completion queues of a binding. */
const queuesOf = ({ completions }: Bind): readonly Piece[] =>
  completions === undefined
    ? []
    : split(completions.text, 0, completions.text.length, ',').map(({ text, start }) => {
        const spaces = text.length - text.trimStart().length;
        return { text: text.trim(), start: completions.start + start + spaces };
      });

function endOf(bind: Bind): QueuePairEnd {
  const [{ name: node }] = bind.to;
  const { queuePair } = bind;
  const queues = queuesOf(bind).map(({ text }) => pathIn(text)!);
  const [sends, receives = sends] = queues;
  return {
    node,
    ...(queuePair && { name: queuePair }),
    ...(queues.length > 0 && { completions: { sends, receives } }),
  };
}
