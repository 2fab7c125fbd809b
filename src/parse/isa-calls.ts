import type { Span } from './diagnostics/index.js';
import type { CExpr } from './herd-c-parser.js';
import type { Isa, Rule } from './isa.js';

/** What a call of C is, by a rule such as `READ_ONCE(*c) => r := ldr [ONCE] (c, d)`. */
export interface CallRule {
  /** The instructions; the call's value is in `r`, if it has one. */
  readonly statement: string;
  /** What the value is made of, where it is not `r` itself. */
  readonly giving?: string;
  readonly operands: readonly CallOperand[];
}

/** An argument: an address, or what is at it, `*c`; or a value. */
interface CallOperand {
  readonly name: string;
  readonly isAddress: boolean;
  readonly isDereferenced: boolean;
  readonly added?: string;
}

type Call = Extract<CExpr, { kind: 'call' }>;

/** The rule for a call: by its name, its arguments, and words that stand for themselves. */
export function ruleFor(
  isa: Isa,
  call: Call,
  refuse: (span: Span, message: string, hint?: string) => never,
): CallRule {
  const alike = isa.rules.filter(({ pattern: [name] }) => name === call.name.toUpperCase());
  for (const rule of alike) {
    const operands = argumentsOf(rule, call);
    if (operands === undefined) continue;
    const [statement, giving] = rule.means.split(' giving ');
    return { statement, giving, operands };
  }
  const known = alike.map(({ text }) => text).join('; ');
  return refuse(
    call.span,
    'this call is not known',
    known === '' ? undefined : `known are ${known}`,
  );
}

/** What a rule takes for the arguments of a call; undefined if it is about others. Words have no name. */
function argumentsOf({ pattern }: Rule, { args }: Call): readonly CallOperand[] | undefined {
  const wanted: Rule['pattern'][number][][] = [[]];
  for (const one of pattern.slice(2, -1)) {
    if (one === ',') wanted.push([]);
    else wanted.at(-1)!.push(one);
  }
  const slots = wanted.filter((one) => one.length > 0);
  if (slots.length !== args.length) return undefined;
  const made = slots.map((slot, i): CallOperand | undefined => {
    const last = slot.at(-1)!;
    const given = args[i];
    if (typeof last === 'string') {
      const isWord = given.kind === 'name' && given.text.toUpperCase() === last;
      return isWord ? { name: '', isAddress: false, isDereferenced: false } : undefined;
    }
    const isDereferenced = slot[0] === '*';
    if (isDereferenced && !(given.kind === 'unary' && given.op === '*')) return undefined;
    const { name, added } = last;
    return { name, added, isAddress: added !== undefined, isDereferenced };
  });
  const all = made.filter((one) => one !== undefined);
  return all.length === made.length ? all : undefined;
}
