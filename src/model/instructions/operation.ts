import { didYouMean } from '../../parse/diagnostics/index.js';
import type { Name } from '../../parse/cat-ast.js';
import type * as ast from '../../parse/declaration-ast.js';
import type { Report, Span } from '../../parse/diagnostics/index.js';
import { foldExpression } from '../../parse/fold.js';
import { constantNamed } from '../../parse/values.js';
import type { DeclaredNames } from '../name-places.js';
import { labelsIn } from './operations.js';
import type { Meaning } from './nodes.js';
import { NodesChecker } from './nodes.js';
import type {
  Alternative,
  Body,
  CellOf,
  Label,
  Library,
  NodeOf,
  Operation,
  Parameter,
  ValueOf,
  WireEnd,
} from './set.js';
import { PARAMETER_KINDS, PLACES } from './set.js';

const MEANINGS: Readonly<Record<Parameter['kind'], Meaning>> = {
  own: 'place',
  remote: 'place',
  any: 'place',
  object: 'object',
  value: 'value',
  peer: 'node',
  node: 'node',
  nodes: 'nodes',
  work: 'other',
};

/** Checks one declared operation, and gives it as data. Every mistake is reported where it stands. */
export class OperationChecker {
  private readonly names = new Map<string, Meaning>();
  private readonly nodes: NodesChecker;

  /**
   * @param library what it is an operation of; none for the instructions of a machine
   * @param places takes down what its names stand for
   */
  constructor(
    private readonly declared: ast.OperationDeclaration,
    private readonly labels: ReadonlyMap<string, Label>,
    private readonly library: Library | undefined,
    private readonly report: Report,
    private places: DeclaredNames,
  ) {
    this.nodes = new NodesChecker(this.names, library, report, (name, space) =>
      this.places.use(name, space),
    );
  }

  /** The operation; what was reported is left out of it or may be wrong in it. */
  check(): Operation {
    const { name, tag, result, work, words } = this.declared;
    const parameters = this.declared.parameters.map((parameter) => this.parameter(parameter));
    const into = this.declared.into && this.intoPlace(this.declared.into);
    if (work !== undefined) this.declareParameter(work, 'other');
    const on = this.queuePair();
    const { library } = this;
    if (this.declared.by !== undefined) this.nodes.role(this.declared.by);
    const known = new Map(this.names);
    const { places } = this;
    const alternatives = this.declared.alternatives.map((alternative) => {
      this.restore(known);
      this.places = places.inside();
      return this.alternative(alternative);
    });
    this.checkValues(alternatives);
    const called =
      library === undefined || library.plain ? name.text : `${library.name}.${name.text}`;
    return {
      name: called,
      library: library?.name,
      by: this.declared.by?.text,
      tag: tag?.text,
      parameters,
      into,
      on,
      work: work?.text,
      // The name of a value that each alternative gives itself is of no use to anybody.
      result: result?.text ?? (givesValue(alternatives) ? 'v' : undefined),
      alternatives,
      words,
    };
  }

  private parameter({ kind, name }: ast.ParameterSyntax): Parameter {
    const known = PARAMETER_KINDS.find((one) => one === kind.text);
    if (known === undefined) {
      const hint =
        didYouMean(kind.text, PARAMETER_KINDS) ?? `there are ${PARAMETER_KINDS.join(', ')}`;
      this.report(kind.span, `unknown kind of parameter '${kind.text}'`, hint);
    }
    const { library } = this;
    if (known !== undefined && PLACES.includes(known) && library?.plain === false) {
      const hint = 'what a library keeps in memory are its objects: object x';
      this.report(kind.span, `plain locations are not those of library ${library.name}`, hint);
    }
    if (known === 'object' && this.library?.object === undefined) {
      const hint = 'say what it is before: object x : copied';
      this.report(kind.span, 'no object is declared', hint);
    }
    this.declareParameter(name, known === undefined ? 'misdeclared' : MEANINGS[known]);
    return { kind: known ?? 'value', name: name.text };
  }

