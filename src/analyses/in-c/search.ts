import type { Edit } from '../../c/edit/insert.js';
import { insertion } from '../../c/edit/insert.js';
import type { Order } from '../../c/edit/orders.js';
import { orderEdits } from '../../c/edit/orders.js';
import type { Place } from '../../c/edit/places.js';
import { placesNear } from '../../c/edit/places.js';
import { flagEdits } from '../../c/edit/flags.js';
import type { CSource } from '../../c/edit/source.js';
import { functionAt } from '../../c/edit/source.js';
import { isOverVerbs } from '../../c/edit/waits.js';
import { groupBy } from '../../model/relation/groups.js';
import { bodiesOf, instructionsOf } from '../../program/instructions.js';
import type { Instruction, Program } from '../../program/program.js';
import { knownPosting } from '../../rdma/postings.js';
import type { Added, Replaced } from './changes.js';
import { addedTo, alike, headOf, instructionAt, isChanged, kindOf, slotOf } from './changes.js';
import type { Probe, Where } from './probe.js';
import { includesFor, linesFor } from './words.js';

/** How something that is to be new in the program can be new in the C. */
export interface Option {
  readonly edits: readonly Edit[];
  /** What it adds to the program. */
  readonly added: readonly Added[];
  /** What of that is wanted. */
  readonly meant: readonly Added[];
}

/** At most so many places are tried for one addition. */
const PLACES = 60;

/** Looks for places and words in the C for what is to be added. Each place and each text is tried by reading the file that has it. */
export class Search {
  private changed: { readonly edits: readonly Edit[]; readonly replaced: readonly Replaced[] } = {
    edits: [],
    replaced: [],
  };
  /** What was found already: some is understood only beside others, as the poll of what another reads. */
  private readonly found: Option[] = [];
  /** The first text that was understood, and changes the program in another way than it was to. */
  private unsure: Option | undefined;

  constructor(
    private readonly probe: Probe,
    private readonly wanted: readonly Added[],
  ) {}

  private get source(): CSource {
    return this.probe.source;
  }

  private get program(): Program {
    return this.probe.program;
  }

  /**
   * The ways to add statements that do it, and as little else as there is; or what there is no way for.
   *
   * @param all in any order
   */
  allStatements(all: readonly Added[]): readonly Option[] | Added {
    let open = all;
    for (;;) {
      const before = open.length;
      for (const one of open) {
        if (this.found.some(({ meant }) => meant.includes(one))) continue;
        const option = this.statements(one);
        if (option !== undefined) this.found.push(option);
      }
      open = open.filter((one) => !this.found.some(({ meant }) => meant.includes(one)));
      if (open.length === 0) return this.found;
      if (open.length === before) return open[0];
    }
  }

  private statements(one: Added): Option | undefined {
    const { source } = this;
    const from = source.functionOf.get(this.program.threads[one.thread].name);
    this.unsure = undefined;
    const begin = this.startOf(one);
    if (from === undefined || begin === undefined) return undefined;
    const wider: { readonly place: Place; readonly at: readonly Where[] }[] = [];
    for (const place of placesNear(source, from, begin).slice(0, PLACES)) {
      const at = this.probe.effectOf(place);
      const meant = at.map((where) => this.wantedAt(where, one));
      if (!meant.includes(one)) continue;
      if (meant.every((wanted) => wanted !== undefined)) {
        const found = this.written(place, at, one);
        if (found !== undefined) return found;
      } else wider.push({ place, at });
    }
    // What is done in several places may do where it is done once in each: whether it does, the answer says.
    const once = { ...one, steps: one.steps.filter((step, i, all) => step !== all[i - 1]) };
    for (const { place, at } of wider.sort((a, b) => a.at.length - b.at.length)) {
      const found = this.written(place, at, one);
      if (found !== undefined) return found;
      if (once.steps.length < one.steps.length) this.unsure ??= this.written(place, at, once);
    }
    return this.unsureOf(one);
  }

  private unsureOf(one: Added): Option | undefined {
    const { unsure } = this;
    return unsure && { ...unsure, meant: [...unsure.meant, one] };
  }

  /** The way to give a request a flag that is a fence, and as few others as there are. */
  fence(one: Added, request: Instruction): Option | undefined {
    const { source, program } = this;
    const from = source.functionOf.get(program.threads[one.thread].name);
    if (from === undefined) return undefined;
    let wider: Option | undefined;
    for (const edits of flagEdits(source, from, request.span.start, 'IBV_SEND_FENCE')) {
      const after = this.probe.after(edits);
      const isFence = (i: Instruction, thread: number, other?: Instruction): boolean => {
        const head = headOf(after!, thread, i);
        return head.startsWith('rfence(') && !(other && headOf(program, thread, other) === head);
      };
      const places = (after && addedTo(program, after, isFence)) ?? [];
      const meant = places.map((place) => this.wantedAt(this.requestAt(place), one));
      if (!meant.includes(one)) continue;
      const option = optionOf(edits, places, meant, one);
      if (option.meant.length === option.added.length) return option;
      if (wider === undefined || places.length < wider.added.length) wider = option;
    }
    return wider;
  }

