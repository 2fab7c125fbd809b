import { leavesIn } from '../parse/fold.js';
import { queuePairOfCall } from '../program/partners.js';
import type {
  Argument,
  Call,
  Expression,
  Instruction,
  Program,
  QueuePair,
  Target,
  Thread,
} from '../program/program.js';
import type { Chains } from './chains.js';
import type { Wait } from './waits.js';
import { waitIn } from './waits.js';
import type { Wiring } from './wiring.js';
import { keyOf } from './wiring.js';
import { wordsOf } from './words.js';

/** A program, how its words lie, and how it is wired. */
export interface Layout {
  readonly program: Program;
  readonly chains: Chains;
  readonly wiring: Wiring;
}

/** A thread as a function of C. */
export interface Printed {
  /** What the function is given, as it is declared, and where the run time has it. */
  readonly parameters: readonly Parameter[];
  /** What the head says of the parameters. */
  readonly bindings: readonly string[];
  readonly lines: readonly string[];
}

export type Parameter = { readonly type: string; readonly name: string } & (
  | {
      readonly of: 'place';
      readonly what: 'at' | 'key' | 'addr' | 'rkey';
      readonly location: number;
    }
  | { readonly of: 'pair' | 'queue'; readonly index: number }
  | { readonly of: 'way' }
);

/** The requests that verbs post, by their functions in C files. */
const POSTED: Readonly<Record<string, string>> = {
  flush: 'flush',
  put: 'put',
  get: 'get',
  rcas: 'cas',
  rfaa: 'add',
  send: 'send_to',
};

/**
 * The function of a thread. The memory of the program is all declared, and nothing is in it that a card has not.
 *
 * @param observed the registers with final values that are counted, with their numbers among these
 */
export const printThread = (
  layout: Layout,
  index: number,
  observed: ReadonlyMap<number, number>,
): Printed => new Printer(layout, index).print(observed);

class Printer {
  private readonly parameters = new Map<string, Parameter>();
  private readonly places = new Map<string, string>();
  private readonly pairs = new Map<string, QueuePair>();
  private readonly program: Program;
  private readonly thread: Thread;
  private ways = 0;
  private values = 0;

  constructor(
    private readonly layout: Layout,
    private readonly index: number,
  ) {
    this.program = layout.program;
    this.thread = this.program.threads[index];
  }

  print(observed: ReadonlyMap<number, number>): Printed {
    const { registers } = this.thread;
    const body = this.body(this.thread.body);
    const ends = registers.map((name, i) => {
      const at = observed.get(i);
      return at === undefined ? `(void)${name};` : `remora_set(t, ${at}, ${name});`;
    });
    const pairs = [...this.pairs].map(([name, on]) => this.bound(name, on));
    const lines = [...registers.map((name) => `int64_t ${name} = 0;`), ...body, ...ends];
    const text = lines.join('\n');
    const unused = ['t', ...this.parameters.keys()].filter(
      (name) => !new RegExp(`\\b${name}\\b`).test(text),
    );
    return {
      parameters: [...this.parameters.values()],
      bindings: [...this.places.values(), ...pairs],
      lines: [...unused.map((name) => `(void)${name};`), ...lines],
    };
  }

  /** Where a queue pair leads, and its queues, as far as the function has them. */
  private bound(name: string, on: QueuePair): string {
    const { sends, receives } = this.ends(on);
    const send = this.queue(on, 'cq');
    const receive = this.queueName(on, receives, 'rq');
    const queues = receives !== sends && this.parameters.has(receive) ? [send, receive] : [send];
    return `${name} => ${keyOf(on)} on ${queues.join(', ')}`;
  }

  /** Between instructions some time may pass; while one is waited for again and again, it does anyway. */
  private body(list: readonly Instruction[]): readonly string[] {
    const parts: (readonly string[])[] = [];
    for (let at = 0; at < list.length;) {
      const waited = waitIn(list.slice(at));
      const isFlag = this.isFlag(list[at], list[at + 1]);
      if (waited !== undefined) parts.push(this.wait(waited));
      else if (!isFlag) parts.push(this.instruction(list[at], this.isFlag(list[at - 1], list[at])));
      at += waited === undefined ? 1 : waited.reads.length + 1;
    }
    return parts.flatMap((lines, at) => (at === 0 ? lines : ['remora_pause(t);', ...lines]));
  }

  private block(head: string, list: readonly Instruction[], more: readonly string[] = []) {
    return [`${head} {`, ...[...this.body(list), ...more].map((line) => `    ${line}`)];
  }

  /** Whether an instruction is a fence that is a flag of the request behind it. */
  private isFlag(i: Instruction | undefined, next: Instruction | undefined): boolean {
    if (i?.kind !== 'call' || i.operation !== 'rfence') return false;
    if (next?.kind !== 'call' || !(next.operation in POSTED)) return false;
    return keyOf(this.on(next)) === keyOf(this.on(i));
  }

