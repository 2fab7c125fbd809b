import type { Result, SourceFile, Span } from '../parse/diagnostics/index.js';
import { fail, ok } from '../parse/diagnostics/index.js';
import type { Arrow, Part, Path, Proof, Question, Reason } from './proof.js';
import { BACK, REASONS, questionText, reasonText } from './proof.js';

/** The version of the format of proofs: docs/proofs.md. */
export const VERSION = 2;

/** What a proof is about, as it stands in its first lines. */
export interface Heading {
  readonly test: string;
  /** Digests of the texts of the program and its libraries, and of the model. */
  readonly program: string;
  readonly model: string;
  readonly modelDigest: string;
  /** Index of the query. */
  readonly query: number;
  /** What is asked, in words of litmus files. */
  readonly asked: string;
  /** How often loops are unrolled that have no bound of their own. */
  readonly bound: number;
}

/** A proof with all that it takes to check it. */
export interface Certificate {
  readonly heading: Heading;
  /** What the numbers in it mean, line by line (listing.ts). */
  readonly listing: readonly string[];
  readonly proof: Proof;
}

export function printCertificate({ heading, listing, proof }: Certificate): string {
  return [
    `remora proof ${VERSION}`,
    `test ${heading.test}`,
    `program ${heading.program}`,
    `model ${heading.model} ${heading.modelDigest}`,
    `query ${heading.query + 1} ${heading.asked}`,
    `bound ${heading.bound}`,
    ...listing,
    'proof',
    ...proofLines(proof, 1),
    '',
  ].join('\n');
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

const stepLine = (paths: readonly Path[]): string => `  ${paths.map(pathText).join(': ')}`;

/** `8 <-rf- 0 -mo-> 4`: 8 reads from 0, and 0 is before 4 in modification order. */
const pathText = (path: Path): string =>
  path
    .map(({ name, to }) => {
      const [back, forth] = [`<-${name.slice(0, -BACK.length)}-`, `-${name}->`];
      return ` ${name.endsWith(BACK) ? back : forth} ${to}`;
    })
    .join('')
    .replace(/^/, String(path[0].from));

/** So deep may splits stand in each other. */
const DEEPEST = 2000;

/** Reads a proof; fails at the first line that is none of one. Comments behind the proof are left out. */
export function parseCertificate({ path, text }: SourceFile): Result<Certificate> {
  const lines = text.split('\n');
  let at = 0;
  let start = 0;
  try {
    const version = headed(/^remora proof (\d{1,9})$/, "'remora proof' and a version")[1];
    if (Number(version) !== VERSION) {
      at -= 1;
      start -= lines[at].length + 1;
      refuse(`version ${version} of proofs: this Remora reads version ${VERSION}`);
    }
    const [, test] = headed(/^test (.*)$/, "'test' and a name");
    const [, program] = headed(/^program (\S+)$/, "'program' and a digest");
    const [, model, modelDigest] = headed(/^model (.+) (\S+)$/, "'model', a name and a digest");
    const [, query, asked] = headed(
      /^query ([1-9]\d{0,8}) (.*)$/,
      "'query', its number and its text",
    );
    const [, bound] = headed(/^bound ([1-9]\d{0,8}|0)$/, "'bound' and a number");
    const listing: string[] = [];
    while (lines[at] !== 'proof') listing.push(headed(/^.*$/, "'proof'")[0]);
    headed(/^proof$/, "'proof'");
    const proof = proofAt(1);
    if (lines[at] !== '' && lines[at]?.startsWith('#') !== true)
      refuse('the proof is over before this line');
    const heading = {
      test,
      program,
      model,
      modelDigest,
      query: Number(query) - 1,
      asked,
      bound: Number(bound),
    };
    return ok({ heading, listing, proof });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, span } = error;
    return fail([{ span, message }]);
  }

  /** Takes the next line, which must be as described. */
  function headed(pattern: RegExp, what: string): RegExpExecArray {
    const match = at < lines.length ? pattern.exec(lines[at]) : null;
    if (match === null) refuse(`${what} should stand here`);
    start += lines[at].length + 1;
    at += 1;
    return match!;
  }

  function refuse(message: string): never {
    const end = Math.min(text.length, start + (lines[at]?.length ?? 0));
    throw new Refusal(message, { file: path, start: Math.min(start, text.length), end });
  }

  function proofAt(depth: number): Proof {
    if (depth > DEEPEST) refuse('this is too deep');
    const indent = '  '.repeat(depth);
    const words = wordsOf(
      headed(new RegExp(`^${indent}(\\S.*)$`), 'a question or a contradiction')[1],
    );
    const parts: Part[] = [];
    const steps: (readonly Path[])[] = [];
    while (lines[at]?.startsWith(`${indent}  `) === true) {
      if (parts.length === 0 && STEP.test(lines[at])) {
        steps.push(pathsOf(headed(/^ *(.*)$/, 'a step')[1]));
        continue;
      }
      const [, answer] = headed(new RegExp(`^${indent} {2}(\\d{1,9}):$`), 'an answer and a colon');
      parts.push({ answer: Number(answer), proof: proofAt(depth + 2) });
    }
    if (parts.length > 0 && steps.length > 0) back('answers do not stand below steps');
    if (parts.length > 0) return { kind: 'split', question: questionOf(words), parts };
    const reason = reasonOf(words);
    return { kind: 'leaf', reason: steps.length === 0 ? reason : { ...reason, steps } };
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
      back('numbers should stand at the end of this line');
    return { names, numbers: rest.map(Number) };
  }

  function questionOf({ names, numbers }: ReturnType<typeof wordsOf>): Question {
    return { name: names.join(' '), about: numbers };
  }

  function reasonOf({ names, numbers }: ReturnType<typeof wordsOf>): Reason {
    const kind = REASONS.find((one) => one === names[0]);
    if (kind === undefined)
      back(`a contradiction is one of ${REASONS.join(', ')}; answers of a question stand below it`);
    const [, ...name] = names;
    return { kind: kind!, ...(name.length > 0 && { name: name.join(' ') }), at: numbers };
  }

  /** Refuses the line before. */
  function back(message: string): never {
    at -= 1;
    start -= lines[at].length + 1;
    return refuse(message);
  }
}

/** A line of steps: `4 -oppo-> 6: 4 -po-> 6`. */
const STEP = /^ *\d{1,9}( (-\S+->|<-\S+-) \d{1,9})+(: \d{1,9}( (-\S+->|<-\S+-) \d{1,9})+)*$/;

const pathsOf = (line: string): readonly Path[] => line.split(': ').map(pathOf);

function pathOf(text: string): Path {
  const [first, ...rest] = text.split(' ');
  let from = Number(first);
  return Array.from({ length: rest.length / 2 }, (_, i): Arrow => {
    const [arrow, to] = [rest[2 * i], Number(rest[2 * i + 1])];
    const name = arrow.startsWith('<') ? arrow.slice(2, -1) + BACK : arrow.slice(1, -2);
    const step = { from, name, to };
    from = to;
    return step;
  });
}

class Refusal extends Error {
  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
  }
}

export const leavesOf = (proof: Proof): number =>
  proof.kind === 'leaf' ? 1 : proof.parts.reduce((sum, part) => sum + leavesOf(part.proof), 0);