  /** Names stand for what they stood for before. */
  private restore(before: ReadonlyMap<string, Meaning>): void {
    this.names.clear();
    for (const [name, meaning] of before) this.names.set(name, meaning);
  }

  private intoPlace(declared: ast.ParameterSyntax): Parameter {
    const parameter = this.parameter(declared);
    if (PLACES.includes(parameter.kind) || parameter.kind === 'object') return parameter;
    this.report(
      declared.kind.span,
      '`into` needs a place',
      'write `into own x` or `into remote x`',
    );
    return parameter;
  }

  private declareParameter(name: Name, meaning: Meaning): void {
    this.places.define(name, 'parameter', { span: this.declared.span });
    this.declare(name, meaning);
  }

  private declare(name: Name, meaning: Meaning): void {
    const known = this.names.get(name.text);
    if (known !== undefined && known !== 'values') {
      this.report(name.span, `'${name.text}' is given twice`);
    }
    this.names.set(name.text, meaning);
  }

  private queuePair(): string | undefined {
    const { on, parameters, into } = this.declared;
    if (on === undefined) return undefined;
    this.places.use(on.of, 'parameter');
    const all = into === undefined ? parameters : [...parameters, into];
    const found = all.find(({ name }) => name.text === on.of.text);
    const isPeer = found?.kind.text === 'peer';
    const isPlace = this.names.get(on.of.text) === 'place';
    if (on.isPlace ? !isPlace : !isPeer) {
      const message = `'${on.of.text}' is no ${on.isPlace ? 'place' : '`peer`'} of this operation`;
      this.report(on.of.span, message, '`on q` takes a peer q, and `on qp(x)` a place x');
    }
    return on.of.text;
  }

  private alternative({ result: own, by, body, when }: ast.AlternativeSyntax): Alternative {
    const events = this.body(body);
    const { result } = this.declared;
    const guard = when && this.value(when);
    if (result !== undefined) this.places.use(result, 'parameter');
    if (by !== undefined && !labelsIn(events).includes(by.text))
      this.report(by.span, `this way makes no event '${by.text}'`);
    if (own !== undefined) {
      const given = { result: this.value(own), ...(by && { by: by.text }) };
      return { ...given, body: events, when: guard };
    }
    const meaning = result && this.names.get(result.text);
    if (result !== undefined && meaning !== 'value') {
      const message = `some alternative does not give the value '${result.text}'`;
      const hint =
        meaning === 'values' ? `write | = sum(${result.text}) : before the events` : NAMING;
      this.report(result.span, message, hint);
    }
    return { body: events, when: guard };
  }

  /** Where calls that go one way have a value, those that go another way have one, too. */
  private checkValues(alternatives: readonly Alternative[]): void {
    const { result } = this.declared;
    const own = this.declared.alternatives.find((one) => one.result !== undefined)?.result;
    if (result !== undefined || own === undefined || givesValue(alternatives)) return;
    const hint = 'write `= v :` before the events of each, or of none';
    this.report(own.span, 'some alternatives give a value, and some do not', hint);
  }

  private body(body: ast.BodySyntax): Body {
    switch (body.kind) {
      case 'then':
      case 'beside':
        return { kind: body.kind, parts: body.parts.map((part) => this.body(part)) };
      case 'if': {
        const condition = this.value(body.condition);
        const before = new Map(this.names);
        const inside = this.body(body.body);
        // What is read only where the condition holds is no value elsewhere.
        this.restore(before);
        return { kind: 'if', condition, body: inside };
      }
      case 'for': {
        const of = this.nodes.set(body.of);
        const before = new Map(this.names);
        this.places.define(body.name, 'index', { span: body.name.span }, 'parameter');
        this.declare(body.name, 'node');
        const inside = this.body(body.body);
        const read = [...this.names].filter(([, meaning]) => isRead(meaning));
        this.restore(before);
        // What is read once for each node is several values afterwards.
        for (const [name] of read) if (before.get(name) !== 'value') this.names.set(name, 'values');
        return { kind: 'for', name: body.name.text, of, body: inside };
      }
      case 'event':
        return this.event(body);
    }
  }