  private instruction(i: Instruction, isFenced: boolean): readonly string[] {
    switch (i.kind) {
      case 'assign': {
        const { lines, text } = this.loaded(i.value);
        return [...lines, `${this.target(i.target)} = ${text};`];
      }
      case 'assume':
        return [`remora_assume(t, ${this.expression(i.condition)});`];
      case 'if': {
        const { lines, text } = this.loaded(i.condition);
        return [...lines, ...this.branch(text, i.then, i.else)];
      }
      case 'choose': {
        const [first, ...others] = i.branches;
        if (others.length === 0) return this.body(first);
        const [second, ...more] = others;
        const rest = more.length === 0 ? second : [{ ...i, branches: others }];
        return this.branch(this.way(), first, rest);
      }
      case 'call':
        return this.call(i, isFenced);
      case 'loop': {
        // Nothing that goes round may do so for ever: the round is given up then.
        const end = ['remora_wait(t);'];
        return [...this.block(`while (${this.expression(i.condition!)})`, i.body, end), '}'];
      }
    }
  }

  /** Reads again and again, until the condition at the end holds: what reads before did is nothing. */
  private wait({ reads, condition }: Wait): readonly string[] {
    const read = reads.flatMap((i) => this.instruction(i, false));
    const { lines, text } = this.loaded(condition);
    const round = [...read, ...lines, `if (${text})`, '    break;', 'remora_wait(t);'];
    return ['for (;;) {', ...round.map((line) => `    ${line}`), '}'];
  }

  private branch(condition: string, yes: readonly Instruction[], no: readonly Instruction[]) {
    const end = no.length === 0 ? ['}'] : [...this.block('} else', no), '}'];
    return [...this.block(`if (${condition})`, yes), ...end];
  }

  private call(call: Call, isFenced: boolean): readonly string[] {
    const { operation, tags = [], arguments: given } = call;
    if (operation in POSTED) {
      const flags = [
        ...(tags.includes('unsignalled') ? [] : ['IBV_SEND_SIGNALED']),
        ...(tags.includes('inline') ? ['IBV_SEND_INLINE'] : []),
        ...(isFenced ? ['IBV_SEND_FENCE'] : []),
      ];
      const text = flags.join(' | ') || '0';
      if (operation !== 'flush') return this.request(call, text);
      return [`flush(${['t', this.pair(call), ...this.far(given[0]), text].join(', ')});`];
    }
    switch (operation) {
      case 'rfence':
        return [`remora_fence(t, ${this.pair(call)});`];
      case 'recv':
        this.queue(this.on(call), 'rq');
        return [`receive(${this.pair(call)}, ${this.words([call.into!])});`];
      case 'pollr':
        this.pair(call);
        return [`take(t, ${this.queue(this.on(call), 'rq')});`];
      case 'poll':
        return [`take(t, ${this.polled(call)});`];
      default: {
        const [name, ...end] = wordsOf(operation, tags);
        const all = given.map((one) =>
          one.kind === 'place' ? this.at(one.location) : this.operand(one),
        );
        const left = call.result === undefined ? '' : `${this.target(call.result)} = `;
        return [`${left}${name}(${[...all, ...end].join(', ')});`];
      }
    }
  }

  private request(call: Call, flags: string): readonly string[] {
    const { operation, tags = [], arguments: given, words = 1 } = call;
    const pair = this.pair(call);
    const own =
      operation === 'put'
        ? given.slice(0, words)
        : operation === 'send'
          ? given.slice(1)
          : [call.into!, ...given.slice(words)];
    const lines: string[] = [];
    const isAtomic = operation === 'rcas' || operation === 'rfaa';
    const local = isAtomic ? [call.into!] : own;
    const from = this.words(local, lines);
    const name = tags.includes('imm') ? 'put_imm' : POSTED[operation];
    const far = operation === 'put' ? call.into! : given[0];
    const to = operation === 'send' ? [] : this.far(far);
    const values = isAtomic ? given.slice(1).map((one) => this.operand(one)) : [];
    const count = isAtomic ? [] : [String(local.length)];
    const all = ['t', pair, from, ...count, ...to, ...values, flags];
    const posted = `${name}(${all.join(', ')});`;
    // Each value has a word of its own, which is there until the request is posted.
    return lines.length === 0 ? [posted] : ['{', ...[...lines, posted].map((l) => `    ${l}`), '}'];
  }

  /** The words of a request at the own node; values go to variables, which lines declare. */
  private words(all: readonly (Argument | Call['into'])[], lines: string[] = []): string {
    const each = all.map((one) => {
      if (one?.kind === 'place') {
        return `{ (uintptr_t)${this.at(one.location)}, 8, ${this.place('key', one.location)} }`;
      }
      const name = `value${this.values++}`;
      lines.push(`int64_t ${name} = ${this.operand(one as Argument)};`);
      return `{ (uintptr_t)&${name}, 8, 0 }`;
    });
    return `(struct ibv_sge[]){ ${each.join(', ')} }`;
  }

