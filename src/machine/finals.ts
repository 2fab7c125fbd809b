import type { Model } from '../model/term.js';
import type { FinalState } from '../program/final.js';
import { compareStates, finalState } from '../program/final.js';
import type { Program, Subject } from '../program/program.js';
import { callsOf } from './classes.js';
import type { FlowOptions } from '../program/flow/compile.js';
import { Undefined } from './compute.js';
import type { Layers } from './form.js';
import { layoutOf } from './layout.js';
import { Machine } from './machine.js';
import { ModelRelations } from './relations.js';

export interface Finals {
  readonly states: readonly FinalState[];
  readonly explored: number;
  readonly incomplete?: string;
  readonly upTo?: number;
}

export function finalsOf(
  program: Program,
  model: Model,
  layers: Layers,
  subjects: readonly Subject[],
  options: FlowOptions,
  room: number,
  most: number,
  reduces = true,
): Finals {
  const calls = callsOf(program, options);
  const finalLocations = new Set(
    subjects.flatMap((x) => (x.kind === 'location' ? [x.location] : [])),
  );
  const layout = layoutOf(
    program,
    calls,
    room,
    program.locations.map((_, l) => finalLocations.has(l)),
  );
  const ranked = program.instructions.guesses.flatMap((g) => (g.how === 'kth' ? [g.name] : []));
  const machine = new Machine(
    layout,
    new ModelRelations(model, layers, program.instructions),
    ranked,
    {
      isKept: (thread, register) =>
        subjects.some(
          (x) => x.kind === 'register' && x.thread === thread && x.register === register,
        ),
      locations: new Set(),
      reduces,
    },
  );
  const found = new Map<string, FinalState>();
  const seen = new Set<string>();
  const open: Int32Array[] = [];
  const arrive = (): void => {
    const key = machine.s.join();
    if (seen.has(key)) return;
    seen.add(key);
    open.push(machine.s.slice());
  };
  let incomplete: string | undefined;
  try {
    machine.reset();
    if (!machine.discarded) arrive();
    for (let s = open.pop(); s !== undefined; s = open.pop()) {
      if (seen.size > most) {
        incomplete = 'state limit';
        break;
      }
      if (machine.isFinal(s)) {
        const value = (subject: Subject): number =>
          subject.kind === 'location'
            ? s[layout.memory + subject.location]
            : s[layout.slotOf(subject.thread, { kind: 'register', register: subject.register })];
        const state = finalState(program, subjects, value);
        found.set(Object.values(state).join(), state);
      }
      machine.successors(s, arrive);
    }
  } catch (error) {
    if (!(error instanceof Undefined)) throw error;
    incomplete = error.message;
  }
  return {
    states: [...found.values()].sort(compareStates),
    explored: seen.size,
    ...(incomplete === undefined ? {} : { incomplete }),
    ...(machine.cut === Infinity ? {} : { upTo: machine.cut }),
  };
}
