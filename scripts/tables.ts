// Tables for reading a grammar's language from left to right without trying anything twice (SLR(1)).
//
// They need not be perfect: an Earley parser reads again what they cannot read, and says what is wrong with
// it. So if the next token leaves several possibilities, reading on is preferred to completing a rule, and an
// earlier rule to a later one.

/** A symbol of a rule: another rule by its name, or a type of tokens. */
export type PlainSymbol = string | { readonly type: string };

export interface PlainRule {
  /** Undefined: the rule that ends with the file. */
  readonly name: string | undefined;
  readonly symbols: readonly PlainSymbol[];
}

type Rules = readonly PlainRule[];

/** The numbers of the rules that have a name. */
type ByName = ReadonlyMap<string | undefined, readonly number[]>;

/** A rule that is partly read, and how much of it is. */
type Item = readonly [rule: number, dot: number];

interface Tables {
  readonly actions: readonly (number | Record<string, number>)[];
  readonly gotos: readonly Record<string, number>[];
}

/** The end of the file, among the types of tokens. */
const END = '';

/** All types of tokens that a state has no entry of its own for. */
const OTHER = '*';

/**
 * For each state, what to do at a type of token, and where to go when a rule of a name is complete. What
 * to do is a state to go on to, 0 at the end of the file, or -1 - r to complete rule r. A state that can
 * complete one rule only does so at every token that it does not read (`*`): a third of the size. A number
 * instead of a record means the same for every token.
 *
 * @param rules each with its name and its symbols: names as strings, and `{ type }` for tokens
 */
export function tablesOf(rules: Rules, start: string): Tables {
  // Rule 0 here is one that ends with the file; the others come one later than in the grammar.
  const all: Rules = [{ name: undefined, symbols: [start] }, ...rules];
  const byName = new Map<string | undefined, readonly number[]>();
  all.forEach(({ name }, r) => byName.set(name, [...(byName.get(name) ?? []), r]));
  const follow = followers(all, byName);

  /** A state is the set of rules that may be partly read. */
  const kernels: (readonly Item[])[] = [];
  const known = new Map<string, number>();
  const stateOf = (kernel: readonly Item[]): number => {
    const key = kernel.join(' ');
    const state = known.get(key) ?? kernels.push(kernel) - 1;
    known.set(key, state);
    return state;
  };
  stateOf([[0, 0]]);

  const actions: (number | Record<string, number>)[] = [];
  const gotos: Record<string, number>[] = [];
  for (let state = 0; state < kernels.length; state++) {
    const items = closure(kernels[state], all, byName);
    const after = new Map<string, readonly Item[]>();
    for (const [rule, dot] of items) {
      const symbol = all[rule].symbols[dot];
      if (symbol === undefined) continue;
      const key = JSON.stringify(symbol);
      after.set(key, [...(after.get(key) ?? []), [rule, dot + 1]]);
    }
    const action: Record<string, number> = {};
    const goto: Record<string, number> = {};
    for (const [key, kernel] of after) {
      const symbol = JSON.parse(key) as PlainSymbol;
      if (typeof symbol === 'string') goto[symbol] = stateOf(kernel);
      else action[symbol.type] = stateOf(kernel);
    }
    const complete = items.filter(([rule, dot]) => dot === all[rule].symbols.length);
    const [[only] = [0], ...others] = complete;
    if (only !== 0 && others.length === 0) {
      // A token that may not follow is noticed when it should be read on, and nothing is read before that.
      action[OTHER] = -only;
    } else {
      for (const [rule] of complete) {
        for (const type of follow.get(all[rule].name)!) action[type] ??= -rule;
      }
    }
    actions.push(Object.keys(action).join() === OTHER ? action[OTHER] : action);
    gotos.push(goto);
  }
  return { actions, gotos };
}

/** A state's rules with those that may begin in it. */
function closure(kernel: readonly Item[], all: Rules, byName: ByName): readonly Item[] {
  const items = [...kernel];
  const begun = new Set<string>();
  for (const [rule, dot] of items) {
    const symbol = all[rule].symbols[dot];
    if (typeof symbol !== 'string' || begun.has(symbol)) continue;
    begun.add(symbol);
    // The loop goes over what is added here, too.
    items.push(...byName.get(symbol)!.map((r): Item => [r, 0]));
  }
  return items;
}

/** For each name, the types of tokens that may follow it. */
function followers(all: Rules, byName: ByName): ReadonlyMap<string | undefined, Set<string>> {
  const sets = () => new Map([...byName.keys()].map((name) => [name, new Set<string>()]));
  const [first, follow] = [sets(), sets()];
  const empty = new Set<string>();
  follow.get(undefined)!.add(END);
  let grown = true;
  const add = (set: Set<string>, types: Iterable<string>): void => {
    const before = set.size;
    for (const type of types) set.add(type);
    if (set.size > before) grown = true;
  };
  const firstOf = (symbol: PlainSymbol): Iterable<string> =>
    typeof symbol === 'string' ? first.get(symbol)! : [symbol.type];
  const isEmpty = (symbol: PlainSymbol): boolean => typeof symbol === 'string' && empty.has(symbol);
  while (grown) {
    grown = false;
    for (const { name, symbols } of all) {
      const end = symbols.findIndex((symbol) => !isEmpty(symbol));
      for (const symbol of end < 0 ? symbols : symbols.slice(0, end + 1)) {
        add(first.get(name)!, firstOf(symbol));
      }
      if (name !== undefined && end < 0 && !empty.has(name)) {
        empty.add(name);
        grown = true;
      }
      let behind = follow.get(name)!;
      for (const symbol of symbols.toReversed()) {
        if (typeof symbol === 'string') add(follow.get(symbol)!, behind);
        behind = new Set([...(isEmpty(symbol) ? behind : []), ...firstOf(symbol)]);
      }
    }
  }
  return follow;
}
