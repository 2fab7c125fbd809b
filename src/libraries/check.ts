import type { Diagnostic, Mistake, Report } from '../parse/diagnostics/index.js';
import { didYouMean, mistakesInOrder, withHints } from '../parse/diagnostics/index.js';
import type { Held, HeldObjects, ImplementationFile, Method } from '../parse/implementation-ast.js';
import type { Ident, NameRef, Statement } from '../parse/litmus-ast.js';
import { statementsOf } from '../parse/statements.js';
import { alwaysReturns, mayReturn } from './results.js';

/** The library whose calls are the plain instructions of litmus files (LOCO paper, RDMA^WAIT). */
export const BASE = 'rl';

/** How a library says that a method is called. */
export interface MethodShape {
  readonly name: string;
  /** The number of arguments between the parentheses. */
  readonly parameters: number;
  /** Does the call have a place left of `:=` that it writes? */
  readonly into: boolean;
  /** May the call have a work identifier, `:=^d`? */
  readonly work: boolean;
  readonly result: boolean;
}

/**
 * What is wrong with an implementation, whatever its client (LOCO paper, Def. 3.9): it must call all libraries that it
 * is over, and no others; it must not return from inside a loop; a method with a result must return on every path; and
 * methods must have no marks for queries about runs.
 *
 * @returns the mistakes in order of place
 */
export function checkImplementation(implementation: ImplementationFile): readonly Diagnostic[] {
  const errors: Mistake[] = [];
  const report: Report = (span, message, hint) => errors.push({ span, message, hint });
  checkCalls(implementation, report);
  for (const method of implementation.methods) checkMethod(method, report);
  return withHints(mistakesInOrder(errors));
}

/**
 * Finds where the methods of an implementation differ from those of its library.
 *
 * @param shapes the methods of the library
 * @returns the mistakes in order of place
 */
export function checkMethods(
  { name, implements: library, methods }: ImplementationFile,
  shapes: readonly MethodShape[],
): readonly Diagnostic[] {
  const errors: Mistake[] = [];
  const known = shapes.map((s) => s.name);
  const missing = known.filter((one) => !methods.some((m) => m.name.text === one));
  if (missing.length > 0) {
    const message = `${name.text} has no method ${missing.map((m) => `'${m}'`).join(', ')}`;
    const hint = `${library.text} has the methods ${known.join(', ')}`;
    errors.push({ span: library.span, message, hint });
  }
  for (const method of methods) {
    const { text, span } = method.name;
    const shape = shapes.find((s) => s.name === text);
    if (shape === undefined) {
      const hint = () => didYouMean(text, known) ?? `its methods are ${known.join(', ')}`;
      errors.push({ span, message: `${library.text} has no method '${text}'`, hint });
    } else if (!fits(method, shape)) {
      const message = `'${text}' of ${library.text} is called in another way`;
      errors.push({ span: method.span, message, hint: `write ${headOf(shape)}` });
    } else if (shape.result !== mayReturn(method.body)) {
      const message = shape.result
        ? `'${text}' of ${library.text} has a result, and this returns none`
        : `'${text}' of ${library.text} has no result, and this returns one`;
      errors.push({ span: method.span, message });
    }
  }
  return withHints(mistakesInOrder(errors));
}

/** Finds marks that name no stamp. The known stamps are those of the library's calls. */
export function checkMarks(
  { methods }: ImplementationFile,
  stamps: readonly string[],
): readonly Diagnostic[] {
  const marks = methods.flatMap(({ body }) =>
    [...statementsOf(body)].flatMap((s) =>
      s.kind === 'assign' || s.kind === 'call' ? (s.stands ?? []) : [],
    ),
  );
  return marks
    .filter(({ text }) => !stamps.includes(text))
    .map(({ text, span }) => ({
      span,
      message: `no stamp '${text}'`,
      hint: didYouMean(text, stamps) ?? `there are ${stamps.join(', ')}`,
    }));
}

const fits = ({ parameters, into, work }: Method, shape: MethodShape): boolean =>
  parameters.length === shape.parameters &&
  (into !== undefined) === shape.into &&
  (work !== undefined) === shape.work;

function headOf({ name, parameters, into, work }: MethodShape): string {
  const given = Array.from({ length: parameters }, (_, i) => String.fromCharCode(97 + i));
  return `${name}(${given.join(', ')})${into ? ' into y' : ''}${work ? ' work d' : ''}`;
}

