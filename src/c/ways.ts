import type { Statement } from '../parse/litmus-ast.js';
import { Core } from './core.js';
import type { Request, Value, Way } from './state.js';
import { copyOf, isSame } from './state.js';
import type { At } from './tree.js';

/** Which requests are open differs from here on. */
export const UNSURE: Request = { id: { kind: 'nothing' }, opcode: -1, isReceive: false };

/** Where ways through the code part, leave, and meet again. */
export abstract class Ways extends Core {
  /** By block: the block that it stands in. */
  private readonly parents = new Map<Statement[], Statement[]>();
  /** Ways that have left and have not met others again. Those that have ended for good never do. */
  protected left = new Set<Way>();

  /** Both ways of a condition that is known when the program runs, or never. */
  branch(node: At, condition: Value, ways: readonly [() => void, () => void]): void {
    if (condition.kind !== 'runtime' && condition.kind !== 'path') {
      this.refuse(node, 'this has no value');
    }
    const [before, outer] = [this.state, this.out];
    const taken = ways.map((way) => {
      const block: Statement[] = [];
      this.parents.set(block, outer);
      this.state = copyOf(before);
      this.out = block;
      this.alive = true;
      way();
      return { block, alive: this.alive, out: this.out, state: this.state };
    });
    this.out = outer;
    const span = this.spanOf(node);
    const [yes, no] = taken.map(({ block }) => block);
    if (condition.kind === 'runtime') {
      this.emit({ kind: 'if', condition: condition.expr, then: yes, else: no, span });
    } else this.emit({ kind: 'choose', branches: [yes, no], span });
    const alive = taken.filter((way) => way.alive);
    this.meet(alive, node);
  }

  /** Leaves for another place, or for good. */
  protected leave(ways: Way[] | undefined, more: Pick<Way, 'value'> = {}): void {
    const way: Way = { out: this.out, state: this.state, ...more };
    ways?.push(way);
    this.left.add(way);
    this.alive = false;
  }

  /**
   * Goes on where ways come together: behind one alone, right at its end, as the others have left; behind several, in the innermost
   * block that has all of them. What differs between them is in registers from there on.
   */
  protected meet(ways: readonly Way[], node: At): void {
    for (const way of ways) this.left.delete(way);
    this.alive = ways.length > 0;
    if (ways.length === 0) return;
    const [first, ...others] = ways;
    this.out = first.out;
    this.state = first.state;
    if (others.length === 0) return;
    this.out = others.reduce((out, way) => this.commonBlock(out, way.out), first.out);
    for (const way of this.left) {
      if (!this.isInside(way.out, this.out)) continue;
      // It would go on here with the others.
      this.refuse(node, 'ways that part in here do not all meet again: that is not understood yet');
    }
    this.state = this.joined(ways);
  }

  private blocksAround(block: Statement[]): readonly Statement[][] {
    const parent = this.parents.get(block);
    return parent === undefined ? [block] : [block, ...this.blocksAround(parent)];
  }

  private isInside(block: Statement[], outer: Statement[]): boolean {
    return this.blocksAround(block).includes(outer);
  }

  /** The innermost block that has both. */
  private commonBlock(a: Statement[], b: Statement[]): Statement[] {
    const all = new Set(this.blocksAround(b));
    return this.blocksAround(a).find((block) => all.has(block))!;
  }

  private joined(ways: readonly Way[]): Way['state'] {
    const [first] = ways;
    const state = copyOf(first.state);
    for (const key of keysOf(ways, 'values')) {
      const all = ways.map((way) => way.state.values.get(key));
      if (all.every((one) => isSame(one, all[0]))) continue;
      if (!all.every(isNumber)) {
        state.values.delete(key);
        continue;
      }
      const register = this.registerOf(key);
      for (const [i, way] of ways.entries()) this.keep(register, all[i] as NumberValue, way);
      const expr = this.refExpr(register, NOWHERE);
      state.values.set(key, { kind: 'runtime', expr, reads: false });
    }
    for (const pair of keysOf(ways, 'open')) {
      const all = ways.map((way) => way.state.open.get(pair) ?? []);
      if (all.every((one) => isSame(one, all[0]))) continue;
      state.open.set(pair, [...all[0], UNSURE]);
    }
    for (const pair of keysOf(ways, 'building')) {
      const all = ways.map((way) => way.state.building.get(pair));
      if (!all.every((one) => isSame(one, all[0]))) state.building.delete(pair);
    }
    return state;
  }

  /** At the end of a way, a register gets the value that it has there. */
  private keep(register: string, value: NumberValue, { out }: Way): void {
    const span = value.kind === 'runtime' ? value.expr.span : this.spanOf(NOWHERE);
    const at: At = { startIndex: span.start, endIndex: span.end };
    const expr = this.exprOf(value, at);
    if (expr.kind === 'ref' && expr.ref.name.text === register) return;
    out.push({ kind: 'assign', target: this.refTo(register, at), value: expr, span });
  }
}

type NumberValue = Extract<Value, { kind: 'int' | 'runtime' }>;

const isNumber = (value: Value | undefined): boolean =>
  value?.kind === 'int' || value?.kind === 'runtime';

const NOWHERE: At = { startIndex: 0, endIndex: 0 };

const keysOf = (ways: readonly Way[], of: 'values' | 'open' | 'building'): ReadonlySet<string> =>
  new Set(ways.flatMap(({ state }) => [...state[of].keys()]));
