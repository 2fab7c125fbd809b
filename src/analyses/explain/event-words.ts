import type { WitnessMeaning } from '../../check/witness/witness.js';
import { valueText } from '../../parse/values.js';
import type { Event, EventStructure } from '../../program/events/structure.js';
import type { Program } from '../../program/program.js';
import { eventValuesOf, referenceOf, sourceOf } from './labels.js';

/** What an event of a call of a library does to its cell. */
function doing(structure: EventStructure, run: WitnessMeaning, e: Event): string {
  const { read, written } = eventValuesOf(structure, run, e);
  const place = e.location === undefined ? '' : structure.program.locations[e.location].name;
  const parts = [
    ...(read === undefined ? [] : [`reads ${place} = ${valueText(read)}`]),
    ...(written === undefined ? [] : [`writes ${place} = ${valueText(written)}`]),
  ];
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

/** What an event does, in words. */
export function eventInWords(
  structure: EventStructure,
  run: WitnessMeaning,
  e: Event,
  source: Program,
): string {
  const { program } = structure;
  const { labels } = program.instructions;
  const label = labels.find((one) => one.name === e.label);
  const { name } = program.threads[e.thread];
  const reference = referenceOf(program, source, e);
  if (reference !== undefined) return `${reference}${doing(structure, run, e)}`;
  const location = e.location === undefined ? undefined : program.locations[e.location];
  const text = sourceOf(source, e);
  const isNic = label?.by === 'nic';
  const who = isNic ? `the NIC of ${name}` : name;
  const cause = text === undefined ? '' : `, for ${text}`;
  const isPart = location?.wire === true || label?.occasions !== undefined;
  if (isPart && label?.words !== undefined) return `${who} ${label.words}${cause}`;
  if (location === undefined) {
    const isPlain = e.node === undefined && e.work === undefined;
    return isPlain && label?.words !== undefined
      ? `${who} ${label.words}`
      : `${who} passes ${text}`;
  }
  const { read, written } = eventValuesOf(structure, run, e);
  const place = location.hidden === true ? 'its constant' : location.name;
  if (read !== undefined && written !== undefined) {
    const where = isNic ? ` in node ${location.node}${cause}` : `, by its ${e.label}`;
    return `${who} finds ${place} = ${valueText(read)} and makes it ${valueText(written)}${where}`;
  }
  if (written !== undefined) {
    const where = isNic ? ` into node ${location.node}'s memory` : '';
    return `${who} writes ${place} = ${valueText(written)}${where}`;
  }
  return `${who} reads ${place} = ${valueText(read!)}${isNic ? ` in node ${location.node}${cause}` : ''}`;
}
