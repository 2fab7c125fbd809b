// A program under SC as a Promela model, for SPIN: what explorations are compared with. It shares nothing with them but the
// parsed program: each access of shared memory is a step of its own, nothing is reduced, and loops are jumps.
//
// Polls and fences order nothing under SC, as an operation is done before the next one begins. Inside of an operation
// there are steps: a put reads, then it writes; an atomic reads and writes at one moment, then its answer arrives.

import type {
  Argument,
  Call,
  Expression,
  GhostExpression,
  Instruction,
  LocationId,
  Mark,
  Program,
  RunQuery,
  Target,
  Test,
} from '../dist/program/program.js';

/** A statement of Promela. */
type Statement = string;

/** What is done at one moment. */
type Step = readonly Statement[];

type Exclusive = Extract<RunQuery, { readonly quantifier: 'exclusive' }>;
type Progress = Extract<RunQuery, { readonly quantifier: 'progress' }>;

/** A query, and the variable that counts who is inside, or that says whether somebody waits. */
type Asked = (Exclusive & { readonly inside: string }) | (Progress & { readonly waiting: string });

/** Values that are read before an expression is computed, by location. */
type Read = ReadonlyMap<LocationId, string>;

/** Operations that do nothing under SC. */
const NOTHING = ['poll', 'mfence', 'rfence'];

/** What an atomic writes where it finds a value in `found`. */
type Write = (found: string, operands: readonly string[]) => string;

const WRITES: Readonly<Record<'cas' | 'faa' | 'xchg', Write>> = {
  cas: (found, [old, value]) => `(${found} == ${old} -> ${value} : ${found})`,
  faa: (found, [value]) => `${found} + ${value}`,
  xchg: (_, [value]) => value,
};
const ATOMICS: Readonly<Partial<Record<string, Write>>> = {
  ...{ CAS: WRITES.cas, faa: WRITES.faa, xchg: WRITES.xchg },
  ...{ rcas: WRITES.cas, rfaa: WRITES.faa, rxchg: WRITES.xchg },
};

const SIGNS: Readonly<Partial<Record<string, string>>> = { '=': '==' };

/**
 * The model. Threads that are two in one block of the k-th query, `exclusive`, violate `assert(inside_k <= 1)`; assertions
 * of the program are assertions. Marks are labels of progress, and a thread may end where it may rest for ever.
 *
 * Throws for operations that it does not know.
 *
 * @param claim the index of a query, `progress`, that is a formula of the model
 */
export function promelaOf(
  { program, queries }: Pick<Test, 'program' | 'queries'>,
  claim?: number,
): string {
  const { locations, ghosts = [], threads } = program;
  const shared = locations.flatMap(({ owner, hidden, initial }, l) =>
    owner === undefined && hidden !== true ? [`short v${l} = ${initial};`] : [],
  );
  const asked = queries.flatMap((query, k): readonly Asked[] => {
    if (query.quantifier === 'exclusive') return [{ ...query, inside: `inside_${k}` }];
    return query.quantifier === 'progress' && k === claim
      ? [{ ...query, waiting: `waiting_${k}` }]
      : [];
  });
  return [
    ...shared,
    ...ghosts.map(({ initial }, g) => `short g${g} = ${initial};`),
    ...asked.map((query) => `byte ${'inside' in query ? query.inside : query.waiting};`),
    ...threads.flatMap((_, t) => new ThreadText(program, t, asked).lines()),
    ...asked.flatMap((query) => ('waiting' in query ? [formulaOf(query, query.waiting)] : [])),
    '',
  ].join('\n');
}

/** Nobody waits for ever; of `always`, what is noted goes on changing. */
const formulaOf = ({ from }: Progress, waiting: string): string =>
  from === 'always'
    ? `ltl { []<> (${waiting} == 0) && []<> (${waiting} == 1) }`
    : `ltl { []<> (${waiting} == 0) }`;

/** What a mark says of the moment of an instruction. */
type Said = Extract<Mark, { readonly kind: 'ghost' | 'assert' }>;

const isSaid = (mark: Mark): mark is Said => mark.kind === 'ghost' || mark.kind === 'assert';

type Loop = Extract<Instruction, { readonly kind: 'loop' }>;

/** Steps before an expression is computed, and its text then. */
interface Reading {
  readonly steps: readonly Step[];
  readonly value: string;
}

