import type { Result, SourceFile } from '../parse/diagnostics/index.js';
import { fail, ok } from '../parse/diagnostics/index.js';
import type { Head } from './heading.js';
import { headAt, headLines } from './heading.js';
import { Lines, Refusal } from './lines.js';
import type { Part, Proof, Question, Reason } from './proof.js';
import { REASONS, questionText, reasonText } from './proof.js';

/** The version of the format of proofs: docs/proofs.md. */
const VERSION = 1;

/** A proof with all that it takes to check it. */
export interface Certificate extends Head {
  readonly proof: Proof;
}

export function printCertificate({ proof, ...head }: Certificate): string {
  return [...headLines('proof', VERSION, head), 'proof', ...proofLines(proof, 1), ''].join('\n');
}

function proofLines(proof: Proof, depth: number): readonly string[] {
  const indent = '  '.repeat(depth);
  if (proof.kind === 'leaf') return [`${indent}${reasonText(proof.reason)}`];
  const parts = proof.parts.flatMap((part) => [
    `${indent}  ${part.answer}:`,
    ...proofLines(part.proof, depth + 2),
  ]);
  return [`${indent}${questionText(proof.question)}`, ...parts];
}

/** So deep may splits stand in each other. */
const DEEPEST = 2000;

/** Reads a proof; fails at the first line that is none of one. Comments behind the proof are left out. */
export function parseCertificate(source: SourceFile): Result<Certificate> {
  const lines = new Lines(source);
  try {
    const head = headAt(lines, 'proof', VERSION);
    lines.take(/^proof$/, "'proof'");
    const proof = proofAt(1);
    if (lines.next !== '' && lines.next?.startsWith('#') !== true)
      lines.refuse('the proof is over before this line');
    return ok({ ...head, proof });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, span } = error;
    return fail([{ span, message }]);
  }

  function proofAt(depth: number): Proof {
    if (depth > DEEPEST) lines.refuse('this is too deep');
    const indent = '  '.repeat(depth);
    const words = wordsOf(
      lines.take(new RegExp(`^${indent}(\\S.*)$`), 'a question or a contradiction')[1],
    );
    const parts: Part[] = [];
    while (lines.next?.startsWith(`${indent}  `) === true) {
      const [, answer] = lines.take(
        new RegExp(`^${indent} {2}(\\d{1,9}):$`),
        'an answer and a colon',
      );
      parts.push({ answer: Number(answer), proof: proofAt(depth + 2) });
    }
    if (parts.length > 0) return { kind: 'split', question: questionOf(words), parts };
    return { kind: 'leaf', reason: reasonOf(words) };
  }

  function wordsOf(line: string): {
    readonly names: readonly string[];
    readonly numbers: readonly number[];
  } {
    const words = line.split(' ');
    const first = words.findIndex((word) => /^\d{1,9}$/.test(word));
    const names = first < 0 ? words : words.slice(0, first);
    const rest = first < 0 ? [] : words.slice(first);
    if (!rest.every((word) => /^\d{1,9}$/.test(word)))
      lines.refuseLast('numbers should stand at the end of this line');
    return { names, numbers: rest.map(Number) };
  }

  function questionOf({ names, numbers }: ReturnType<typeof wordsOf>): Question {
    return { name: names.join(' '), about: numbers };
  }

  function reasonOf({ names, numbers }: ReturnType<typeof wordsOf>): Reason {
    const kind = REASONS.find((one) => one === names[0]);
    if (kind === undefined)
      lines.refuseLast(
        `a contradiction is one of ${REASONS.join(', ')}; answers of a question stand below it`,
      );
    const [, ...name] = names;
    return { kind: kind!, ...(name.length > 0 && { name: name.join(' ') }), at: numbers };
  }
}

export const leavesOf = (proof: Proof): number =>
  proof.kind === 'leaf' ? 1 : proof.parts.reduce((sum, part) => sum + leavesOf(part.proof), 0);