function checkCalls(implementation: ImplementationFile, report: Report): void {
  const { name, implements: own, over, methods, perObject, once } = implementation;
  const known = over.map(({ text }) => text);
  if (known.includes(own.text)) {
    report(own.span, `${name.text} is an implementation of ${own.text} over ${own.text} itself`);
  }
  const called = new Set<string>();
  const use = (library: string, { span }: Pick<Ident, 'span'>): void => {
    called.add(library);
    if (known.includes(library)) return;
    const what = library === BASE ? 'plain instructions and locations are of' : 'this is of';
    const hint = `write implements ${own.text} over ${[...known, library].join(', ')}`;
    report(span, `${what} '${library}', which ${name.text} is not over`, hint);
  };
  const held = heldIn([...perObject.flatMap((each) => each.held), ...once]);
  for (const one of held.objects) {
    if (!known.includes(one.library.text)) use(one.library.text, one.library);
  }
  for (const s of methods.flatMap(({ body }) => [...statementsOf(body)])) {
    if (s.kind === 'call') use(s.library?.text ?? BASE, s.library ?? s);
    else if (s.kind === 'assign' && isInstruction(s, held.locations)) use(BASE, s);
    else if (s.kind === 'return' && readsOf(s).some((ref) => held.locations.has(ref.name.text)))
      use(BASE, s);
  }
  for (const { text, span } of over) {
    if (called.has(text)) continue;
    report(span, `${name.text} does not call '${text}'`, 'leave it out');
  }
}

/** The names that are held, without the `for`s around them. */
export function heldIn(held: readonly Held[]): {
  readonly objects: readonly HeldObjects[];
  readonly locations: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
} {
  const flat = (one: Held): readonly Exclude<Held, { kind: 'for' }>[] =>
    one.kind === 'for' ? one.body.flatMap(flat) : [one];
  const all = held.flatMap(flat);
  const objects = all.filter((one) => one.kind === 'objects');
  const places = all.flatMap((one) => (one.kind === 'locations' ? one.locations : []));
  const locations = places.map(({ name }) => name.name.text);
  const names = [...objects.flatMap((one) => one.names.map(({ name }) => name.text)), ...locations];
  return { objects, locations: new Set(locations), names: new Set(names) };
}

/** All names in a body, whatever they mean. */
export function namesUsed(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = 'text' in part && typeof part.text === 'string' ? [part.text] : [];
  return [...own, ...Object.values(part).flatMap(namesUsed)];
}

/** Does an assignment access memory? Assignments of registers belong to no library. */
function isInstruction(
  s: Extract<Statement, { kind: 'assign' }>,
  locations: ReadonlySet<string>,
): boolean {
  const names = [s.target, ...readsOf(s)];
  return (
    s.work !== undefined || names.some((r) => r.node !== undefined || locations.has(r.name.text))
  );
}

/** The names in the value of a statement. */
function readsOf({ value }: { readonly value: object }): readonly NameRef[] {
  if ('kind' in value && value.kind === 'ref' && 'ref' in value) return [value.ref as NameRef];
  return Object.values(value).flatMap((part: unknown) =>
    typeof part === 'object' && part !== null ? readsOf({ value: part }) : [],
  );
}

function checkMethod({ name, body }: Method, report: Report): void {
  for (const s of statementsOf(body)) {
    switch (s.kind) {
      case 'while':
      case 'loop': {
        const inside = [...statementsOf(s.body)].find(({ kind }) => kind === 'return');
        const hint = 'remember the result in a register, and return behind the loop';
        if (inside !== undefined)
          report(inside.span, 'a method does not return from inside of a loop', hint);
        break;
      }
      case 'critical':
      case 'point':
      case 'ghost':
      case 'assert':
        report(s.span, 'a method has no marks of proofs: they are for clients');
        break;
      case 'for':
      case 'if':
      case 'choose':
      case 'assign':
      case 'call':
      case 'skip':
      case 'assume':
      case 'inlined':
      case 'return':
        break;
    }
  }
  if (mayReturn(body) && !alwaysReturns(body)) {
    report(name.span, `'${name.text}' has a result on some paths only`, 'end it with a `return`');
  }
}