function locationOf(argument: Argument): LocationId {
  if (argument.kind !== 'place') throw new Error(`no Promela for ${argument.kind}`);
  return argument.location;
}

function valueOf(argument: Argument): Expression {
  if (argument.kind !== 'value') throw new Error(`no Promela for ${argument.kind}`);
  return argument.value;
}

class ThreadText {
  private readonly out: string[] = [];
  private labels = 0;
  private temporaries = 0;

  constructor(
    private readonly program: Program,
    private readonly index: number,
    private readonly asked: readonly Asked[],
  ) {}

  lines(): readonly string[] {
    const { program, index, out } = this;
    const { body, registers } = program.threads[index];
    this.block(body, true);
    const own = program.locations.flatMap(({ owner, hidden, initial }, l) =>
      owner === index && hidden !== true ? [`  short v${l} = ${initial};`] : [],
    );
    return [
      ...['', `active proctype T${index}() {`],
      ...own,
      ...registers.map((_, r) => `  short r${r};`),
      ...Array.from({ length: this.temporaries }, (_, k) => `  short t${k};`),
      ...out.map((line) => `  ${line}`),
      // Jumps to the end need a place there.
      ...['  skip', '}'],
    ];
  }

  private block(body: readonly Instruction[], last: boolean): void {
    body.forEach((i, at) => this.instruction(i, last && at === body.length - 1));
  }

  private instruction(i: Instruction, last: boolean): void {
    const { before = [], after = [] } = i.marks ?? {};
    for (const mark of before) this.mark(mark);
    const moment = after.filter(isSaid);
    const steps = [...this.steps(i, last && after.length === 0)];
    // What is said of the moment of an instruction is done with its last step.
    const final = [...(steps.pop() ?? []), ...moment.map((mark) => this.said(mark))];
    this.put(...steps, ...(final.length === 0 ? [] : [final]));
    for (const mark of after) if (!isSaid(mark)) this.mark(mark);
  }

  /** Steps, each a list of statements that are done at one moment. */
  private put(...steps: readonly Step[]): void {
    for (const step of steps) {
      this.out.push(step.length === 1 ? `${step[0]};` : `atomic { ${step.join('; ')} };`);
    }
  }

  /** What is done in a branch: something. */
  private option(guard: string, write: () => void): void {
    this.out.push(`:: ${guard} ->`);
    const before = this.out.length;
    write();
    if (this.out.length === before) this.out.push('skip;');
  }

  private said(mark: Said): Statement {
    return mark.kind === 'ghost'
      ? `g${mark.ghost} = ${this.text(mark.value)}`
      : `assert(${this.text(mark.condition)})`;
  }

  private mark(mark: Mark): void {
    if (isSaid(mark)) return this.put([this.said(mark)]);
    const { kind, name } = mark;
    this.out.push(`progress_${this.labels++}:`);
    this.put(['skip', ...this.asked.flatMap((query) => this.noted(query, kind, name))]);
  }

  /** What is noted for a query when a mark is passed, or a block left. */
  private noted(query: Asked, kind: 'point' | 'enter' | 'leave', name: string): Step {
    const { index } = this;
    if ('inside' in query) {
      const { inside, section, threads } = query;
      if (kind === 'point' || section !== name || !threads.includes(index)) return [];
      return kind === 'enter' ? [`${inside}++`, `assert(${inside} <= 1)`] : [`${inside}--`];
    }
    const { from, to, waiting } = query;
    if (kind === 'leave') return [];
    const isOne = (places: typeof to): boolean =>
      places.some(({ thread, mark }) => thread === index && mark === name);
    if (from === 'always') return isOne(to) ? [`${waiting} = 1 - ${waiting}`] : [];
    return [...(isOne(from) ? [`${waiting} = 1`] : []), ...(isOne(to) ? [`${waiting} = 0`] : [])];
  }

  /** The steps of an instruction; for those with others inside, they are written at once. */
  private steps(i: Instruction, last: boolean): readonly Step[] {
    switch (i.kind) {
      case 'assign': {
        const { steps, value } = this.reading(
          i.value,
          i.target.kind === 'location' && this.isShared(i.target.location),
        );
        return [...steps, [`${this.target(i.target)} = ${value}`]];
      }
      case 'call':
        return this.call(i);
      case 'assume': {
        const { steps, value } = this.reading(i.condition, false);
        return [...steps, [value]];
      }
      case 'if':
        this.branch(
          i.condition,
          () => this.block(i.then, last),
          () => this.block(i.else, last),
        );
        return [];
      case 'choose':
        this.out.push('if');
        for (const branch of i.branches) this.option('true', () => this.block(branch, last));
        this.out.push('fi;');
        return [];
      case 'loop':
        this.loop(i);
        return [];
    }
  }