  private far(one: Argument | Call['into']): readonly string[] {
    const { location } = one as { readonly location: number };
    return [this.place('addr', location), this.place('rkey', location)];
  }

  private place(what: 'at' | 'key' | 'addr' | 'rkey', location: number): string {
    const { name } = this.program.locations[location];
    const [type, text] = {
      at: ['volatile int64_t *', name],
      key: ['uint32_t ', `${name}_key`],
      addr: ['uint64_t ', `${name}_addr`],
      rkey: ['uint32_t ', `${name}_rkey`],
    }[what];
    this.parameters.set(text, { of: 'place', what, location, type, name: text });
    if (what === 'addr') {
      const chain = [location, ...this.layout.chains.behind(location)];
      const said = chain.map((id, i) => {
        const at = i === 0 ? '' : ` @ ${8 * i}`;
        return `${this.program.locations[id].name}${at}`;
      });
      this.places.set(text, `${text} => ${said.join(', ')}`);
    }
    return text;
  }

  private at(location: number): string {
    return this.place('at', location);
  }

  private on(call: Call): QueuePair {
    return queuePairOfCall(this.program, call)!;
  }

  private pair(call: Call): string {
    const on = this.on(call);
    const name = `qp_${safe(keyOf(on))}`;
    const index = this.layout.wiring.pairOf(this.index, on);
    this.parameters.set(name, { of: 'pair', index, type: 'struct ibv_qp *', name });
    this.pairs.set(name, on);
    return name;
  }

  private ends(on: QueuePair) {
    const { pairs, pairOf } = this.layout.wiring;
    return pairs[pairOf(this.index, on)];
  }

  /** The queue that a poll is of: that of a queue pair, or one of several. */
  private polled(call: Call): string {
    const [given] = call.arguments;
    if (given.kind === 'peer') {
      this.pair(call);
      return this.queue(given, 'cq');
    }
    const name = `cq_${safe((given as { readonly name: string }).name)}`;
    const index = this.layout.wiring.queueOf(
      this.thread.node,
      (given as { readonly name: string }).name,
    );
    this.parameters.set(name, { of: 'queue', index, type: 'struct ibv_cq *', name });
    return name;
  }

  /** The name of a queue: of a queue pair, or of those that share it. */
  private queueName({ node, name }: QueuePair, index: number, kind: 'cq' | 'rq'): string {
    const shared = this.layout.wiring.queues[index].name;
    return shared === undefined ? `${kind}_${safe(keyOf({ node, name }))}` : `cq_${safe(shared)}`;
  }

  private queue(on: QueuePair, kind: 'cq' | 'rq'): string {
    const { sends, receives } = this.ends(on);
    const index = kind === 'cq' ? sends : receives;
    const name = this.queueName(on, index, kind);
    this.parameters.set(name, { of: 'queue', index, type: 'struct ibv_cq *', name });
    return name;
  }

  private way(): string {
    const name = `way${this.ways++}`;
    this.parameters.set(name, { of: 'way', type: 'int ', name });
    return name;
  }

  private operand(one: Argument): string {
    return this.expression((one as { readonly value: Expression }).value);
  }

  private target(target: Target): string {
    return target.kind === 'register'
      ? this.thread.registers[target.register]
      : `*${this.at(target.location)}`;
  }

  /** An expression that reads memory at most once. Where there is more, each word is read before, from left to right. */
  private loaded(e: Expression): { readonly lines: readonly string[]; readonly text: string } {
    const read = leavesIn(e).flatMap((leaf) => (leaf.kind === 'location' ? [leaf.location] : []));
    if (read.length < 2) return { lines: [], text: this.expression(e) };
    const names = new Map<number, string>();
    const lines = [...new Set(read)].map((location) => {
      const name = `now${this.values++}`;
      names.set(location, name);
      return `int64_t ${name} = *${this.at(location)};`;
    });
    return { lines, text: this.expression(e, names) };
  }

  /** Operands that have operators are in parentheses, and nothing else: compilers warn of more. */
  private expression(e: Expression, loaded: ReadonlyMap<number, string> = new Map()): string {
    const text = (one: Expression): string => {
      const written = this.expression(one, loaded);
      return one.kind === 'binary' ? `(${written})` : written;
    };
    switch (e.kind) {
      case 'int':
        return `${e.value}`;
      case 'register':
        return this.thread.registers[e.register];
      case 'location':
        return loaded.get(e.location) ?? `*${this.at(e.location)}`;
      case 'unary':
        return `${e.op}(${this.expression(e.arg, loaded)})`;
      case 'binary':
        return `${text(e.left)} ${e.op === '=' ? '==' : e.op} ${text(e.right)}`;
    }
  }
}

const safe = (key: string): string => key.replaceAll(/\W/g, '_');
