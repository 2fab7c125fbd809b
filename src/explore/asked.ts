import type { Slot } from '../machine/compute.js';
import type { Asked, Layout } from '../machine/layout.js';
import type { RunSubject, Subject } from '../program/program.js';

/** What questions about final states ask. */
export function askedAtEnd(subjects: readonly Subject[]): Omit<Asked, 'reduces'> {
  const wanted = new Set(subjects.map(keyOf));
  return {
    isKept: (thread, register) => wanted.has(keyOf({ kind: 'register', thread, register })),
    isWatched: () => false,
    isFinal: (location) => wanted.has(keyOf({ kind: 'location', location })),
    locations: new Set(),
    waits: [],
  };
}

/** What questions about all states ask. */
export function askedAlways(subjects: readonly RunSubject[]): Omit<Asked, 'reduces'> {
  const wanted = new Set(subjects.map(keyOf));
  const isWatched: Asked['isWatched'] = (thread, register) =>
    wanted.has(keyOf({ kind: 'register', thread, register }));
  return {
    ...{ isKept: isWatched, isWatched, isFinal: () => false, waits: [] },
    locations: new Set(subjects.flatMap((s) => (s.kind === 'location' ? [s.location] : []))),
  };
}

function keyOf(subject: RunSubject): string {
  switch (subject.kind) {
    case 'location':
      return `${subject.location}`;
    case 'register':
      return `${subject.thread}:${subject.register}`;
    case 'ghost':
      return `ghost ${subject.ghost}`;
  }
}

/** Where the value of a subject is in a state. */
export function slotOf(layout: Layout, subject: RunSubject): Slot {
  switch (subject.kind) {
    case 'location':
      return layout.memory + subject.location;
    case 'register':
      return layout.slotOf(subject.thread, { kind: 'register', register: subject.register });
    case 'ghost':
      return layout.ghosts + subject.ghost;
  }
}

/** Values in a state, by subject. */
export const subjectValues =
  (layout: Layout, s: Int32Array) =>
  (subject: RunSubject): number =>
    s[slotOf(layout, subject)];