  private loop({ condition, body }: Loop): void {
    const top = `top_${this.labels++}`;
    const again = () => {
      this.block(body, false);
      this.out.push(`goto ${top};`);
    };
    this.out.push(`${top}:`);
    if (condition !== undefined) return this.branch(condition, again, () => {});
    this.out.push('if');
    this.option('true', again);
    this.option('true', () => {});
    this.out.push('fi;');
  }

  private branch(condition: Expression, then: () => void, otherwise: () => void): void {
    const { steps, value } = this.reading(condition, false);
    this.put(...steps);
    this.out.push('if');
    this.option(value, then);
    this.option('else', otherwise);
    this.out.push('fi;');
  }

  private call({ operation, arguments: given, into, result }: Call): readonly Step[] {
    if (NOTHING.includes(operation)) return [];
    const [from, ...operands] = given;
    const place = into?.kind === 'place' ? into : undefined;
    if ((operation === 'get' || operation === 'put') && place !== undefined) {
      return this.copy(locationOf(from), place.location);
    }
    const write = ATOMICS[operation];
    if (write === undefined) throw new Error(`no Promela for ${operation}`);
    const location = locationOf(from);
    const found = this.temporary(0);
    const value = write(
      found,
      operands.map((operand) => `(${this.text(valueOf(operand))})`),
    );
    const target: Target =
      place === undefined ? result! : { kind: 'location', location: place.location };
    const taken = `${this.target(target)} = ${found}`;
    const atomic = [`${found} = v${location}`, `v${location} = ${value}`];
    const arrives = target.kind === 'location' && this.isShared(target.location);
    return arrives ? [atomic, [taken]] : [[...atomic, taken]];
  }

  private copy(from: LocationId, to: LocationId): readonly Step[] {
    if (!(this.isShared(from) && this.isShared(to))) return [[`v${to} = ${this.place(from)}`]];
    const value = this.temporary(0);
    return [[`${value} = v${from}`], [`v${to} = ${value}`]];
  }

  /** One step for each shared location that is read; the last one goes together with what follows, unless that is a step, too. */
  private reading(expression: Expression, apart: boolean): Reading {
    const read: LocationId[] = [];
    const visit = (e: Expression): void => {
      if (e.kind === 'location' && this.isShared(e.location) && !read.includes(e.location))
        read.push(e.location);
      if (e.kind === 'unary') visit(e.arg);
      if (e.kind === 'binary') [e.left, e.right].forEach(visit);
    };
    visit(expression);
    const before = apart ? read : read.slice(0, -1);
    return {
      steps: before.map((l, k) => [`${this.temporary(k)} = v${l}`]),
      value: this.text(expression, new Map(before.map((l, k) => [l, this.temporary(k)]))),
    };
  }

  private temporary(k: number): string {
    this.temporaries = Math.max(this.temporaries, k + 1);
    return `t${k}`;
  }

  private text(e: Expression | GhostExpression, read: Read = new Map()): string {
    switch (e.kind) {
      case 'int':
        return `${e.value}`;
      case 'register':
        return `r${e.register}`;
      case 'ghost':
        return `g${e.ghost}`;
      case 'location':
        return read.get(e.location) ?? this.place(e.location);
      case 'unary':
        return `${e.op}(${this.text(e.arg, read)})`;
      case 'binary':
        return `(${this.text(e.left, read)} ${SIGNS[e.op] ?? e.op} ${this.text(e.right, read)})`;
    }
  }

  private place(location: LocationId): string {
    const { hidden, initial } = this.program.locations[location];
    return hidden === true ? `${initial}` : `v${location}`;
  }

  private target(target: Target): string {
    return target.kind === 'register' ? `r${target.register}` : `v${target.location}`;
  }

  private isShared(location: LocationId): boolean {
    const { owner, hidden } = this.program.locations[location];
    return owner === undefined && hidden !== true;
  }
}
