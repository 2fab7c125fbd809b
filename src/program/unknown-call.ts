import type { Report } from '../parse/diagnostics/index.js';
import { callSetName } from '../model/instructions/library.js';
import { operationsOf } from '../model/instructions/operations.js';
import type { InstructionSet, Operation } from '../model/instructions/set.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { CallStatement, Ident } from '../parse/litmus-ast.js';
import { verbHint } from '../parse/litmus-verbs.js';
import { formOf } from './call-forms.js';

const CALLED = 'LIBRARY.name(…)';

const WHERE = 'docs/litmus.md lists the instructions, and docs/verbs.md says how verbs are written';

/** Words that begin an instruction and are not operations. */
const CONTROL = ['assume', 'if', 'while', 'loop', 'choose', 'skip'];

/** Those tags of a call that its operation takes; the others are reported. A call has at most one form. */
export function checkedCallTags(
  name: string,
  given: readonly Ident[],
  set: InstructionSet,
  report: Report,
): readonly string[] {
  const { takes } = operationsOf(set);
  const forms = set.operations.flatMap((o) => (o.name === name ? (o.tag ?? []) : []));
  const known: string[] = [];
  for (const { text, span } of given) {
    if (set.tags.some((tag) => tag.name === text && tag.on === 'node')) {
      report(span, `[${text}] is said of a node`, `node 1 [${text}] { … }`);
      continue;
    }
    const form = forms.includes(text) ? known.find((one) => forms.includes(one)) : undefined;
    if (!takes(name, text)) {
      const likely = set.tags.map((tag) => tag.name).filter((tag) => takes(name, tag));
      report(span, `\`${name}\` has no form [${text}]`, didYouMean(text, likely));
    } else if (known.includes(text)) report(span, `the tag [${text}] is there already`);
    else if (form !== undefined) {
      report(span, `[${form}] and [${text}] are two forms of \`${name}\`: a call has one`);
    } else known.push(text);
  }
  return known;
}

/** Reports that a library has no such operation. */
export function reportMethod(
  operations: readonly Operation[],
  { name }: CallStatement,
  library: string,
  report: Report,
): void {
  const own = operations.flatMap((o) =>
    o.library === library ? [callSetName(o)!.slice(library.length + 1)] : [],
  );
  const hint = () => didYouMean(name.text, own) ?? `there are ${own.join(', ')}`;
  report(name.span, `library ${library} has no operation '${name.text}'`, hint);
}

/** The hint for an unknown call in a client: the operation of a library with this name. */
function methodHint(name: string, { operations, libraries }: InstructionSet): string {
  const named = operations.filter((o) => callSetName(o) === `${o.library}.${name}`);
  if (named.length > 0) return `write ${named.map(formOf).join(' or ')}`;
  const plain = new Set(libraries.flatMap((one) => (one.plain ? [one.name] : [])));
  const own = operations.filter((o) => plain.has(o.library ?? '')).map((o) => o.name);
  const guess = didYouMean(name, own);
  return guess ?? `there are ${own.join(', ')}, and those of libraries: ${CALLED}`;
}

/** Reports an unknown operation, with what may be meant. */
export function reportUnknown(
  instructions: InstructionSet,
  { name, tags = [], arguments: given, target }: CallStatement,
  report: Report,
): void {
  const { operations, libraries } = instructions;
  const tagged = operations.flatMap((o) => (o.name === name.text ? (o.tag ?? []) : []));
  if (tagged.length > 0) {
    const wrong = tags.find(({ text }) => !tagged.includes(text));
    const all = `there are ${tagged.map((tag) => `${name.text} [${tag}]`).join(', ')}`;
    return wrong === undefined
      ? report(name.span, `\`${name.text}\` is an instruction with a form only`, all)
      : report(
          wrong.span,
          `\`${name.text}\` has no form [${wrong.text}]`,
          () => didYouMean(wrong.text, tagged) ?? all,
        );
  }
  const takes = (o: Operation): boolean =>
    (given === undefined ? o.parameters.length === 0 : o.parameters.length > 0) &&
    (target === undefined) === (o.result === undefined && o.into === undefined);
  const likely = operations.filter(takes).map((o) => o.name);
  const what = target === undefined ? 'instruction' : 'function';
  const message = `unknown ${what} '${name.text}'`;
  if (libraries.length > 0) {
    return report(name.span, message, () => methodHint(name.text, instructions));
  }
  if (target !== undefined) {
    const forms = operations.filter((o) => takes(o) && o.parameters.length > 1).map(formOf);
    // `cas(y^2, 0, 1)` is meant for an operation of the network, even if another name is closer.
    const isRemote = given?.some((one) => one.kind === 'ref' && one.ref.node !== undefined);
    const meant = !isRemote
      ? likely
      : operations
          .filter((o) => takes(o) && o.parameters.some(({ kind }) => kind === 'remote'))
          .map((o) => o.name);
    const guess = didYouMean(name.text, meant);
    if (guess !== undefined) return report(name.span, message, guess);
    const known = verbHint(name.text);
    return report(name.span, known?.message ?? message, known?.hint ?? functionsHint(forms));
  }
  const known = verbHint(name.text);
  if (known !== undefined) return report(name.span, known.message, known.hint);
  const all = operations.map((o) => o.name);
  const guess = (): string | undefined =>
    didYouMean(name.text, [...likely, ...CONTROL]) ?? didYouMean(name.text, all);
  report(name.span, message, () => guess() ?? WHERE);
}

const functionsHint = (forms: readonly string[]): string =>
  forms.length === 1 ? `the one function is ${forms[0]}` : `there are ${forms.join(', ')}`;
