import type { Timeline, TimelineLane } from '../analyses/timeline/timeline.js';

/**
 * A timeline as a sequence diagram of Mermaid, which many sites for code and documents can draw. Each node is a box
 * with its threads, its memory and its NIC. Notes tell what waits in a buffer, and what goes wrong.
 */
export function timelineMermaid({ lanes, steps, ways, waits }: Timeline): string {
  const name = (lane: number): string => `l${lane}`;
  const lines = ['sequenceDiagram', ...boxes(lanes)];
  const nic = (step: number): number | undefined =>
    [steps[step].lane, steps[step].from].find((l) => l !== undefined && lanes[l].kind === 'nic');
  for (const [i, { lane, from, both, brief, note, number, onCycle }] of steps.entries()) {
    const way = ways.find(({ to, look }) => to === i && (look === 'wire' || look === 'completion'));
    const sender = way && nic(way.from);
    const numbered = number === undefined ? '' : `${number}. `;
    const text = `${numbered}${onCycle ? '(!) ' : ''}${escaped(brief)}`;
    const arrow = way?.look === 'completion' ? '-->>' : '->>';
    if (from !== undefined) {
      const receiver = nic(i);
      if (sender !== undefined && receiver !== undefined && sender !== receiver) {
        lines.push(`${name(sender)}->>${name(receiver)}: ${ELLIPSIS}`);
      }
      lines.push(`${name(from)}${both ? '<<->>' : '->>'}${name(lane)}: ${text}`);
    } else if (sender !== undefined && sender !== lane) {
      lines.push(`${name(sender)}${arrow}${name(lane)}: ${text}`);
    } else lines.push(`Note over ${name(lane)}: ${text}`);
    for (const wait of waits.filter((w) => w.from === i)) {
      const until = steps[wait.to].number;
      const end = until === undefined ? '' : ` until ${until}`;
      lines.push(`Note over ${name(wait.lane)}: ${escaped(wait.what)} waits${end}`);
    }
    if (note !== undefined) lines.push(`Note over ${name(lane)}: ⚠ ${escaped(note)}`);
  }
  return `${lines.map((line, i) => (i === 0 ? line : `  ${line}`)).join('\n')}\n`;
}

/** The text of an arrow that only leads towards the place where a step happens. */
const ELLIPSIS = '…';

function boxes(lanes: readonly TimelineLane[]): readonly string[] {
  return [...new Set(lanes.map(({ node }) => node))].flatMap((node) => [
    `box node ${escaped(node)}`,
    ...lanes.flatMap((lane, i) =>
      lane.node === node ? [`  participant l${i} as ${escaped(headOf(lane))}`] : [],
    ),
    'end',
  ]);
}

const headOf = ({ kind, thread }: TimelineLane): string =>
  kind === 'thread' ? thread! : kind === 'nic' ? 'NIC' : 'memory';

/** Escapes the signs that end a line or have a meaning in Mermaid, or in the HTML that it makes. */
const escaped = (text: string): string =>
  text.replace(/[#;<>&:"]/g, (sign) => `#${sign.codePointAt(0)};`).replace(/\s+/g, ' ');
