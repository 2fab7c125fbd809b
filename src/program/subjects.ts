import { isStateQuery } from './program.js';
import type { Program, Proposition, Subject, Test } from './program.js';

/** Everything in a program that has a final value and a name for users: all but hidden locations. */
export function allSubjects(program: Program): readonly Subject[] {
  const subjects: Subject[] = [];
  program.locations.forEach((l, location) => {
    if (l.hidden !== true) subjects.push({ kind: 'location', location });
  });
  program.threads.forEach((t, thread) => {
    t.registers.forEach((_, register) => subjects.push({ kind: 'register', thread, register }));
  });
  return subjects;
}

/** Adds the subjects that a condition names, one for each occurrence. */
export function collect<S>(condition: Proposition<S>, into: S[]): void {
  switch (condition.kind) {
    case 'true':
      return;
    case 'atom':
      into.push(condition.left);
      if (!isNumber(condition.right)) into.push(condition.right);
      return;
    case 'not':
      return collect(condition.arg, into);
    case 'and':
    case 'or':
      collect(condition.left, into);
      collect(condition.right, into);
  }
}

const isNumber = <S>(
  right: Extract<Proposition<S>, { kind: 'atom' }>['right'],
): right is { readonly kind: 'int'; readonly value: number } =>
  (right as { readonly kind: string }).kind === 'int';

/**
 * The subjects that the queries and other conditions of a test name, each once, in order; all subjects if none is
 * named.
 */
export function observedSubjects({
  program,
  queries,
  filter,
  listed = [],
}: Pick<Test, 'program' | 'queries' | 'filter' | 'listed'>): readonly Subject[] {
  const mentioned: Subject[] = [];
  for (const query of queries) if (isStateQuery(query)) collect(query.condition, mentioned);
  if (filter !== undefined) collect(filter, mentioned);
  mentioned.push(...listed);
  const names = new Set<string>();
  const distinct = mentioned.filter((s) => {
    const key = subjectName(program, s, true);
    return !names.has(key) && names.add(key);
  });
  return distinct.length === 0 ? allSubjects(program) : distinct;
}

/**
 * The name of a subject as queries write it: `x`, or `a` for a private name that only one thread
 * has, or `T2:a` (always, where `qualified`).
 */
export function subjectName(program: Program, subject: Subject, qualified = false): string {
  const { owner, name } = privateName(program, subject);
  if (owner === undefined) return name;
  const shared =
    program.locations.some((l) => l.owner !== undefined && l.owner !== owner && l.name === name) ||
    program.threads.some((t, i) => i !== owner && t.registers.includes(name));
  return qualified || shared ? `${program.threads[owner].name}:${name}` : name;
}

/** A subject's bare name and, if it is private, the index of its thread. */
export function privateName(
  program: Program,
  subject: Subject,
): { readonly owner: number | undefined; readonly name: string } {
  if (subject.kind === 'location') {
    const { owner, name } = program.locations[subject.location];
    return { owner, name };
  }
  const { thread, register } = subject;
  return { owner: thread, name: program.threads[thread].registers[register] };
}
