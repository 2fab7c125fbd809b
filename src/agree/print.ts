import type { Expression, Instruction, Program, Target, Thread } from '../program/program.js';
import { inside, instructionsOf } from '../program/instructions.js';
import { locationsOf } from '../program/thread.js';

/** Lines up to this length hold a whole thread. */
const WIDTH = 80;

/**
 * The nodes and threads of a program as litmus text. With `tidy`, threads without instructions, and
 * nodes and locations that nothing uses, are left out.
 */
export function printProgram(program: Program, { tidy = false } = {}): string {
  const threads = program.threads.filter((t) => !tidy || t.body.length > 0);
  const used = usedLocations(threads);
  const towards = new Set(
    threads.flatMap((t) => [t.node, ...[...instructionsOf(t.body)].flatMap(nodeOf)]),
  );
  const nodes = program.nodes.flatMap((node) => {
    const own = program.locations.flatMap(({ name, initial, ...l }, id) =>
      l.node === node && l.owner === undefined && (!tidy || used.has(id))
        ? [`${name} = ${initial}`]
        : [],
    );
    if (tidy && own.length === 0 && !towards.has(node)) return [];
    return [`node ${node} ${own.length === 0 ? '{}' : `{ ${own.join('; ')} }`}\n`];
  });
  const written = threads.map((t) => printThread(program, t));
  const bound =
    boundMatters(threads) && program.bound !== undefined ? `bound ${program.bound}\n` : '';
  return `${bound}${nodes.join('')}\n${written.join('')}`;
}

function printThread(program: Program, thread: Thread): string {
  const head = `thread ${thread.name} on ${thread.node}`;
  const written = thread.body.map((i) => printInstruction(program, thread, i));
  if (written.length === 0) return `${head} {}\n`;
  const line = `${head} { ${written.join('; ')} }`;
  return line.length <= WIDTH ? `${line}\n` : `${head} {\n${written.map(indented).join('')}}\n`;
}

const indented = (text: string, i: number, all: readonly string[]): string =>
  `  ${text}${i < all.length - 1 ? ';' : ''}\n`;

/** One instruction, in one line. */
export function printInstruction(program: Program, thread: Thread, i: Instruction): string {
  const name = (location: number): string => program.locations[location].name;
  const target = (t: Target): string =>
    t.kind === 'location' ? name(t.location) : thread.registers[t.register];
  const expression = (e: Expression): string => {
    switch (e.kind) {
      case 'int':
        return String(e.value);
      case 'location':
        return name(e.location);
      case 'register':
        return thread.registers[e.register];
      case 'unary':
        return `${e.op}${operand(e.arg)}`;
      case 'binary':
        return `${operand(e.left)} ${e.op} ${operand(e.right)}`;
    }
  };
  const operand = (e: Expression): string =>
    e.kind === 'binary' || e.kind === 'unary' ? `(${expression(e)})` : expression(e);
  const block = (body: readonly Instruction[]): string =>
    `{ ${body.map((inner) => printInstruction(program, thread, inner)).join('; ') || 'skip'} }`;
  switch (i.kind) {
    case 'assign':
      return `${target(i.target)} := ${expression(i.value)}`;
    case 'get':
    case 'put': {
      const { name: from, hidden, initial } = program.locations[i.from];
      const sign = i.work === undefined ? ':=' : `:=^${i.work}`;
      return i.kind === 'get'
        ? `${name(i.to)} ${sign} ${from}^${i.node}`
        : `${name(i.to)}^${i.node} ${sign} ${hidden === true ? initial : from}`;
    }
    case 'cas':
      return `${target(i.target)} := CAS(${name(i.location)}, ${expression(i.expected)}, ${expression(i.desired)})`;
    case 'mfence':
      return 'mfence';
    case 'poll':
    case 'rfence':
      return `${i.kind}(${i.node})`;
    case 'wait':
      return `wait(${i.work})`;
    case 'assume':
      return `assume(${expression(i.condition)})`;
    case 'if': {
      const rest = i.else.length === 0 ? '' : ` else ${block(i.else)}`;
      return `if (${expression(i.condition)}) ${block(i.then)}${rest}`;
    }
    case 'loop': {
      const bound = i.bound === undefined ? '' : ` bound ${i.bound}`;
      const head = i.condition === undefined ? 'loop' : `while (${expression(i.condition)})`;
      return `${head}${bound} ${block(i.body)}`;
    }
    case 'choose':
      return `choose ${i.branches.map(block).join(' or ')}`;
  }
}

const nodeOf = (i: Instruction): readonly string[] => ('node' in i ? [i.node] : []);

/** Is there a loop without a bound of its own? */
function boundMatters(threads: readonly Thread[]): boolean {
  const all = threads.flatMap((t) => [...instructionsOf(t.body)]);
  return all.some((i) => i.kind === 'loop' && i.bound === undefined);
}

function usedLocations(threads: readonly Thread[]): ReadonlySet<number> {
  const used = new Set<number>();
  const expressions = (i: Instruction): readonly Expression[] => {
    if (i.kind === 'assign') return [i.value];
    if (i.kind === 'cas') return [i.expected, i.desired];
    return 'condition' in i && i.condition !== undefined ? [i.condition] : [];
  };
  for (const i of threads.flatMap((t) => [...instructionsOf(t.body)])) {
    for (const e of expressions(i)) locationsOf(e).forEach((l) => used.add(l));
    if ('target' in i && i.target.kind === 'location') used.add(i.target.location);
    if (i.kind === 'cas') used.add(i.location);
    if (i.kind === 'get' || i.kind === 'put') used.add(i.from).add(i.to);
  }
  return used;
}

/** How many instructions a program has, those inside others included. */
export function countInstructions(program: Program): number {
  const count = (body: readonly Instruction[]): number =>
    body.reduce((sum, i) => sum + 1 + inside(i).reduce((s, b) => s + count(b), 0), 0);
  return program.threads.reduce((sum, t) => sum + count(t.body), 0);
}
