/**
 * Items, which are numbers from 0, in an order in which each comes before its successors. Of all such orders, it is one in which each group goes on
 * as long as it can. Items on cycles, and those behind them, are left out.
 */
export function eventsInOrder(
  count: number,
  successors: (item: number) => Iterable<number>,
  groupOf: (item: number) => number,
): readonly number[] {
  const waiting = new Array<number>(count).fill(0);
  for (let i = 0; i < count; i++) for (const to of successors(i)) waiting[to] += 1;
  const ready = [...waiting.keys()].filter((i) => waiting[i] === 0);
  const order: number[] = [];
  let group: number | undefined;
  while (ready.length > 0) {
    ready.sort((a, b) => a - b);
    const own = ready.findIndex((i) => groupOf(i) === group);
    const [item] = ready.splice(Math.max(own, 0), 1);
    group = groupOf(item);
    order.push(item);
    for (const to of successors(item)) if (--waiting[to] === 0) ready.push(to);
  }
  return order;
}

/** What has to come before what. There is never a cycle. */
export class Sequence {
  private readonly after: Set<number>[];

  /** @param count items are numbers from 0 below it */
  constructor(private readonly count: number) {
    this.after = Array.from({ length: count }, () => new Set());
  }

  /** One item comes before another, unless it has to come after it already. */
  before(first: number, second: number): void {
    if (!this.leads(second, first)) this.after[first].add(second);
  }

  inOrder(groupOf: (item: number) => number): readonly number[] {
    return eventsInOrder(this.count, (item) => this.after[item], groupOf);
  }

  private leads(from: number, to: number): boolean {
    const seen = new Set([from]);
    for (const at of seen) {
      if (at === to) return true;
      for (const next of this.after[at]) seen.add(next);
    }
    return false;
  }
}
