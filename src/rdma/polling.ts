import { instructionsOf, mapBodies } from '../program/instructions.js';
import type {
  Call,
  Expression,
  Instruction,
  Program,
  RegisterId,
  Thread,
} from '../program/program.js';
import type { Towards } from './instructions.js';
import { callFor, isPosted, queuePairKey, viewed } from './instructions.js';

/**
 * Replaces waits by polls, as the LOCO paper implements RDMA^WAIT over RDMA^TSO (App. F, I_W): `wait(d)` polls each
 * queue pair until the last operation with d on it has been polled. The paper keeps sets of operations. Since
 * completions come in order, counts are enough: how many operations were posted on a queue pair, how many were polled,
 * and which was the last with d. The counts are registers, and make no event. The program must not have polls of its
 * own.
 */
export function withPolls(program: Program): Program {
  const threads = program.threads.map((thread) => new Counting(thread).counted());
  return { ...program, threads };
}

const int = (value: number): Expression => ({ kind: 'int', value });

class Counting {
  private readonly registers: string[];
  private readonly pairs = new Map<string, Towards>();
  /** The queue pairs with operations of each identifier. */
  private readonly works = new Map<string, Set<string>>();
  /** At most so many operations are polled by one wait. */
  private readonly most: number;

  constructor(private readonly thread: Thread) {
    this.registers = [...thread.registers];
    let posted = 0;
    for (const i of instructionsOf(thread.body)) {
      const view = viewed(i);
      if (!isPosted(view)) continue;
      posted += 1;
      const key = queuePairKey(view);
      this.pairs.set(key, { node: view.node, queuePair: view.queuePair });
      if (view.work === undefined) continue;
      this.works.set(view.work, (this.works.get(view.work) ?? new Set()).add(key));
    }
    const loops = [...instructionsOf(thread.body)].some(({ kind }) => kind === 'loop');
    this.most = Math.max(1, posted * (loops ? ROUNDS : 1));
  }

  counted(): Thread {
    const body = this.body(this.thread.body);
    return { ...this.thread, registers: this.registers, body };
  }

  private body(list: readonly Instruction[]): readonly Instruction[] {
    return list.flatMap((i) => this.instruction(i));
  }

  private instruction(i: Instruction): readonly Instruction[] {
    if (i.kind !== 'call') {
      return [mapBodies(i, (body) => this.body(body))];
    }
    const view = viewed(i);
    if (view.kind === 'wait') return this.wait(view.work, i);
    if (!isPosted(view)) return [i];
    const posted = this.register(`posted ${queuePairKey(view)}`);
    const count = this.set(posted, plusOne(posted), i);
    if (view.work === undefined) return [i, count];
    const last = this.register(`last ${view.work} ${queuePairKey(view)}`);
    return [i, count, this.set(last, { kind: 'register', register: posted }, i)];
  }

  private wait(work: string, { span }: Call): readonly Instruction[] {
    return [...(this.works.get(work) ?? [])].map((key): Instruction => {
      const polled = this.register(`polled ${key}`);
      const last = this.register(`last ${work} ${key}`);
      const towards = this.pairs.get(key)!;
      return {
        kind: 'loop',
        condition: {
          kind: 'binary',
          op: '<',
          left: { kind: 'register', register: polled },
          right: { kind: 'register', register: last },
        },
        bound: this.most,
        body: [
          callFor({ kind: 'poll', ...towards, span }),
          {
            kind: 'assign',
            target: { kind: 'register', register: polled },
            value: plusOne(polled),
            span,
          },
        ],
        span,
      };
    });
  }

  /** A new register. Its name has a blank, so no file can use it. */
  private register(name: string): RegisterId {
    const known = this.registers.indexOf(name);
    return known >= 0 ? known : this.registers.push(name) - 1;
  }

  private set(register: RegisterId, value: Expression, { span }: Call): Instruction {
    return { kind: 'assign', target: { kind: 'register', register }, value, span };
  }
}

/** How often an operation in a loop may be performed before a wait polls it. */
const ROUNDS = 4;

const plusOne = (register: RegisterId): Expression => ({
  kind: 'binary',
  op: '+',
  left: { kind: 'register', register },
  right: int(1),
});
