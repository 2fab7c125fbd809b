import type { EventId, EventStructure } from '../../program/events/structure.js';
import type { Step, AxiomViolation } from './explanation.js';

/** What two violations have in common that look alike: labels and relations, wherever they begin. */
export function shapeOf({ events }: EventStructure, violation: AxiomViolation): string {
  const { axiom, kind, steps, event } = violation;
  const label = (id: EventId): string => events[id].label;
  const text = (step: Step): string => {
    const layers = step.because.map((layer) => layer.text).join(':');
    const inner = [...step.via, ...step.also].map(text).join(' ');
    return `${label(step.from)} ${layers} {${inner}} ${label(step.to)}`;
  };
  const all = steps.map(text);
  const turned =
    kind === 'cycle' ? all.map((_, i) => [...all.slice(i), ...all.slice(0, i)]) : [all];
  const least = turned.map((turn) => turn.join(', ')).sort()[0] ?? '';
  return `${axiom} ${kind} ${event === undefined ? '' : label(event)} ${least}`;
}
