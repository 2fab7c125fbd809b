import type { Report, Span } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import { foldExpression } from '../parse/fold.js';
import type { LitmusExpr, LitmusLeaf, Statement } from '../parse/litmus-ast.js';
import type { GhostExpression, Instruction, Mark } from './program.js';
import { checkInteger } from './report.js';

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

/** The names that marks may use. */
export interface MarkNames {
  readonly registers: readonly string[];
  readonly ghosts: readonly string[];
  /** Is there memory of this name? */
  isMemory(name: string): boolean;
}

/** Resolves a mark. A name that is neither a register nor a ghost is reported. */
export function markOf(
  s: Of<'point'> | Of<'ghost'> | Of<'assert'>,
  names: MarkNames,
  report: Report,
): Mark {
  const { span } = s;
  switch (s.kind) {
    case 'point':
      return { kind: 'point', name: s.name.text, span };
    case 'ghost': {
      const { text, span: at } = s.name;
      const ghost = names.ghosts.indexOf(text);
      if (ghost < 0) {
        const hint = (): string =>
          didYouMean(text, names.ghosts) ?? `declare it outside of threads: ghost ${text} = 0`;
        report(at, `unknown ghost '${text}'`, hint);
      }
      return {
        kind: 'ghost',
        ghost: Math.max(ghost, 0),
        value: expression(s.value, names, report),
        span,
      };
    }
    case 'assert':
      return { kind: 'assert', condition: expression(s.condition, names, report), span };
  }
}

function expression(e: LitmusExpr, names: MarkNames, report: Report): GhostExpression {
  return foldExpression<LitmusLeaf, GhostExpression, { readonly span: Span }>(e, {
    int({ value, span }) {
      checkInteger(value, span, report);
      return { kind: 'int', value };
    },
    leaf: (leaf) => ghostOrRegister(leaf, names, report) ?? { kind: 'int', value: 0 },
    unary: ({ kind, op }, arg) => ({ kind, op, arg }),
    binary: ({ kind, op }, left, right) => ({ kind, op, left, right }),
  });
}

function ghostOrRegister(
  leaf: LitmusLeaf,
  names: MarkNames,
  report: Report,
): GhostExpression | undefined {
  if (leaf.kind !== 'ref') {
    report(leaf.span, 'assertions and ghosts are about numbers');
    return undefined;
  }
  const { name, node, span } = leaf.ref;
  const ghost = names.ghosts.indexOf(name.text);
  if (ghost >= 0 && node === undefined) return { kind: 'ghost', ghost };
  const register = names.registers.indexOf(name.text);
  if (register >= 0 && node === undefined) return { kind: 'register', register };
  if (node !== undefined || names.isMemory(name.text)) {
    const message = 'ghosts and assertions are about registers and ghosts, not about memory';
    report(span, message, `read '${name.text}' into a register, and name that`);
  } else {
    const hint = () => didYouMean(name.text, [...names.registers, ...names.ghosts]);
    report(span, `unknown register or ghost '${name.text}'`, hint);
  }
  return undefined;
}

/**
 * Attaches marks to instructions. Marks before the first instruction of a body go before it, all others after the
 * instruction that they follow. If there is no instruction, one that does nothing carries them.
 */
export class Marking {
  private readonly made: Instruction[] = [];
  private readonly waiting: Mark[] = [];

  add(instruction: Instruction): void {
    this.made.push(this.waiting.length === 0 ? instruction : before(instruction, this.waiting));
    this.waiting.length = 0;
  }

  mark(mark: Mark): void {
    const last = this.made.pop();
    // A point is passed before the next instruction.
    if (last === undefined || this.waiting.length > 0 || mark.kind === 'point') {
      if (last !== undefined) this.made.push(last);
      this.waiting.push(mark);
    } else this.made.push(after(last, [mark]));
  }

  /** `critical c { … }` with the instructions of its body. */
  section({ name, span }: Of<'critical'>, body: readonly Instruction[]): void {
    const [first, ...rest] = body.length === 0 ? [nothing(span)] : body;
    const mark = (kind: 'enter' | 'leave'): Mark => ({ kind, name: name.text, span });
    const inner = [before(first, [mark('enter')]), ...rest];
    const last = inner.pop()!;
    for (const i of [...inner, after(last, [mark('leave')])]) this.add(i);
  }

  /** The instructions with their marks. */
  finished(): readonly Instruction[] {
    if (this.waiting.length > 0) this.add(nothing(this.waiting[0].span));
    return this.made;
  }
}

/** An instruction that does nothing: it has no event. */
const nothing = (span: Instruction['span']): Instruction => ({
  kind: 'assume',
  condition: { kind: 'int', value: 1 },
  span,
});

const before = (i: Instruction, marks: readonly Mark[]): Instruction => ({
  ...i,
  marks: { before: [...marks, ...(i.marks?.before ?? [])], after: i.marks?.after ?? [] },
});

const after = (i: Instruction, marks: readonly Mark[]): Instruction => ({
  ...i,
  marks: { before: i.marks?.before ?? [], after: [...(i.marks?.after ?? []), ...marks] },
});

/** The names of the points and of the critical blocks of a thread, each once, in textual order. */
export function markNames(
  instructions: Iterable<Instruction>,
  kind: 'point' | 'enter',
): readonly string[] {
  const found = new Set<string>();
  for (const { marks } of instructions) {
    for (const mark of [...(marks?.before ?? []), ...(marks?.after ?? [])]) {
      if (mark.kind === kind) found.add(mark.name);
    }
  }
  return [...found];
}
