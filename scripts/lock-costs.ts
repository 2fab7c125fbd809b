// What a lock costs: how many remote operations a thread issues from `at enter` to the end of its round, without those of its
// critical section (ALock paper, §3.1: a lone remote thread needs four). A ghost counts them, in a copy of the file.

/** As far as counts are told apart. A round that costs as much has a loop that asks another node again and again. */
export const MOST = 12;

/** Whose rounds are counted, and whether the other threads are there. */
export interface Payer {
  readonly thread: string;
  readonly alone: boolean;
}

interface Block {
  /** `thread T1 on 1 `, or `threads T[i in 2..3] on i `. */
  readonly head: string;
  /** From brace to brace. */
  readonly body: string;
}

/** Remote operations: assignments to a place of a node, or from one. */
const PLACE = String.raw`\w+(?:\[[^\]]*\])?`;
const NODE = String.raw`\^(?:\w+|\([^)]*\))`;
const OPERATION = new RegExp(`${PLACE}(?:${NODE} := [^;{}]*|(?<!\\^) := [^;{}]*\\^[^;{}]*)`, 'g');

/** A program that counts the rounds of a thread, and asks for each number whether a round may cost as much. */
export function countingCosts(text: string, { thread, alone }: Payer): string {
  const all = blocks(text);
  const payer = all.find((block) => payerOf(block, thread) !== undefined);
  if (payer === undefined) throw new Error(`there is no ${thread}`);
  const own = Number(/\d+$/.exec(thread)![0]);
  const head = alone ? payer.head.replace(/\d+\.\.\d+/, `${own}..${own}`) : payer.head;
  return [
    text.slice(0, text.search(/^threads? /m)),
    'ghost cost = 0\nghost spent = -1\n',
    ...(alone ? [] : all.filter((block) => block !== payer)).map((b) => b.head + b.body),
    head + counting(payer.body, payerOf(payer, thread)!),
    ...Array.from({ length: MOST + 1 }, (_, n) => `never (spent = ${n})`),
  ].join('\n');
}

/** The loops of a thread that issue remote operations before its critical section, and those operations. */
export function remoteLoops(text: string, thread: string): readonly string[] {
  const { body } = blocks(text).find((block) => payerOf(block, thread) !== undefined)!;
  const before = body.slice(body.indexOf('at enter;'), body.indexOf('critical '));
  const loops = [...before.matchAll(/while \([^{]*\{/g)].map(({ 0: head, index }) =>
    braced(before, index + head.length - 1),
  );
  return [...new Set(loops.flatMap((loop) => loop.match(OPERATION) ?? []))];
}

const blocks = (text: string): readonly Block[] =>
  [...text.matchAll(/^threads? [^{]*/gm)].map(({ 0: head, index }) => ({
    head,
    body: braced(text, index + head.length),
  }));

/** From one brace to the one that closes it. */
function braced(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  throw new Error('a brace is not closed');
}

/** Is the block this thread's? An expression that says so among the members of a family. */
function payerOf({ head }: Block, thread: string): string | undefined {
  const family = /^threads (\w+)\[(\w+) in (\d+)\.\.(\d+)\]/.exec(head);
  if (family === null) return head.startsWith(`thread ${thread} `) ? '1' : undefined;
  const [, name, index, first, last] = family;
  const own = Number(thread.slice(name.length));
  const isMember = thread.startsWith(name) && own >= Number(first) && own <= Number(last);
  return isMember ? `(${index} = ${own})` : undefined;
}

/** A body with the ghosts: `cost` counts, and `spent` has the count of a round that has ended, for the length of a step. */
function counting(body: string, own: string): string {
  const count = (part: string): string =>
    part.replace(
      OPERATION,
      (op) => `${op.trimEnd()}; ghost cost := cost + ${own} * (cost < ${MOST})`,
    );
  const critical = body.indexOf('critical ');
  const inside = braced(body, body.indexOf('{', critical));
  const after = body.slice(body.indexOf('{', critical) + inside.length);
  const end = after.search(/\s*\}\s*\}\s*$/);
  const spent = `ghost spent := spent * !${own} + cost * ${own}; zz := 0`;
  const clear = `ghost spent := spent * !${own} - ${own}; ghost cost := cost * !${own};`;
  const before = count(body.slice(0, critical)).replace('at enter;', `${clear} at enter;`);
  const rest = count(after.slice(0, end)).trimEnd();
  return `${before}critical c { skip }${rest}${rest.endsWith('}') ? '' : ';'} ${spent}${after.slice(end)}`;
}
