import type { Result, SourceFile } from '../parse/diagnostics/index.js';
import { fail, ok } from '../parse/diagnostics/index.js';
import type { Head } from './heading.js';
import { headAt, headLines } from './heading.js';
import { Lines, ListingRefusal } from './lines.js';
import type { ProofArrow, Part, ArrowPath, Proof, ProofQuestion, Reason } from './proof.js';
import { BACK, REASONS, questionText, reasonText } from './proof.js';

/** The version of the format of proofs: docs/proofs.md. */
export const VERSION = 2;

/** A proof with everything that is needed to check it. */
export interface Certificate extends Head {
  readonly proof: Proof;
}

export function printCertificate({ proof, ...head }: Certificate): string {
  return [...headLines('proof', VERSION, head), 'proof', ...proofLines(proof, 1), ''].join('\n');
}

function proofLines(proof: Proof, depth: number): readonly string[] {
  const indent = '  '.repeat(depth);
  if (proof.kind === 'leaf') {
    const steps = proof.reason.steps?.map(stepLine) ?? [];
    return [reasonText(proof.reason), ...steps].map((line) => `${indent}${line}`);
  }
  const parts = proof.parts.flatMap((part) => [
    `${indent}  ${part.answer}:`,
    ...proofLines(part.proof, depth + 2),
  ]);
  return [`${indent}${questionText(proof.question)}`, ...parts];
}

const stepLine = (paths: readonly ArrowPath[]): string => `  ${paths.map(pathText).join(': ')}`;

/** `8 <-rf- 0 -mo-> 4`: 8 reads from 0, and 0 is before 4 in modification order. */
const pathText = (path: ArrowPath): string =>
  path
    .map(({ name, to }) => {
      const [back, forth] = [`<-${name.slice(0, -BACK.length)}-`, `-${name}->`];
      return ` ${name.endsWith(BACK) ? back : forth} ${to}`;
    })
    .join('')
    .replace(/^/, String(path[0].from));

/** The deepest nesting of splits. */
const DEEPEST = 2000;

/** Reads a proof; fails at the first line that is wrong. Comments after the proof are left out. */
export function parseCertificate(source: SourceFile): Result<Certificate> {
  const lines = new Lines(source);
  try {
    const head = headAt(lines, 'proof', VERSION);
    lines.take(/^proof$/, "'proof'");
    const proof = proofAt(lines, 1);
    if (lines.next !== '' && lines.next?.startsWith('#') !== true)
      lines.refuse('the proof is over before this line');
    return ok({ ...head, proof });
  } catch (error) {
    if (!(error instanceof ListingRefusal)) throw error;
    const { message, span } = error;
    return fail([{ span, message }]);
  }
}

function proofAt(lines: Lines, depth: number): Proof {
  if (depth > DEEPEST) lines.refuse('this is too deep');
  const indent = '  '.repeat(depth);
  const words = wordsOf(
    lines,
    lines.take(new RegExp(`^${indent}(\\S.*)$`), 'a question or a contradiction')[1],
  );
  const parts: Part[] = [];
  const steps: (readonly ArrowPath[])[] = [];
  while (lines.next?.startsWith(`${indent}  `) === true) {
    if (parts.length === 0 && STEP.test(lines.next)) {
      steps.push(pathsOf(lines.take(/^ *(.*)$/, 'a step')[1]));
      continue;
    }
    const [, answer] = lines.take(
      new RegExp(`^${indent} {2}(\\d{1,9}):$`),
      'an answer and a colon',
    );
    parts.push({ answer: Number(answer), proof: proofAt(lines, depth + 2) });
  }
  if (parts.length > 0 && steps.length > 0) lines.refuseLast('answers do not stand below steps');
  if (parts.length > 0) return { kind: 'split', question: questionOf(words), parts };
  const reason = reasonOf(lines, words);
  return { kind: 'leaf', reason: steps.length === 0 ? reason : { ...reason, steps } };
}

/** The words of a line, and the numbers at its end. */
interface Words {
  readonly names: readonly string[];
  readonly numbers: readonly number[];
}

function wordsOf(lines: Lines, line: string): Words {
  const words = line.split(' ');
  const first = words.findIndex((word) => /^\d{1,9}$/.test(word));
  const names = first < 0 ? words : words.slice(0, first);
  const rest = first < 0 ? [] : words.slice(first);
  if (!rest.every((word) => /^\d{1,9}$/.test(word)))
    lines.refuseLast('numbers should stand at the end of this line');
  return { names, numbers: rest.map(Number) };
}

const questionOf = ({ names, numbers }: Words): ProofQuestion => ({
  name: names.join(' '),
  about: numbers,
});

function reasonOf(lines: Lines, { names, numbers }: Words): Reason {
  const kind = REASONS.find((one) => one === names[0]);
  if (kind === undefined)
    lines.refuseLast(
      `a contradiction is one of ${REASONS.join(', ')}; answers of a question stand below it`,
    );
  const [, ...name] = names;
  return { kind: kind!, ...(name.length > 0 && { name: name.join(' ') }), at: numbers };
}

/** A line of steps: `4 -oppo-> 6: 4 -po-> 6`. */
const STEP = /^ *\d{1,9}( (-\S+->|<-\S+-) \d{1,9})+(: \d{1,9}( (-\S+->|<-\S+-) \d{1,9})+)*$/;

const pathsOf = (line: string): readonly ArrowPath[] => line.split(': ').map(pathOf);

function pathOf(text: string): ArrowPath {
  const [first, ...rest] = text.split(' ');
  let from = Number(first);
  return Array.from({ length: rest.length / 2 }, (_, i): ProofArrow => {
    const [arrow, to] = [rest[2 * i], Number(rest[2 * i + 1])];
    const name = arrow.startsWith('<') ? arrow.slice(2, -1) + BACK : arrow.slice(1, -2);
    const step = { from, name, to };
    from = to;
    return step;
  });
}

export const leavesOf = (proof: Proof): number =>
  proof.kind === 'leaf' ? 1 : proof.parts.reduce((sum, part) => sum + leavesOf(part.proof), 0);
