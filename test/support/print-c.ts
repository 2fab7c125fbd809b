import { HELPERS as EMITTED } from '../../src/emit/helpers.js';
import { keyOf } from '../../src/emit/wiring.js';
import { isInC, wordsOf } from '../../src/emit/words.js';
import { queuePairOfCall } from '../../src/program/partners.js';
import type {
  Argument,
  Call,
  Expression,
  Instruction,
  Program,
  QueuePair,
  Target,
  Thread,
} from '../../src/program/program.js';

/** A program as a C file with a head, over libibverbs. Undefined: it has something that this does not print. */
export function printC(program: Program): string | undefined {
  const { locations, threads } = program;
  const nodes = [
    ...new Set([...threads.map((t) => t.node), ...locations.map((l) => l.node)]),
  ].sort();
  const shared = locations.filter((l) => l.owner === undefined && l.hidden !== true);
  const isPlain = locations.every(({ tags = [] }) => tags.length === 0);
  if (!isPlain || threads.some(({ queuePairs = [] }) => queuePairs.length > 0)) return undefined;
  const heads = nodes.map((node) => {
    const own = shared.filter((l) => l.node === node).map((l) => `${l.name} = ${l.initial}`);
    return `   node ${node} { ${own.join('; ')} }`;
  });
  const made = threads.map((thread, index) => new Printer(program, thread, index).print());
  if (made.some((one) => one === undefined)) return undefined;
  const asked = threads.flatMap((t) => t.registers.map((r) => `${t.name}:${r} = 0`));
  const places = shared.map((l) => `${l.name} = 0`);
  const bodies = made.map((one) => one!.text).join('\n');
  const used = [...HELPERS].filter(([name]) => bodies.includes(`${name}(`));
  return [
    '/* RDMA printed',
    ...heads,
    ...CALLED.filter((line) => bodies.includes(/\w+\(/.exec(line)![0])),
    ...made.map((one) => one!.head),
    `   exists (${[...asked, ...places].join(' && ')})`,
    '*/',
    '#include <infiniband/verbs.h>',
    ...shared.map((l) => `int64_t ${l.name} = ${l.initial};`),
    'static void post(struct ibv_qp *qp, int op, int64_t *own, uint64_t remote, uint64_t a, uint64_t b, int flags) {',
    '  struct ibv_sge sge = { (uintptr_t)own, 8, 0 };',
    '  struct ibv_send_wr *bad, wr = { .opcode = op, .sg_list = &sge, .num_sge = 1 };',
    '  wr.send_flags = flags;',
    '  if (op == IBV_WR_ATOMIC_CMP_AND_SWP || op == IBV_WR_ATOMIC_FETCH_AND_ADD) {',
    '    wr.wr.atomic.remote_addr = remote; wr.wr.atomic.compare_add = a; wr.wr.atomic.swap = b;',
    '  } else wr.wr.rdma.remote_addr = remote;',
    '  if (ibv_post_send(qp, &wr, &bad)) { perror("post"); exit(1); }',
    '}',
    'static void take(struct ibv_cq *cq) { struct ibv_wc wc; while (ibv_poll_cq(cq, 1, &wc) == 0) ; }',
    ...used.map(([, text]) => text),
    bodies,
  ].join('\n');
}

/** Functions that not every program needs, by their names. */
const HELPERS = new Map([
  ...[...EMITTED].filter(([name]) => name.startsWith('compare')),
  [
    'receive',
    `static void receive(struct ibv_qp *qp, int64_t *own) {
  struct ibv_sge sge = { (uintptr_t)own, 8, 0 };
  struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };
  if (ibv_post_recv(qp, &wr, &bad)) exit(1);
}`,
  ],
  [
    'flush',
    `static void flush(struct ibv_qp *qp, uint64_t remote, int flags) {
  struct ibv_qp_ex *qx = ibv_qp_to_qp_ex(qp);
  ibv_wr_start(qx);
  qx->wr_flags = flags;
  ibv_wr_flush(qx, 0, remote, 8, 0, 0);
  ibv_wr_complete(qx);
}`,
  ],
]);

/** What verbs do not have. */
const CALLED = [
  '   call swap(qp, at, new_value, own) = rxchg(at, new_value, own) on qp',
  '   call fence(qp) = fence on qp',
];

/** The requests that `post` posts. */
const OPCODES: Readonly<Record<string, string>> = {
  put: 'RDMA_WRITE',
  get: 'RDMA_READ',
  rcas: 'ATOMIC_CMP_AND_SWP',
  rfaa: 'ATOMIC_FETCH_AND_ADD',
  send: 'SEND',
};
const REQUESTS = [...Object.keys(OPCODES), 'flush'];

/** The tags that a call may have. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  put: ['inline', 'imm', 'unsignalled'],
  send: ['inline', 'unsignalled'],
  ...Object.fromEntries(['get', 'rcas', 'rfaa', 'flush'].map((name) => [name, ['unsignalled']])),
};

const NOT_PRINTED = new Error('not printed');

class Printer {
  private readonly pairs = new Map<string, QueuePair>();
  private readonly remote = new Set<string>();
  private readonly declared = new Set<string>();
  /** The queue pairs whose receives have a completion queue of their own. */
  private readonly receiving = new Set<string>();
  private choices = 0;
  private temporaries = 0;
  /** Begins with another way in each program. */
  private branches: number;

  constructor(
    private readonly program: Program,
    private readonly thread: Thread,
    private readonly index: number,
  ) {
    this.branches = index + thread.body.length;
  }

  print(): { readonly head: string; readonly text: string } | undefined {
    const { thread, index } = this;
    try {
      const body = this.body(thread.body, '  ');
      const binds = [
        ...[...this.remote].map((name) => `${name}_addr => ${name}`),
        ...[...this.pairs].map(
          ([key, on]) => `${pairName(key)} => ${keyOf(on)} on ${this.queues(key).join(', ')}`,
        ),
      ];
      const parameters = [
        ...[...this.remote].map((name) => `uint64_t ${name}_addr`),
        ...[...this.pairs.keys()].flatMap((key) => [
          `struct ibv_qp *${pairName(key)}`,
          ...this.queues(key).map((name) => `struct ibv_cq *${name}`),
        ]),
        ...Array.from({ length: this.choices }, (_, i) => `int c${i}`),
      ];
      const locals = [
        ...thread.registers.map((name) => `  int64_t ${name} = 0;`),
        ...[...this.declared].map((name) => `  int64_t ${name};`),
      ];
      const name = `f${index}`;
      return {
        head: `   thread ${thread.name} = ${name}(${parameters.map((p) => /(\w+)$/.exec(p)![1]).join(', ')}) on ${thread.node} { ${binds.join('; ')} }`,
        text: `void ${name}(${parameters.join(', ') || 'void'}) {\n${[...locals, ...body].join('\n')}\n}`,
      };
    } catch (error) {
      if (error === NOT_PRINTED) return undefined;
      throw error;
    }
  }

  /** The completion queues of a queue pair. */
  private queues(key: string): readonly string[] {
    const kinds = this.receiving.has(key) ? ['cq', 'rcq'] : ['cq'];
    return kinds.map((kind) => `${pairName(key)}_${kind}`);
  }

  private body(list: readonly Instruction[], indent: string): readonly string[] {
    return list.flatMap((i, at) => {
      const lines = this.isFlag(i, list[at + 1]) ? [] : this.instruction(i, list[at - 1]);
      return lines.map((line) => indent + line);
    });
  }

  /** Whether an instruction is a fence that is a flag of the request behind it. */
  private isFlag(i: Instruction | undefined, next: Instruction | undefined): boolean {
    if (i?.kind !== 'call' || i.operation !== 'rfence' || i.tags !== undefined) return false;
    if (next?.kind !== 'call') return false;
    const [on, of] = [this.on(i), this.on(next)];
    return REQUESTS.includes(next.operation) && of !== undefined && keyOf(of) === keyOf(on!);
  }

  private instruction(i: Instruction, before: Instruction | undefined): readonly string[] {
    switch (i.kind) {
      case 'assign':
        return [`${this.target(i.target)} = ${this.expression(i.value)};`];
      case 'assume':
        return [`while (!(${this.expression(i.condition)})) ;`];
      case 'if':
        return this.branch(this.expression(i.condition), i.then, i.else);
      case 'choose': {
        const [yes, no, ...more] = i.branches;
        if (more.length > 0) throw NOT_PRINTED;
        return this.branch(`c${this.choices++}`, yes, no);
      }
      case 'call':
        return [this.call(i, this.isFlag(before, i))];
      case 'loop':
        throw NOT_PRINTED;
    }
  }

  private call(call: Call, isFenced: boolean): string {
    const { operation, tags = [], arguments: given, words, work } = call;
    if (words !== undefined || work !== undefined) throw NOT_PRINTED;
    if (isInC(operation, tags)) return this.local(call);
    if (tags.some((tag) => TAGS[operation]?.includes(tag) !== true)) throw NOT_PRINTED;
    const flags = [
      ...(tags.includes('unsignalled') ? [] : ['IBV_SEND_SIGNALED']),
      ...(tags.includes('inline') ? ['IBV_SEND_INLINE'] : []),
      ...(isFenced ? ['IBV_SEND_FENCE'] : []),
    ];
    const flagged = flags.join(' | ') || '0';
    if (operation in OPCODES) return this.request(call, flagged);
    const on = this.on(call);
    const pair = on === undefined ? '' : this.pair(on);
    switch (operation) {
      case 'flush':
        return `flush(${pair}, ${this.far(given[0])}, ${flagged});`;
      case 'rxchg':
        return `swap(${pair}, ${this.far(given[0])}, ${this.operand(given[1])}, &${this.into(call)});`;
      case 'rfence':
        return `fence(${pair});`;
      case 'recv':
        this.receiving.add(keyOf(on!));
        return `receive(${pair}, &${this.into(call)});`;
      case 'pollr':
        this.receiving.add(keyOf(on!));
        return `take(${pair}_rcq);`;
      case 'poll':
        if (on === undefined || call.result !== undefined) throw NOT_PRINTED;
        return `take(${pair}_cq);`;
      default:
        throw NOT_PRINTED;
    }
  }

  /** What the CPU does. */
  private local({ operation, tags = [], arguments: given, result }: Call): string {
    const [name, ...end] = wordsOf(operation, tags);
    const all = given.map((one, i) => (i === 0 ? `&${this.near(one)}` : this.operand(one)));
    const left = result === undefined ? '' : `${this.target(result)} = `;
    return `${left}${name}(${[...all, ...end].join(', ')});`;
  }

  private request(call: Call, flags: string): string {
    const { operation, tags = [], arguments: given } = call;
    const opcode = tags.includes('imm') ? 'RDMA_WRITE_WITH_IMM' : OPCODES[operation];
    const pair = this.pair(this.on(call)!);
    const isTo = operation === 'put' || operation === 'send';
    const data = operation === 'send' ? given[1] : isTo ? given[0] : call.into;
    const remote =
      operation === 'send' ? '0' : this.far(operation === 'put' ? call.into : given[0]);
    const isAtomic = operation === 'rcas' || operation === 'rfaa';
    const operands = isAtomic ? given.slice(1).map((one) => this.operand(one)) : [];
    const [a = '0', b = '0'] = operands;
    const post = (local: string): string =>
      `post(${pair}, IBV_WR_${opcode}, &${local}, ${remote}, ${a}, ${b}, ${flags});`;
    const value = this.constant(data);
    if (value === undefined) return post(this.near(data));
    // A value is in a variable of its own.
    const local = `k${this.temporaries++}`;
    return `int64_t ${local} = ${value}; ${post(local)}`;
  }

  /** What data is that is in no memory that the program names. */
  private constant(data: Argument | Call['into']): string | undefined {
    if (data?.kind === 'value') {
      return data.value.kind === 'location' ? undefined : this.expression(data.value);
    }
    if (data?.kind !== 'place') throw NOT_PRINTED;
    const { hidden, initial } = this.program.locations[data.location];
    return hidden === true ? String(initial) : undefined;
  }

  /** A place of the thread's node. */
  private near(one: Argument | Call['into']): string {
    if (one?.kind === 'value' && one.value.kind === 'location') return this.own(one.value.location);
    if (one?.kind !== 'place') throw NOT_PRINTED;
    return this.own(one.location);
  }

  private into({ into }: Call): string {
    return this.near(into);
  }

  /** The address of a place of another node. */
  private far(one: Argument | Call['into']): string {
    if (one?.kind !== 'place') throw NOT_PRINTED;
    const { name } = this.program.locations[one.location];
    this.remote.add(name);
    return `${name}_addr`;
  }

  private operand(one: Argument): string {
    if (one.kind !== 'value') throw NOT_PRINTED;
    return this.expression(one.value);
  }

  /** A branch in one of the ways that C has: an else, or a jump over the other way. */
  private branch(
    condition: string,
    yes: readonly Instruction[],
    no: readonly Instruction[],
  ): readonly string[] {
    const way = this.branches++ % 3;
    const [then, otherwise] = [this.body(yes, '  '), this.body(no, '  ')];
    const jump = ['', 'break;', 'continue;'][way];
    if (jump === '') return [`if (${condition}) {`, ...then, '} else {', ...otherwise, '}'];
    const round = `round${this.branches}`;
    return [
      ...[`for (int ${round} = 0; ${round} < 1; ${round}++) {`, `if (${condition}) {`],
      ...[...then, jump, '}', ...otherwise, '}'],
    ];
  }

  private on(call: Call): QueuePair | undefined {
    return queuePairOfCall(this.program, call);
  }

  private pair(on: QueuePair): string {
    this.pairs.set(keyOf(on), on);
    return pairName(keyOf(on));
  }

  private own(location: number): string {
    const { name, owner } = this.program.locations[location];
    if (owner !== undefined) this.declared.add(name);
    return name;
  }

  private target(target: Target): string {
    return target.kind === 'register'
      ? this.thread.registers[target.register]
      : this.own(target.location);
  }

  private expression(e: Expression): string {
    switch (e.kind) {
      case 'int':
        return `${e.value}`;
      case 'register':
        return this.thread.registers[e.register];
      case 'location':
        return this.own(e.location);
      case 'unary':
        return `${e.op}(${this.expression(e.arg)})`;
      case 'binary': {
        // Both sides are always read here, and one alone in C.
        if (e.op === '&&' || e.op === '||') throw NOT_PRINTED;
        return `(${this.expression(e.left)} ${e.op === '=' ? '==' : e.op} ${this.expression(e.right)})`;
      }
    }
  }
}

const pairName = (key: string): string => `qp_${key.replace('.', '_')}`;
