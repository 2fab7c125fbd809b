import type { RunStep } from '../../check/result.js';
import type { LocationId } from '../../program/program.js';
import { keyOf } from '../instructions.js';
import type { Layout } from './layout.js';
import type { Step } from './step.js';
import { inWords, operationInWords, placeInWords, slotInWords } from './words.js';

/** A remote operation on its way. */
interface Operation {
  readonly text: string;
  /** The last step of it that is told. */
  last: number;
}

/**
 * A run as it is told: its steps with names in the place of indices, each with the step that it carries on. All
 * buffers are first in, first out, but for pipes, whose steps say which entry they are about.
 *
 * @param ends whether what is left in buffers behind the last step is of interest
 */
export function told(layout: Layout, steps: readonly Step[], ends: boolean): readonly RunStep[] {
  const { codes, hardware, queuePairs, program } = layout;
  const run: RunStep[] = [];
  const writes: number[][] = codes.map(() => []);
  const buffers = (): Operation[][] => queuePairs.map(() => []);
  const [pipes, wbL, completions] = [buffers(), buffers(), buffers()];
  const wbR: { readonly operation: Operation; readonly from: number }[][] = queuePairs.map(
    () => [],
  );

  /** Of which operation is a step, and which step does it carry on? Those that are not told change buffers, too. */
  const origin = (step: Step): { readonly operation?: Operation; readonly from?: number } => {
    const next = run.length;
    const carriesOn = (operation: Operation) => {
      const from = operation.last;
      operation.last = next;
      return { operation, from };
    };
    switch (step.kind) {
      case 'write':
        if (hardware.storeBuffers) writes[step.thread].push(next);
        return {};
      case 'drain':
        return { from: writes[step.thread].shift() };
      case 'post': {
        const operation = { text: operationInWords(layout, step), last: next };
        pipes[step.queuePair].push(operation);
        return { operation };
      }
      case 'read-local':
      case 'read-remote': {
        const operation = pipes[step.queuePair][step.index];
        return isConstant(step.location) ? {} : carriesOn(operation);
      }
      case 'deliver': {
        const operation = pipes[step.queuePair][step.index];
        wbR[step.queuePair].push({ operation, from: next });
        return carriesOn(operation);
      }
      case 'perform': {
        const operation = pipes[step.queuePair][step.index];
        if (step.value !== undefined && hardware.atomics !== 'glob') {
          wbR[step.queuePair].push({ operation, from: next });
        }
        return carriesOn(operation);
      }
      case 'rfence':
        return carriesOn(pipes[step.queuePair].shift()!);
      case 'acknowledge':
      case 'answer': {
        const operation = pipes[step.queuePair].shift()!;
        if (step.kind === 'answer') wbL[step.queuePair].push(operation);
        if (queuePairs[step.queuePair].polled) completions[step.queuePair].push(operation);
        return {};
      }
      case 'flush-remote':
        // The completion says nothing of this.
        return wbR[step.queuePair].shift()!;
      case 'flush-local':
        return carriesOn(wbL[step.queuePair].shift()!);
      case 'poll':
        return carriesOn(completions[step.queuePair].shift()!);
      case 'set':
      case 'assertion':
      case 'mfence':
      case 'pass':
      case 'leave':
      case 'read':
      case 'update':
        return {};
    }
  };

  const isConstant = (location: LocationId): boolean => program.locations[location].hidden === true;

  for (const step of steps) {
    const { operation, from } = origin(step);
    const words = inWords(layout, step);
    if (words === undefined) continue;
    const { actor, does, link = ' ', brief } = words;
    run.push({
      text: `${actor}${link}${does}`,
      brief,
      actor,
      lane: laneOf(layout, step),
      kind: kindOf(layout, step),
      ...about(layout, step),
      operation: operation?.text,
      from,
    });
  }
  const pending = new Set([...writes.flat(), ...wbR.flat().map(({ from }) => from)]);
  return run.map((step, i) => (ends && pending.has(i) ? { ...step, pending: true } : step));
}

function laneOf({ program, queuePairs }: Layout, step: Step): RunStep['lane'] {
  if (step.kind === 'drain' || step.kind === 'flush-local' || step.kind === 'flush-remote') {
    return { kind: 'memory', name: program.locations[step.location].node };
  }
  if ('thread' in step) return { kind: 'thread', name: program.threads[step.thread].name };
  const { thread, ...towards } = queuePairs[step.queuePair];
  return { kind: 'network', name: `${program.threads[thread].name}->${keyOf(towards)}` };
}

function kindOf({ codes }: Layout, step: Step): RunStep['kind'] {
  if (step.kind !== 'pass') return step.kind;
  return codes[step.thread].sections.some(({ name }) => name === step.mark) ? 'enter' : 'pass';
}

function about(
  layout: Layout,
  step: Step,
): Pick<RunStep, 'mark' | 'location' | 'register' | 'ghost' | 'value' | 'found'> {
  if (step.kind === 'set') {
    const { name, isGhost } = slotInWords(layout, step.slot);
    return { [isGhost ? 'ghost' : 'register']: name, value: step.value };
  }
  return {
    mark: 'mark' in step ? step.mark : undefined,
    location: 'location' in step ? placeInWords(layout, step.location) : undefined,
    found: 'found' in step ? step.found : undefined,
    value: 'value' in step ? step.value : undefined,
  };
}