  private event(declared: Extract<ast.BodySyntax, { kind: 'event' }>): Body {
    const { label, reads, writes } = declared;
    this.places.use(label, 'event');
    const known = this.labels.get(label.text);
    if (known === undefined) {
      const hint = (): string =>
        didYouMean(label.text, this.labels.keys()) ?? `declare it: event ${label.text}`;
      this.report(label.span, `unknown event '${label.text}'`, hint);
    } else if (known.onQueuePair && this.declared.on === undefined) {
      const message = `'${label.text}' is on a queue pair, and '${this.declared.name.text}' names none`;
      this.report(label.span, message, 'write `on q` or `on qp(x)` before the events');
    }
    const index = this.index(declared, known);
    const read = reads && this.cell(reads.place);
    // What is read may be written back by the same event.
    if (reads !== undefined) {
      this.places.defineOnce(reads.as, 'parameter', { span: declared.span });
      this.declare(reads.as, 'value');
    }
    const written = writes && this.cell(writes.place);
    if (reads !== undefined && writes !== undefined && !isSamePlace(reads.place, writes.place)) {
      const [from, to] = [reads.place.name.text, writes.place.name.text];
      const message = `an event is at one place, and this one reads '${from}'`;
      const hint = `write two events: … reads ${from} as ${reads.as.text} ; … writes ${to} := …`;
      this.report(writes.place.name.span, message, hint);
    }
    return {
      kind: 'event',
      label: label.text,
      index,
      reads: reads && { ...read!, as: reads.as.text },
      writes: writes && { ...written!, value: this.value(writes.value) },
      at: declared.at && this.cell(declared.at),
    };
  }

  /** The node at the other end of an event, if its label has one. */
  private index(
    { label, index }: Extract<ast.BodySyntax, { kind: 'event' }>,
    known: Label | undefined,
  ): NodeOf | undefined {
    if (known?.indexed === true && index === undefined) {
      const hint = `write ${label.text}(n), with the node at its other end`;
      this.report(label.span, `'${label.text}' has an index`, hint);
    }
    if (known !== undefined && known.indexed !== true && index !== undefined) {
      const hint = `declare it so: event ${label.text}(node)`;
      this.report(index.name.span, `'${label.text}' has no index`, hint);
    }
    return index && this.nodes.node(index);
  }

  /** A place in memory, or a copy of an object. */
  private cell({ name, node, wire }: ast.CellExpr): CellOf {
    const place = name.text;
    this.places.use(name, 'parameter');
    if (wire !== undefined) return this.wire(name, wire);
    if (this.names.get(place) !== 'object') {
      this.place(name);
      if (node !== undefined) this.report(node.name.span, `'${place}' has no copies`);
      return { place };
    }
    const cells = this.library?.object?.cells;
    if (cells === 'none') {
      const hint = 'objects that are memory are declared: object x : copied';
      this.report(name.span, 'objects of this library have no memory', hint);
    } else if (cells === 'copies' && node === undefined) {
      this.report(name.span, `'${place}' has a copy on each node`, `write ${place}[here]`);
    } else if (cells === 'one' && node !== undefined) {
      this.report(node.name.span, `'${place}' has no copies`, `write ${place}`);
    }
    return { place, copy: node && this.nodes.node(node) };
  }

  /** `to(q)` or `from(q)`, where `q` says which queue pair the events are on. */
  private wire({ text, span }: Name, word: Name): CellOf {
    const { on } = this.declared;
    if (on === undefined || on.of.text !== text) {
      const hint = on === undefined ? 'write `on q` before the events' : `write ${on.of.text}`;
      this.report(span, `'${text}' does not say which queue pair the events are on`, hint);
    }
    return { place: text, wire: word.text as WireEnd };
  }