  /**
   * Makes calls and accesses what they are to be, with flags or orders: what is found later builds on that. Or the first one for which
   * there is no way.
   */
  replace(replaced: readonly Replaced[]): readonly Edit[] | Replaced {
    const edits: Edit[] = [];
    for (const same of groupBy(replaced, ({ start }) => start).values()) {
      const isExact = (after: Program): boolean =>
        isChanged(this.program, after, { added: [], replaced: same });
      const isThere = (after: Program): boolean => same.every((one) => has(after, one));
      const ways = this.waysFor(same[0]).flatMap((some) => {
        const after = this.probe.after(some);
        return after === undefined ? [] : [{ some, after }];
      });
      const found =
        ways.find(({ after }) => isExact(after)) ?? ways.find(({ after }) => isThere(after));
      if (found === undefined) return same[0];
      edits.push(...found.some);
    }
    this.changed = { edits, replaced };
    return edits;
  }

  private waysFor(one: Replaced): readonly (readonly Edit[])[] {
    const { source, program } = this;
    if (one.kind === 'acquire') return orderEdits(source, one, orderOf(one.heads[0]));
    const from = source.functionOf.get(program.threads[one.thread].name);
    return from === undefined ? [] : flagEdits(source, from, one.start, 'IBV_SEND_SIGNALED');
  }

  /** Why nothing does what is to be added. */
  whyNot({ thread, steps }: Added): string {
    const { name } = this.program.threads[thread];
    const { refused, source } = this.probe;
    const why = refused === undefined ? '' : `: ${refused}`;
    const only = isOverVerbs(source) ? '' : ' (what is written is verbs)';
    return `no lines were found that do \`${steps.join('; ')}\` at that place of ${name}${only}${why}`;
  }

  /** What is wanted at a place, if it is of the same kinds. */
  private wantedAt(where: Where, like: Added): Added | undefined {
    const { program } = this;
    const slot = slotOf(program, where);
    const kinds = (one: Added): string => one.steps.map(kindOf).join();
    return this.wanted.find((one) => slotOf(program, one) === slot && kinds(one) === kinds(like));
  }

  /** The statements of an addition at a place, in words with which the file is understood. */
  private written(place: Place, at: readonly Where[], one: Added): Option | undefined {
    const { source, program } = this;
    const meant = at.map((where) => this.wantedAt(where, one));
    this.probe.refused = undefined;
    for (const lines of linesFor(source, program, place, one)) {
      const edits = [...insertion(source, place, lines), ...includesFor(source, lines)];
      const option = optionOf(edits, at, meant, one);
      const all = [...this.found, option];
      const { edits: flags, replaced } = this.changed;
      const after = this.probe.after([...flags, ...all.flatMap((other) => other.edits)]);
      const added = all.flatMap((other) => other.added);
      if (after !== undefined && isChanged(program, after, { added, replaced })) {
        return option;
      }
      if (after !== undefined) this.unsure ??= option;
    }
    return undefined;
  }

  /** The first request at a place or behind it: inline data is read behind its fence, and the request is posted then. */
  private requestAt({ thread, place }: Where): Where {
    const { program } = this;
    for (let n = place[place.length - 1]; ; n++) {
      const next = { thread, place: [...place.slice(0, -1), n] };
      const i = instructionAt(program, next);
      if (i === undefined) return { thread, place };
      if (knownPosting(program, i).kind === 'posted') return next;
    }
  }

  /** Where in the C what is behind an addition begins, or else what is before it; what merges two ways has no place. */
  private startOf({ thread, place }: Added): number | undefined {
    const index = place[place.length - 1];
    const own = (n: number): Instruction | undefined =>
      n < 0
        ? undefined
        : instructionAt(this.program, { thread, place: [...place.slice(0, -1), n] });
    const before = Array.from({ length: index }, (_, n) => own(index - 1 - n));
    const outer = instructionAt(this.program, { thread, place: place.slice(0, -2) });
    return [own(index), ...before.map((i) => i && deepest(i)), outer]
      .map((i) => i?.span.start)
      .find((at) => at !== undefined && functionAt(this.source, at) !== undefined);
  }
}

/** Has a program, in a thread, the access that was to be there? Requests with other flags may be any. */
const has = (program: Program, { kind, thread, heads }: Replaced): boolean => {
  const all = [...instructionsOf(program.threads[thread].body)];
  const found = new Set(all.map((i) => alike([headOf(program, thread, i)])));
  return kind === 'tag' || heads.every((head) => found.has(alike([head])));
};

/** The order that an access has in the words of Arm. */
const orderOf = (text: string): Order =>
  text.includes('[al]') ? 'acq_rel' : /\[l\]|^stlr/.test(text) ? 'release' : 'acquire';

/** @param meant what is wanted at each place; undefined: nothing */
function optionOf(
  edits: readonly Edit[],
  places: readonly Where[],
  meant: readonly (Added | undefined)[],
  like: Added,
): Option {
  const added = places.map(({ thread, place }, i): Added => {
    const wanted = meant[i];
    return wanted === undefined
      ? { thread, place, steps: like.steps, besides: true }
      : { ...wanted, place };
  });
  return { edits, added, meant: meant.filter((one) => one !== undefined) };
}

const deepest = (i: Instruction): Instruction => {
  const inner = bodiesOf(i).flat().at(-1);
  return inner === undefined ? i : deepest(inner);
};
