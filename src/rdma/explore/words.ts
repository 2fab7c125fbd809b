import type { LocationId } from '../../program/program.js';
import { subjectName } from '../../program/subjects.js';
import { keyOf, remoteNameOf, towardsInWords } from '../instructions.js';
import { operandsOf, withOperands } from '../update.js';
import type { Layout } from './layout.js';
import type { CardStep, Step, ThreadStep } from './step.js';

/** A step in words: `T3` `reads x = 1`. */
export interface Words {
  /** Who does it: a thread, its store buffer, a queue pair, a network card. */
  readonly actor: string;
  readonly does: string;
  /** What stands between the two, where it is no blank. */
  readonly link?: string;
  /** The same in a few words, where it is known whose step it is. */
  readonly brief: string;
}

/** The text of an operation as it is posted, with the values of its operands: `a := rcas(x^2, 0, 1)`. */
export function operationInWords(layout: Layout, step: Extract<Step, { kind: 'post' }>): string {
  const { queuePairs, requests } = layout;
  const { kind, update, from, to } = requests[step.request];
  const towards = keyOf(queuePairs[step.queuePair]);
  const place = (l: LocationId): string => placeInWords(layout, l);
  const far = (l: LocationId): string => `${place(l)}^${towards}`;
  if (kind === 'rfence') return `rfence(${towards})`;
  if (kind === 'put') return `${far(to)} := ${place(from)}`;
  if (kind === 'get') return `${place(to)} := ${far(from)}`;
  const operands = operandsOf(withOperands(update!, [step.a, step.b]));
  return `${place(to)} := ${remoteNameOf(update!)}(${[far(from), ...operands].join(', ')})`;
}

/** A location; the constant of a put has no name, and is told by its value. */
export function placeInWords({ program }: Layout, location: LocationId): string {
  const { hidden, initial } = program.locations[location];
  return hidden === true ? `${initial}` : subjectName(program, { kind: 'location', location });
}

/** The name of what a step sets: a register, or a ghost. */
export const slotInWords = (
  { nameOf, ghosts }: Layout,
  slot: number,
): { readonly name: string; readonly isGhost: boolean } => {
  const isGhost = ghosts.includes(slot);
  return { name: isGhost ? nameOf(slot) : nameOf(slot).split(':')[1], isGhost };
};

/** Undefined: nobody would want to hear of it. */
export const inWords = (layout: Layout, step: Step): Words | undefined =>
  'thread' in step ? threadInWords(layout, step) : cardInWords(layout, step);

function threadInWords(layout: Layout, step: ThreadStep): Words | undefined {
  const { program, queuePairs, hardware } = layout;
  const place = (location: LocationId): string => placeInWords(layout, location);
  const { name: thread } = program.threads[step.thread];
  const by = (does: string, brief: string): Words => ({ actor: thread, does, brief });
  switch (step.kind) {
    case 'set': {
      const { name, isGhost } = slotInWords(layout, step.slot);
      const what = `${isGhost ? `ghost ${name}` : name} = ${step.value}`;
      return by(`sets ${what}`, what);
    }
    case 'assertion':
      return { ...by('assertion fails', 'assertion fails'), link: `'s ` };
    case 'pass':
      return step.mark === '' ? undefined : by(`is at ${step.mark}`, step.mark);
    case 'leave':
      return step.mark === '' ? undefined : by(`leaves ${step.mark}`, `leaves ${step.mark}`);
    case 'read': {
      const what = `${place(step.location)} = ${step.value}`;
      return by(`reads ${what}${step.buffered ? ' in its store buffer' : ''}`, `reads ${what}`);
    }
    case 'write': {
      const what = `${place(step.location)} := ${step.value}`;
      return by(`writes ${what} to ${hardware.storeBuffers ? 'its store buffer' : 'memory'}`, what);
    }
    case 'drain': {
      const what = `${place(step.location)} := ${step.value}`;
      const does = `writes ${what} to memory`;
      return { actor: `${thread}'s store buffer`, does, brief: what };
    }
    case 'update': {
      const word = step.update === 'cas' ? 'CAS' : step.update;
      const found = `${word} finds ${place(step.location)} = ${step.found}`;
      const { value } = step;
      const does =
        value === undefined
          ? `${found}, not ${step.expected}`
          : `${found} and writes ${value} to memory`;
      const effect = `${step.found}${value === undefined ? '' : ` → ${value}`}`;
      return { ...by(does, `${word}(${place(step.location)}): ${effect}`), link: `'s ` };
    }
    case 'mfence':
      return by('passes its mfence', 'mfence');
    case 'poll':
      return by(
        `polls a completion from ${towardsInWords(queuePairs[step.queuePair])}`,
        `poll(${keyOf(queuePairs[step.queuePair])})`,
      );
    case 'post': {
      const what = operationInWords(layout, step);
      return by(`posts ${what}`, what);
    }
  }
}

function cardInWords(layout: Layout, step: CardStep): Words | undefined {
  const { program, queuePairs } = layout;
  const queuePair = queuePairs[step.queuePair];
  const { name: thread } = program.threads[queuePair.thread];
  const by = (does: string, brief: string): Words => ({
    actor: `${thread}->${keyOf(queuePair)}`,
    does,
    brief,
  });
  switch (step.kind) {
    case 'rfence':
      return by('is done with a remote fence', 'rfence');
    case 'acknowledge':
    case 'answer':
      return undefined;
    case 'read-local':
    case 'read-remote': {
      if (program.locations[step.location].hidden === true) return undefined;
      const what = `reads ${placeInWords(layout, step.location)} = ${step.value}`;
      return by(what, what);
    }
    case 'deliver': {
      const what = `${placeInWords(layout, step.location)} := ${step.value}`;
      return by(`delivers ${what} to wbR`, `${what} in wbR`);
    }
    case 'flush-remote':
    case 'flush-local': {
      const what = `${placeInWords(layout, step.location)} := ${step.value}`;
      return by(`writes ${what} to memory`, what);
    }
    case 'perform': {
      const { update, found, value } = step;
      const what = `${remoteNameOf(update)}(${placeInWords(layout, step.location)})`;
      return {
        actor: `the NIC of node ${queuePair.node}`,
        does: `performs ${thread}'s ${what}: reads ${found}, writes ${value ?? 'nothing'}`,
        brief: `${what}: ${found}${value === undefined ? '' : ` → ${value}`}`,
      };
    }
  }
}
