import type { CExpr, CFunction, CStatement } from './herd-c-parser.js';
import { ruleFor } from './isa-calls.js';
import type { Isa } from './isa.js';

/**
 * Where the pointers of a test in C may point: each register and each place holds the addresses that are put into it anywhere (Andersen 1994).
 * Of some that it may hold, only some may ever be there.
 */
export class Pointers {
  /** By `x` of a place, and by `0:r1` of a register. */
  private readonly held = new Map<string, Set<string>>();
  private hasGrown = false;

  /** @param initial what places hold at first, of those that hold addresses */
  constructor(
    private readonly isa: Isa,
    private readonly functions: readonly CFunction[],
    initial: ReadonlyMap<string, string>,
    private readonly refuse: Parameters<typeof ruleFor>[2],
  ) {
    for (const [place, to] of initial) this.hold(place, [to]);
    do {
      this.hasGrown = false;
      functions.forEach(({ body }, i) => body.forEach((one) => this.statement(one, i)));
    } while (this.hasGrown);
  }

  /** The places whose address an expression of a thread may be. */
  targets(e: CExpr, thread: number): readonly string[] {
    switch (e.kind) {
      case 'int':
        return [];
      case 'name':
        return this.isPlace(e.text, thread) ? [e.text] : this.at(`${thread}:${e.text}`);
      case 'call': {
        const [address] = this.operands(e, thread);
        return address === undefined ? [] : address.flatMap((place) => this.at(place));
      }
      case 'unary':
        if (e.op === '*') return this.targets(e.arg, thread).flatMap((place) => this.at(place));
        if (e.op !== '&') return [];
        if (e.arg.kind === 'name') return [e.arg.text];
        return e.arg.kind === 'unary' ? this.targets(e.arg.arg, thread) : [];
      case 'binary':
        return [...new Set([e.left, e.right].flatMap((side) => this.targets(side, thread)))];
    }
  }

  private statement(s: CStatement, thread: number): void {
    if (s.kind === 'do') this.visit(s.call, thread);
    else if (s.kind === 'if') {
      this.visit(s.condition, thread);
      for (const one of [...s.then, ...s.else]) this.statement(one, thread);
    } else {
      this.visit(s.value, thread);
      const given = this.targets(s.value, thread);
      if (s.target.kind === 'name') this.hold(`${thread}:${s.target.text}`, given);
      else if (s.target.kind === 'unary')
        for (const place of this.targets(s.target.arg, thread)) this.hold(place, given);
    }
  }

  /** What the calls in an expression put where. */
  private visit(e: CExpr, thread: number): void {
    if (e.kind === 'unary') this.visit(e.arg, thread);
    if (e.kind === 'binary') [e.left, e.right].forEach((side) => this.visit(side, thread));
    if (e.kind !== 'call') return;
    for (const arg of e.args) this.visit(arg, thread);
    const [address, given] = this.operands(e, thread);
    for (const place of address ?? []) this.hold(place, given);
  }

  /** The places of a call, if it has any, and the addresses that it is given as values. */
  private operands(
    e: Extract<CExpr, { kind: 'call' }>,
    thread: number,
  ): readonly [places: readonly string[] | undefined, given: readonly string[]] {
    const { operands } = ruleFor(this.isa, e, this.refuse);
    let places: readonly string[] | undefined;
    const given: string[] = [];
    operands.forEach(({ isAddress, isDereferenced }, i) => {
      const arg = e.args[i];
      if (!isAddress) return void given.push(...this.targets(arg, thread));
      const own = this.targets(isDereferenced && arg.kind === 'unary' ? arg.arg : arg, thread);
      // Of two places, each may get what the other has.
      if (places !== undefined) given.push(...[...places, ...own].flatMap((one) => this.at(one)));
      places = [...(places ?? []), ...own];
    });
    return [places, given];
  }

  private isPlace(name: string, thread: number): boolean {
    return this.functions[thread].parameters.includes(name);
  }

  private at(key: string): readonly string[] {
    return [...(this.held.get(key) ?? [])];
  }

  private hold(key: string, places: readonly string[]): void {
    const held = this.held.get(key) ?? new Set();
    this.held.set(key, held);
    for (const place of places) {
      this.hasGrown ||= !held.has(place);
      held.add(place);
    }
  }
}
