import type { Event, EventId } from '../../program/events/structure.js';
import { isRead, isWrite } from '../../program/events/structure.js';
import { instructionsOf } from '../../program/instructions.js';
import { printInstruction } from '../../program/print.js';
import { subjectName } from '../../program/subjects.js';
import type { WholeRun } from './search.js';

/**
 * A run in words, in those of other machines (`told.ts`).
 *
 * @param memory whether the memory is told below each step that changes it
 */
export function tellWhole(run: WholeRun, memory: boolean): readonly string[] {
  const { program } = run.structure;
  const values = new Map(program.locations.map(({ initial }, l) => [l, initial]));
  const memoryLine = (): readonly string[] => {
    const places = [...values].flatMap(([location, value]) =>
      program.locations[location].hidden === true
        ? []
        : [`${subjectName(program, { kind: 'location', location })} = ${value}`],
    );
    return memory && places.length > 0 ? [`  memory: ${places.join(', ')}`] : [];
  };
  const lines = [...(memory ? ['start'] : []), ...memoryLine()];
  const teller = new WholeTeller(run);
  for (const at of run.moves.keys()) {
    lines.push(...teller.step(at));
    const written = teller.writtenAt(at);
    if (written === undefined) continue;
    values.set(written.location, written.value);
    lines.push(...memoryLine());
  }
  return lines;
}

class WholeTeller {
  /** The reads of which it is told that a branch depends on them, and that they are not performed yet. */
  private readonly bets = new Set<EventId>();

  /** The uses of which it is told that they are posted. */
  private readonly posts = new Set<number>();

  constructor(private readonly run: WholeRun) {}

  step(at: number): readonly string[] {
    const { rules, moves } = this.run;
    const { [rules.steps[moves[at].step].event]: event } = rules.events;
    const said = this.does(at);
    return said === undefined ? [] : [...this.bet(event, at), ...this.post(event), said];
  }

  /** Undefined: nobody needs to hear of it. */
  private does(at: number): string | undefined {
    const { rules, moves, structure } = this.run;
    const { step, source } = moves[at];
    const { event: e, isIssue, isObservation } = rules.steps[step];
    const { [e]: event } = rules.events;
    if (event.location === undefined) return isIssue ? this.passes(event) : undefined;
    // Nor of the constant of a put.
    if (structure.program.locations[event.location].hidden === true) return undefined;
    const place = this.placeOf(event);
    const who = this.actorOf(event);
    const isNic = this.isByNic(event);
    if (isRead(event)) {
      const isEarly = moves[at].state.places[source] < 0;
      const where = isNic ? ' before it is in memory' : ' in its store buffer';
      const read = `reads ${place} = ${this.valueOf(rules.events[source])}${isEarly ? where : ''}`;
      return `${who} ${read}${isWrite(event) ? ` and writes ${this.valueOf(event)} to memory` : ''}`;
    }
    const what = `${place} := ${this.valueOf(event)}`;
    // Where nobody reads what is not in memory yet, nobody needs to hear of the store buffer.
    const isPassing = isIssue !== isObservation && !this.isReadEarly(e);
    if (!isObservation) {
      if (isPassing) return undefined;
      return isNic ? `${who} delivers ${what}` : `${who} writes ${what} to its store buffer`;
    }
    const actor = isIssue || isPassing || isNic ? who : `${who}'s store buffer`;
    return `${actor} writes ${what} to memory`;
  }

  /** What comes to memory in a step. */
  writtenAt(at: number): { readonly location: number; readonly value: number } | undefined {
    const { rules, moves } = this.run;
    const { event: e, isObservation } = rules.steps[moves[at].step];
    const event = rules.events[e];
    if (!isObservation || !isWrite(event)) return undefined;
    return { location: event.location!, value: this.valueOf(event) };
  }

  /** A thread that goes on behind a branch before it has read what that is about. */
  private bet({ thread, ctrl = [] }: Event, at: number): readonly string[] {
    const { rules, moves, structure } = this.run;
    const before = moves[at - 1]?.state;
    const open = [...rules.events.entries()].filter(
      ([e, { id }]) => ctrl.includes(id) && !this.bets.has(id) && (before?.sources[e] ?? -1) < 0,
    );
    for (const [, { id }] of open) this.bets.add(id);
    const places = [...new Set(open.map(([, read]) => this.placeOf(read)))];
    if (places.length === 0) return [];
    const are = places.length === 1 ? 'is' : 'are';
    const { name } = structure.program.threads[thread];
    return [`${name} bets on a branch: ${places.join(' and ')} ${are} not read yet`];
  }

  /** The call that a NIC performs, before the first that is told of it. */
  private post(event: Event): readonly string[] {
    const { use, span, thread } = event;
    if (use === undefined || this.posts.has(use) || !this.isByNic(event)) return [];
    this.posts.add(use);
    const { program } = this.run.structure;
    const { [thread]: own } = program.threads;
    const call = [...instructionsOf(own.body)].find((i) => i.kind === 'call' && i.span === span);
    return call === undefined ? [] : [`${own.name} posts ${printInstruction(program, own, call)}`];
  }

  /** An event without a place: of a call that has others, nothing is told. */
  private passes(event: Event): string | undefined {
    const { rules, structure } = this.run;
    const isPart = rules.events.some(
      ({ use, location }) => use === event.use && location !== undefined,
    );
    if (isPart) return undefined;
    const { labels } = structure.program.instructions;
    const label = labels.find(({ name }) => name === event.label);
    const words = label?.words ?? `performs ${event.label}`;
    const isOfQueue = event.node !== undefined && !this.isByNic(event);
    return `${this.actorOf(event)} ${words}${isOfQueue ? ` a completion from node ${event.node}` : ''}`;
  }

  /** Does a read find a write before that is in memory? */
  private isReadEarly(write: number): boolean {
    return this.run.moves.some(({ source, state }) => source === write && state.places[write] < 0);
  }

  private valueOf({ value }: Event): number {
    const { moves, values } = this.run;
    const found = values.in(moves.at(-1)!.state, value!);
    return typeof found === 'number' ? found : 0;
  }

  private placeOf({ location }: Event): string {
    return subjectName(this.run.structure.program, { kind: 'location', location: location! });
  }

  private threadOf = ({ thread }: Event): string => this.run.structure.program.threads[thread].name;

  private actorOf(event: Event): string {
    const { node, queuePair } = event;
    if (!this.isByNic(event)) return this.threadOf(event);
    return `${this.threadOf(event)}->${queuePair === undefined ? node : `${node}.${queuePair}`}`;
  }

  private isByNic({ label }: Event): boolean {
    const { labels } = this.run.structure.program.instructions;
    return labels.find(({ name }) => name === label)?.by === 'nic';
  }
}
