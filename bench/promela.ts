// A program under SC as a Promela model, for SPIN: what explorations are compared with. It shares nothing with them but the
// parsed program: each access of shared memory is a step of its own, nothing is reduced, and loops are jumps.
//
// Polls and fences order nothing under SC, as an operation is done before the next one begins. Inside of an operation
// there are steps: a put reads, then it writes; an atomic reads and writes at one moment, then its answer arrives.

/** Operations that do nothing under SC. */
const NOTHING = ['poll', 'mfence', 'rfence'];

/** What an atomic writes where it finds a value in `found`. */
const WRITES = {
  cas: (found, [old, value]) => `(${found} == ${old} -> ${value} : ${found})`,
  faa: (found, [value]) => `${found} + ${value}`,
  xchg: (_, [value]) => value,
};
const ATOMICS = {
  ...{ CAS: WRITES.cas, faa: WRITES.faa, xchg: WRITES.xchg },
  ...{ rcas: WRITES.cas, rfaa: WRITES.faa, rxchg: WRITES.xchg },
};

const SIGNS = { '=': '==' };

/**
 * The model. Threads that are two in one block of the k-th query, `exclusive`, violate `assert(inside_k <= 1)`; assertions
 * of the program are assertions. Marks are labels of progress, and a thread may end where it may rest for ever.
 *
 * Throws for operations that it does not know.
 */
export function promelaOf({ program, queries }) {
  const { locations, ghosts = [], threads } = program;
  const shared = locations.flatMap(({ owner, hidden, initial }, l) =>
    owner === undefined && hidden !== true ? [`short v${l} = ${initial};`] : [],
  );
  const asked = queries.flatMap((query, k) =>
    query.quantifier === 'exclusive' ? [{ ...query, inside: `inside_${k}` }] : [],
  );
  return [
    ...shared,
    ...ghosts.map(({ initial }, g) => `short g${g} = ${initial};`),
    ...asked.map(({ inside }) => `byte ${inside};`),
    ...threads.flatMap((_, t) => new ThreadText(program, t, asked).lines()),
    '',
  ].join('\n');
}

class ThreadText {
  out = [];
  labels = 0;
  temporaries = 0;

  constructor(program, index, asked) {
    this.program = program;
    this.index = index;
    this.asked = asked.filter(({ threads }) => threads.includes(index));
  }

  lines() {
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

  block(body, last) {
    body.forEach((i, at) => this.instruction(i, last && at === body.length - 1));
  }

  instruction(i, last) {
    const { before = [], after = [] } = i.marks ?? {};
    for (const mark of before) this.mark(mark);
    const moment = after.filter(({ kind }) => kind === 'ghost' || kind === 'assert');
    const steps = this.steps(i, last && after.length === 0);
    // What is said of the moment of an instruction is done with its last step.
    const final = [...(steps.pop() ?? []), ...moment.map((mark) => this.said(mark))];
    this.put(...steps, ...(final.length === 0 ? [] : [final]));
    for (const mark of after) if (!moment.includes(mark)) this.mark(mark);
  }

  /** Steps, each a list of statements that are done at one moment. */
  put(...steps) {
    for (const step of steps) {
      this.out.push(step.length === 1 ? `${step[0]};` : `atomic { ${step.join('; ')} };`);
    }
  }

  /** What is done in a branch: something. */
  option(guard, write) {
    this.out.push(`:: ${guard} ->`);
    const before = this.out.length;
    write();
    if (this.out.length === before) this.out.push('skip;');
  }

  said({ kind, ghost, value, condition }) {
    return kind === 'ghost' ? `g${ghost} = ${this.text(value)}` : `assert(${this.text(condition)})`;
  }

  mark(mark) {
    const { kind, name } = mark;
    if (kind === 'ghost' || kind === 'assert') {
      return this.put([this.said(mark)]);
    }
    const counted = this.asked.filter(({ section }) => kind !== 'point' && section === name);
    const counting = counted.map(({ inside }) =>
      kind === 'enter' ? `${inside}++; assert(${inside} <= 1)` : `${inside}--`,
    );
    this.out.push(`progress_${this.labels++}:`);
    this.put(['skip', ...counting]);
  }

  /** The steps of an instruction; for those with others inside, they are written at once. */
  steps(i, last) {
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
    throw new Error(`no Promela for ${i.kind}`);
  }

  loop({ condition, body }) {
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

  branch(condition, then, otherwise) {
    const { steps, value } = this.reading(condition, false);
    this.put(...steps);
    this.out.push('if');
    this.option(value, then);
    this.option('else', otherwise);
    this.out.push('fi;');
  }

  call({ operation, arguments: given, into, result }) {
    if (NOTHING.includes(operation)) return [];
    if (operation === 'get' || operation === 'put')
      return this.copy(given[0].location, into.location);
    const write = ATOMICS[operation];
    if (write === undefined) throw new Error(`no Promela for ${operation}`);
    const [{ location }, ...operands] = given;
    const found = this.temporary(0);
    const value = write(
      found,
      operands.map(({ value }) => `(${this.text(value)})`),
    );
    const target = into === undefined ? result : { kind: 'location', location: into.location };
    const taken = `${this.target(target)} = ${found}`;
    const atomic = [`${found} = v${location}`, `v${location} = ${value}`];
    const arrives = target.kind === 'location' && this.isShared(target.location);
    return arrives ? [atomic, [taken]] : [[...atomic, taken]];
  }

  copy(from, to) {
    if (!(this.isShared(from) && this.isShared(to))) return [[`v${to} = ${this.place(from)}`]];
    const value = this.temporary(0);
    return [[`${value} = v${from}`], [`v${to} = ${value}`]];
  }

  /** One step for each shared location that is read; the last one goes together with what follows, unless that is a step, too. */
  reading(expression, apart) {
    const read = [];
    const visit = (e) => {
      if (e.kind === 'location' && this.isShared(e.location) && !read.includes(e.location))
        read.push(e.location);
      for (const inner of [e.arg, e.left, e.right]) if (inner !== undefined) visit(inner);
    };
    visit(expression);
    const before = apart ? read : read.slice(0, -1);
    return {
      steps: before.map((l, k) => [`${this.temporary(k)} = v${l}`]),
      value: this.text(expression, new Map(before.map((l, k) => [l, this.temporary(k)]))),
    };
  }

  temporary(k) {
    this.temporaries = Math.max(this.temporaries, k + 1);
    return `t${k}`;
  }

  text(e, read = new Map()) {
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
    }
    return `(${this.text(e.left, read)} ${SIGNS[e.op] ?? e.op} ${this.text(e.right, read)})`;
  }

  place(location) {
    const { hidden, initial } = this.program.locations[location];
    return hidden === true ? `${initial}` : `v${location}`;
  }

  target(target) {
    return target.kind === 'register' ? `r${target.register}` : `v${target.location}`;
  }

  isShared(location) {
    const { owner, hidden } = this.program.locations[location];
    return owner === undefined && hidden !== true;
  }
}
