import type { Diagnostic } from '../parse/diagnostics/index.js';
import { leavesIn, numberOf } from '../parse/fold.js';
import type { LitmusExpr, LitmusLeaf, Statement } from '../parse/litmus-ast.js';
import { unordered } from './accesses.js';
import { blocksOf } from './sequences.js';
import type { ReadThread } from './thread.js';

/**
 * Waits that nothing ends: for words that no thread writes, and that do not begin with what is waited for. An answer says nothing of the
 * ways that come to one. `first`: with what each word begins.
 */
export function endlessWaits(
  threads: readonly ReadThread[],
  first: ReadonlyMap<string, number>,
): readonly Diagnostic[] {
  const written = new Set(threads.flatMap(({ body }) => body.flatMap(writtenBy)));
  const kept = new Map([...first].filter(([name]) => !written.has(name)));
  return threads.flatMap(({ body }) => {
    const found = new Search(kept, new Set(body.flatMap(arriving))).in(body);
    return found === undefined ? [] : [found];
  });
}

/** The names that a statement may write. */
function writtenBy(given: Statement): readonly string[] {
  const one = unordered(given);
  const inside = blocksOf(one).flat().flatMap(writtenBy);
  if (one.kind === 'assign') {
    const more = one.more?.targets ?? [];
    return [one.target, ...more].map(({ name }) => name.text);
  }
  if (one.kind !== 'call') return inside;
  const named = one.arguments?.flatMap((argument) => ('ref' in argument ? [argument.ref] : []));
  return [...(one.target ? [one.target] : []), ...(named ?? [])].map(({ name }) => name.text);
}

/** The names whose values come from elsewhere, at some time. */
function arriving(given: Statement): readonly string[] {
  const one = unordered(given);
  const inside = blocksOf(one).flat().flatMap(arriving);
  if (one.kind === 'call') return one.target ? [one.target.name.text] : [];
  if (one.kind !== 'assign') return inside;
  const isRemote = [one.value, ...(one.more?.values ?? [])]
    .flatMap((value) => leavesIn<LitmusLeaf>(value))
    .some((leaf) => leaf.kind === 'ref' && leaf.ref.node !== undefined);
  return isRemote ? writtenBy(one) : [];
}

/** What is known of a register: its value, and the words that it is from. */
interface Known {
  readonly value: number;
  readonly from: readonly string[];
}

class Search {
  private readonly registers = new Map<string, Known>();

  constructor(
    private readonly words: ReadonlyMap<string, number>,
    private readonly arriving: ReadonlySet<string>,
  ) {}

  in(body: readonly Statement[]): Diagnostic | undefined {
    for (const given of body) {
      const one = unordered(given);
      if (one.kind === 'assume') {
        const known = this.known(one.condition);
        if (known?.value === 0 && known.from.length > 0) return this.said(one, known);
      }
      const blocks = blocksOf(one);
      for (const block of blocks) {
        const inner = new Search(this.words, this.arriving);
        for (const [name, known] of this.registers) inner.registers.set(name, known);
        const found = inner.in(block);
        if (found !== undefined) return found;
      }
      for (const name of writtenBy(one)) this.registers.delete(name);
      if (one.kind !== 'assign' || one.target.node !== undefined || one.more) continue;
      const { text } = one.target.name;
      const known = this.arriving.has(text) ? undefined : this.known(one.value);
      if (known !== undefined) this.registers.set(text, known);
    }
    return undefined;
  }

  private known(expr: LitmusExpr): Known | undefined {
    const from: string[] = [];
    const value = numberOf<LitmusLeaf>(expr, (leaf) => {
      if (leaf.kind !== 'ref' || leaf.ref.node !== undefined) return undefined;
      const { text } = leaf.ref.name;
      const word = this.words.get(text);
      if (word !== undefined) from.push(text);
      const register = this.registers.get(text);
      from.push(...(register?.from ?? []));
      return word ?? register?.value;
    });
    return value === undefined ? undefined : { value, from };
  }

  private said({ span }: Statement, { from }: Known): Diagnostic {
    const names = [...new Set(from)];
    const begins = names.map((name) => `${name}, which begins with ${this.words.get(name)!}`);
    const message = `no run goes on behind this: no thread of the head writes ${begins.join(', or ')}`;
    const hint = `add the thread that writes ${names[0]} to the head`;
    return { span, message, hint };
  }
}
