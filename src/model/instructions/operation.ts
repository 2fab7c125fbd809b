import { didYouMean } from '../../parse/diagnostics/index.js';
import type { Name } from '../../parse/cat-ast.js';
import type * as ast from '../../parse/declaration-ast.js';
import type { Span } from '../../parse/diagnostics/index.js';
import type { Alternative, Body, Label, Operation, Parameter, ValueOf } from './set.js';
import { PARAMETER_KINDS, PLACES } from './set.js';

export type Report = (span: Span, message: string, hint?: string) => void;

/** What a name in the body of an operation stands for. */
type Meaning = 'place' | 'value' | 'other' | 'misdeclared';

/** Checks one declared operation, and gives it as data. Every mistake is reported where it stands. */
export class OperationChecker {
  private readonly names = new Map<string, Meaning>();

  constructor(
    private readonly declared: ast.OperationDeclaration,
    private readonly labels: ReadonlyMap<string, Label>,
    private readonly report: Report,
  ) {}

  /** The operation; what was reported is left out of it or may be wrong in it. */
  check(): Operation {
    const { name, tag, result, work, words } = this.declared;
    const parameters = this.declared.parameters.map((parameter) => this.parameter(parameter));
    const into = this.declared.into && this.intoPlace(this.declared.into);
    if (work !== undefined) this.declare(work, 'other');
    const on = this.queuePair();
    const known = new Map(this.names);
    const alternatives = this.declared.alternatives.map((alternative) => {
      this.names.clear();
      for (const [parameter, meaning] of known) this.names.set(parameter, meaning);
      return this.alternative(alternative);
    });
    return {
      name: name.text,
      tag: tag?.text,
      parameters,
      into,
      on,
      work: work?.text,
      result: result?.text,
      alternatives,
      words,
    };
  }

  private parameter({ kind, name }: ast.Parameter): Parameter {
    const known = PARAMETER_KINDS.find((one) => one === kind.text);
    if (known === undefined) {
      const hint =
        didYouMean(kind.text, PARAMETER_KINDS) ?? `there are ${PARAMETER_KINDS.join(', ')}`;
      this.report(kind.span, `unknown kind of parameter '${kind.text}'`, hint);
    }
    const place = known !== undefined && PLACES.includes(known);
    const meaning = place ? 'place' : known === 'value' ? 'value' : 'other';
    this.declare(name, known === undefined ? 'misdeclared' : meaning);
    return { kind: known ?? 'value', name: name.text };
  }

  private intoPlace(declared: ast.Parameter): Parameter {
    const parameter = this.parameter(declared);
    if (PLACES.includes(parameter.kind)) return parameter;
    this.report(
      declared.kind.span,
      '`into` needs a place',
      'write `into own x` or `into remote x`',
    );
    return parameter;
  }

  private declare(name: Name, meaning: Meaning): void {
    if (this.names.has(name.text)) this.report(name.span, `'${name.text}' is given twice`);
    this.names.set(name.text, meaning);
  }

  private queuePair(): string | undefined {
    const { on, parameters, into } = this.declared;
    if (on === undefined) return undefined;
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

  private alternative({ body, when }: ast.Alternative): Alternative {
    const events = this.body(body);
    const { result } = this.declared;
    const guard = when && this.value(when);
    if (result !== undefined && this.names.get(result.text) !== 'value') {
      this.report(result.span, `some alternative does not give the value '${result.text}'`, NAMING);
    }
    return { body: events, when: guard };
  }

  private body(body: ast.Body): Body {
    switch (body.kind) {
      case 'then':
      case 'beside':
        return { kind: body.kind, parts: body.parts.map((part) => this.body(part)) };
      case 'if': {
        const condition = this.value(body.condition);
        const before = new Set(this.names.keys());
        const inside = this.body(body.body);
        // What is read only where the condition holds is no value elsewhere.
        for (const name of this.names.keys()) if (!before.has(name)) this.names.delete(name);
        return { kind: 'if', condition, body: inside };
      }
      case 'event':
        return this.event(body);
    }
  }

  private event(declared: Extract<ast.Body, { kind: 'event' }>): Body {
    const { label, reads, writes } = declared;
    const known = this.labels.get(label.text);
    if (known === undefined) {
      const hint = didYouMean(label.text, this.labels.keys());
      this.report(
        label.span,
        `unknown event '${label.text}'`,
        hint ?? `declare it: event ${label.text}`,
      );
    } else if (known.onQueuePair && this.declared.on === undefined) {
      const message = `'${label.text}' is on a queue pair, and '${this.declared.name.text}' names none`;
      this.report(label.span, message, 'write `on q` or `on qp(x)` before the events');
    }
    if (reads !== undefined) this.place(reads.place);
    // What is read may be written back by the same event.
    if (reads !== undefined) this.declare(reads.as, 'value');
    if (writes !== undefined) this.place(writes.place);
    const written = writes && { place: writes.place.text, value: this.value(writes.value) };
    const read = reads && { place: reads.place.text, as: reads.as.text };
    return { kind: 'event', label: label.text, reads: read, writes: written };
  }

  private place({ text, span }: Name): void {
    const meaning = this.names.get(text);
    if (meaning === 'place' || meaning === 'misdeclared') return;
    const message =
      meaning === undefined
        ? `no parameter is called '${text}'`
        : `'${text}' is no place in memory`;
    const hint = meaning === undefined ? didYouMean(text, this.names.keys()) : undefined;
    this.report(span, message, hint ?? 'a place is a parameter of the kind own, remote or any');
  }

  private value(e: ast.ValueExpr): ValueOf {
    switch (e.kind) {
      case 'int':
        return { kind: 'int', value: e.value };
      case 'name':
        this.named(e.text, e.span);
        return { kind: 'name', name: e.text };
      case 'unary':
        return { kind: 'unary', op: e.op, arg: this.value(e.arg) };
      case 'binary':
        return { kind: 'binary', op: e.op, left: this.value(e.left), right: this.value(e.right) };
    }
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
    const values = [...this.names].flatMap(([one, what]) => (what === 'value' ? [one] : []));
    const message =
      meaning === undefined ? `nothing gives the value '${name}' here` : `'${name}' is no value`;
    this.report(span, message, didYouMean(name, values) ?? NAMING);
  }
}

const NAMING = 'values are parameters of the kind `value`, and what an event before `reads … as`';
