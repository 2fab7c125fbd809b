import { enumerate } from '../../src/check/decide.js';
import type { Test } from '../../src/program/program.js';
import { adapted, modelOf, newSolver } from './checker.js';

/** The final values of all locations that are no thread's own, and of the registers whose names files have. */
export function search(test: Test, name: string): readonly string[] {
  const model = modelOf(name);
  const asked = adapted(test, model);
  const { program } = asked;
  const subjects = [
    ...program.locations.flatMap((l, location) =>
      l.owner === undefined && l.hidden !== true ? [{ kind: 'location', location } as const] : [],
    ),
    ...program.threads.flatMap((t, thread) =>
      t.registers.flatMap((r, register) =>
        /^[a-e]$/.test(r) ? [{ kind: 'register', thread, register } as const] : [],
      ),
    ),
  ];
  const { states } = enumerate(asked, model, newSolver, subjects, 4);
  return [...new Set(states.map((state) => JSON.stringify(Object.entries(state).sort())))].sort();
}