  private place({ text, span }: Name): void {
    const meaning = this.names.get(text);
    if (meaning === 'place' || meaning === 'misdeclared') return;
    const message =
      meaning === undefined
        ? `no parameter is called '${text}'`
        : `'${text}' is no place in memory`;
    const guess = (): string | undefined =>
      meaning === undefined ? didYouMean(text, this.names.keys()) : undefined;
    const kinds = 'a place is a parameter of the kind own, remote or any';
    this.report(span, message, () => guess() ?? kinds);
  }

  private value(e: ast.ValueExpr): ValueOf {
    return foldExpression<ast.ValueExprLeaf, ValueOf>(e, {
      int: ({ value }) => ({ kind: 'int', value }),
      leaf: (leaf) => this.valueLeaf(leaf),
      unary: ({ kind, op }, arg) => ({ kind, op, arg }),
      binary: ({ kind, op }, left, right) => ({ kind, op, left, right }),
    });
  }

  private valueLeaf(e: ast.ValueExprLeaf): ValueOf {
    if (e.kind === 'sum') {
      this.summed(e);
      return { kind: 'sum', of: e.of.text };
    }
    const constant = this.names.has(e.text) ? undefined : constantNamed(e.text);
    if (constant !== undefined) return { kind: 'int', value: constant };
    this.places.use(e, 'parameter');
    this.named(e.text, e.span);
    return { kind: 'name', name: e.text };
  }

  /** `sum(v)`, of what a `for` before read as `v`. */
  private summed({ word, of }: Extract<ast.ValueExpr, { kind: 'sum' }>): void {
    if (word.text !== 'sum') {
      const hint = didYouMean(word.text, ['sum']) ?? 'there is sum(v), of what a `for` read as v';
      this.report(word.span, `unknown function '${word.text}'`, hint);
    }
    this.places.use(of, 'parameter');
    const meaning = this.names.get(of.text);
    if (meaning === 'values' || meaning === 'misdeclared') return;
    const several = [...this.names].flatMap(([one, what]) => (what === 'values' ? [one] : []));
    const message =
      meaning === 'value' ? `'${of.text}' is one value` : `no \`for\` before reads '${of.text}'`;
    const hint = didYouMean(of.text, several) ?? SUMMED;
    this.report(of.span, message, hint);
  }

  private named(name: string, span: Span): void {
    const meaning = this.names.get(name);
    if (meaning === 'value' || meaning === 'misdeclared') return;
    if (meaning === 'place') {
      this.report(
        span,
        `'${name}' is a place where a value is wanted`,
        `\`reads ${name} as v\` gives its value`,
      );
      return;
    }
    if (meaning === 'values') {
      const message = `'${name}' is read once for each node, and one value is wanted`;
      this.report(span, message, `sum(${name}) adds them up`);
      return;
    }
    const values = [...this.names].flatMap(([one, what]) => (what === 'value' ? [one] : []));
    const message =
      meaning === undefined ? `nothing gives the value '${name}' here` : `'${name}' is no value`;
    this.report(span, message, () => didYouMean(name, values) ?? NAMING);
  }
}

const isRead = (meaning: Meaning): boolean => meaning === 'value' || meaning === 'values';

/** Do both name one cell? Two parameters do not: a call may give them two locations. */
const isSamePlace = (a: ast.CellExpr, b: ast.CellExpr): boolean =>
  a.name.text === b.name.text &&
  a.node?.name.text === b.node?.name.text &&
  a.wire?.text === b.wire?.text;

const SUMMED = 'a sum is behind what reads it: for n in nodes { … reads x[n] as v }';

const NAMING = 'values are parameters of the kind `value`, and what an event before `reads … as`';

/** Do calls have a value because each alternative has one of its own? */
const givesValue = (alternatives: readonly Alternative[]): boolean =>
  alternatives.length > 0 && alternatives.every(({ result }) => result !== undefined);
