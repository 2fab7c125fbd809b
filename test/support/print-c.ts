import type { Expression, Instruction, Program, Thread } from '../../src/program/program.js';
import type { RdmaInstruction, Towards } from '../../src/rdma/instructions.js';
import { isUnknown, queuePairKey, viewed } from '../../src/rdma/instructions.js';
import { operandsOfUpdate as operandsIn } from '../../src/rdma/update.js';

/** A program as a C file with a head, over libibverbs. Undefined: it has something that this does not print. */
export function printC({ locations, threads }: Program): string | undefined {
  const nodes = [
    ...new Set([...threads.map((t) => t.node), ...locations.map((l) => l.node)]),
  ].sort();
  const shared = locations.filter((l) => l.owner === undefined);
  const heads = nodes.map((node) => {
    const own = shared.filter((l) => l.node === node).map((l) => `${l.name} = ${l.initial}`);
    return `   node ${node} { ${own.join('; ')} }`;
  });
  const made = threads.map((thread, index) => new Printer(locations, thread, index).print());
  if (made.some((one) => one === undefined)) return undefined;
  const asked = threads.flatMap((t) => t.registers.map((r) => `${t.name}:${r} = 0`));
  const places = shared.map((l) => `${l.name} = 0`);
  return [
    '/* RDMA printed',
    ...heads,
    ...made.map((one) => one!.head),
    `   exists (${[...asked, ...places].join(' && ')})`,
    '*/',
    '#include <infiniband/verbs.h>',
    ...shared.map((l) => `int64_t ${l.name} = ${l.initial};`),
    'static void post(struct ibv_qp *qp, int op, int64_t *own, uint64_t remote, uint64_t a, uint64_t b, int flags) {',
    '  struct ibv_sge sge = { (uintptr_t)own, 8, 0 };',
    '  struct ibv_send_wr *bad, wr = { .opcode = op, .sg_list = &sge, .num_sge = 1 };',
    '  wr.send_flags = IBV_SEND_SIGNALED | flags;',
    '  if (op == IBV_WR_ATOMIC_CMP_AND_SWP || op == IBV_WR_ATOMIC_FETCH_AND_ADD) {',
    '    wr.wr.atomic.remote_addr = remote; wr.wr.atomic.compare_add = a; wr.wr.atomic.swap = b;',
    '  } else wr.wr.rdma.remote_addr = remote;',
    '  if (ibv_post_send(qp, &wr, &bad)) { perror("post"); exit(1); }',
    '}',
    'static void take(struct ibv_cq *cq) { struct ibv_wc wc; while (ibv_poll_cq(cq, 1, &wc) == 0) ; }',
    ...made.map((one) => one!.text),
  ].join('\n');
}

const NOT_PRINTED = new Error('not printed');

class Printer {
  private readonly pairs = new Map<string, Towards>();
  private readonly remote = new Set<string>();
  private readonly declared = new Set<string>();
  private choices = 0;
  private temporaries = 0;
  /** Begins with another way in each program. */
  private branches: number;

  constructor(
    private readonly locations: Program['locations'],
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
          ([key, on]) =>
            `${pairName(key)} => ${on.node}${on.queuePair ? `.${on.queuePair}` : ''} on ${pairName(key)}_cq`,
        ),
      ];
      const parameters = [
        ...[...this.remote].map((name) => `uint64_t ${name}_addr`),
        ...[...this.pairs.keys()].flatMap((key) => [
          `struct ibv_qp *${pairName(key)}`,
          `struct ibv_cq *${pairName(key)}_cq`,
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

  private body(list: readonly Instruction[], indent: string): readonly string[] {
    return list.flatMap((i) => this.instruction(i).map((line) => indent + line));
  }

  private instruction(i: Instruction): readonly string[] {
    if (isUnknown(i)) throw NOT_PRINTED;
    const view: RdmaInstruction = viewed(i);
    switch (view.kind) {
      case 'assign':
        return [`${this.target(view.target)} = ${this.expression(view.value)};`];
      case 'put':
        return [this.post(view, 'IBV_WR_RDMA_WRITE', view.from, view.to)];
      case 'get':
        return [this.post(view, 'IBV_WR_RDMA_READ', view.to, view.from)];
      case 'remote-atomic': {
        const op = {
          cas: 'IBV_WR_ATOMIC_CMP_AND_SWP',
          faa: 'IBV_WR_ATOMIC_FETCH_AND_ADD',
          xchg: undefined,
        }[view.update.kind];
        if (op === undefined) throw NOT_PRINTED;
        const operands = operandsIn(view.update).map((e) => this.expression(e));
        return [this.post(view, op, view.into, view.location, operands)];
      }
      case 'poll':
        return [`take(${this.pair(view)}_cq);`];
      case 'mfence':
        return ['atomic_thread_fence(memory_order_seq_cst);'];
      case 'cas': {
        if (view.target.kind !== 'register') throw NOT_PRINTED;
        const [old, made] = [view.expected, view.desired].map((e) => this.expression(e));
        return [
          `${this.target(view.target)} = __sync_val_compare_and_swap(&${this.own(view.location)}, ${old}, ${made});`,
        ];
      }
      case 'faa':
      case 'xchg': {
        if (view.target.kind !== 'register') throw NOT_PRINTED;
        const name = view.kind === 'faa' ? '__sync_fetch_and_add' : 'atomic_exchange';
        return [
          `${this.target(view.target)} = ${name}(&${this.own(view.location)}, ${this.expression(view.value)});`,
        ];
      }
      case 'assume':
        return [`while (!(${this.expression(view.condition)})) ;`];
      case 'if':
        return this.branch(this.expression(view.condition), view.then, view.else);
      case 'choose': {
        const [yes, no, ...more] = view.branches;
        if (more.length > 0) throw NOT_PRINTED;
        return this.branch(`c${this.choices++}`, yes, no);
      }
      default:
        throw NOT_PRINTED;
    }
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

  private post(
    on: Towards,
    op: string,
    own: number,
    far: number,
    operands: readonly string[] = [],
  ): string {
    const { name } = this.locations[far];
    this.remote.add(name);
    const [a = '0', b = '0'] = operands;
    const { hidden, initial } = this.locations[own];
    const call = (local: string): string =>
      `post(${this.pair(on)}, ${op}, &${local}, ${name}_addr, ${a}, ${b}, 0);`;
    if (hidden !== true) return call(this.own(own));
    // A constant is in a variable of its own.
    const local = `k${this.temporaries++}`;
    return `int64_t ${local} = ${initial}; ${call(local)}`;
  }

  private pair(on: Towards): string {
    this.pairs.set(queuePairKey(on), on);
    return pairName(queuePairKey(on));
  }

  private own(location: number): string {
    const { name, owner } = this.locations[location];
    if (owner !== undefined) this.declared.add(name);
    return name;
  }

  private target(target: Extract<RdmaInstruction, { kind: 'assign' }>['target']): string {
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
