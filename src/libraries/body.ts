import type {
  CallArgument,
  CallStatement,
  LitmusExpr,
  NameRef,
  Statement,
} from '../parse/litmus-ast.js';
import { chooseMember, computedIndex } from './computed.js';
import { constantIn, nameGiven, numberIn, textOf } from './constants.js';
import { INDEX, binaryExpr, registerAt, translate, tupleOf } from './expressions.js';
import type { InlinedCall } from './names.js';
import {
  familyOf,
  heldName,
  identOf,
  intExpr,
  nameExpr,
  refOf,
  registerOf,
  workName,
} from './names.js';
import type { LibraryScope } from './scope.js';
import { bind, lookUp, membersOf, nodesIn } from './scope.js';
import { mapWords } from '../parse/statements.js';

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

/**
 * The statements of a method for one call, in the language of litmus files and `return`: a `for` is written out, names
 * are those of the client's program, and a computed index is a choice among the members.
 *
 * @param zeros gets the registers that may be read before they are written; they have to be set to 0 at the start
 */
export function expand(
  site: InlinedCall,
  start: LibraryScope,
  zeros: Set<string>,
): readonly Statement[] {
  return new Expanding(site, zeros).block(start, site.method.body);
}

class Expanding {
  constructor(
    private readonly site: InlinedCall,
    private readonly zeros: Set<string>,
  ) {}

  block(scope: LibraryScope, body: readonly Statement[]): readonly Statement[] {
    return body.flatMap((s) => this.statement(scope, s));
  }

  private statement(scope: LibraryScope, s: Statement): readonly Statement[] {
    const span = { ...this.site.span };
    switch (s.kind) {
      case 'assign':
      case 'call':
        return this.simple(scope, s);
      case 'skip':
        return [];
      case 'assume':
        return [{ ...s, condition: this.value(scope, s.condition), span }];
      case 'if':
        return this.conditional(scope, s);
      case 'while':
        return [
          {
            ...s,
            condition: this.value(scope, s.condition),
            body: this.block(scope, s.body),
            span,
          },
        ];
      case 'loop':
        return [{ ...s, body: this.block(scope, s.body), span }];
      case 'choose':
        return [{ ...s, branches: s.branches.map((b) => this.block(scope, b)), span }];
      case 'for':
        return this.forEach(scope, s);
      case 'return':
        return this.result(scope, s);
      // A method has none of these (`check.ts`).
      case 'critical':
      case 'point':
      case 'ghost':
      case 'assert':
      case 'inlined':
        return [];
    }
  }

  /** An `if` whose condition is known before anything runs leaves only the branch that is taken. */
  private conditional(scope: LibraryScope, s: Of<'if'>): readonly Statement[] {
    const known = numberIn(scope, s.condition);
    if (known !== undefined) return this.block(scope, known === 0 ? s.else : s.then);
    const condition = this.value(scope, s.condition);
    const [yes, no] = [this.block(scope, s.then), this.block(scope, s.else)];
    if (yes.length === 0 && no.length === 0) return [];
    return [{ ...s, condition, then: yes, else: no, span: { ...this.site.span } }];
  }

  private forEach(scope: LibraryScope, { variable, over, body }: Of<'for'>): readonly Statement[] {
    if (over.kind !== 'range') {
      const members = membersOf(scope, over) ?? [];
      return members.flatMap((member) => this.block(bind(scope, variable.text, member), body));
    }
    const from = numberIn(scope, over.from);
    if (from === undefined) {
      scope.report(over.from.span, 'where a range begins is known before anything runs');
      return [];
    }
    const to = numberIn(scope, over.to);
    const last = this.value(scope, over.to);
    const iterations: Statement[] = [];
    for (let i = from; i <= (to ?? this.site.longest); i++) {
      const made = this.block(bind(scope, variable.text, { kind: 'int', value: i }), body);
      if (to !== undefined) iterations.push(...made);
      else if (made.length > 0)
        iterations.push(this.branch(binaryExpr(this.site, '>=', last, this.int(i)), made));
    }
    return iterations;
  }

  private branch(
    condition: LitmusExpr,
    then: readonly Statement[],
    otherwise: readonly Statement[] = [],
  ): Statement {
    return { kind: 'if', condition, then, else: otherwise, span: { ...this.site.span } };
  }

  /**
   * `return v[1 .. n]` with a computed n is a choice of lengths. For a length that no call submits, it is the tuple of
   * no words.
   */
  private result(scope: LibraryScope, { value }: Of<'return'>): readonly Statement[] {
    const given = (result: LitmusExpr | CallStatement): Statement => ({
      kind: 'return',
      value: result,
      span: { ...this.site.span },
    });
    if (value.kind !== 'slice' || numberIn(scope, value.to) !== undefined) {
      return this.simpleResult(scope, value, given);
    }
    const [from, last] = [numberIn(scope, value.from) ?? 1, this.value(scope, value.to)];
    let otherwise: Statement = given(tupleOf(this.site, []));
    for (let n = this.site.longest; n >= from; n--) {
      const parts = Array.from({ length: n - from + 1 }, (_, i) => from + i);
      for (const i of parts) this.zeros.add(registerOf(this.site, `${value.name.text}[${i}]`));
      const words = parts.map((i) => registerAt(this.site, value.name.text, i));
      const isThis = binaryExpr(this.site, '=', last, this.int(n));
      otherwise = this.branch(isThis, [given(tupleOf(this.site, words))], [otherwise]);
    }
    return [otherwise];
  }

  /** A returned value with a computed index is first put into a register. */
  private simpleResult(
    scope: LibraryScope,
    value: LitmusExpr | CallStatement,
    given: (result: LitmusExpr | CallStatement) => Statement,
  ): readonly Statement[] {
    const { span } = value;
    const target: NameRef = { name: { text: RESULT, span }, span };
    const stored: Of<'assign' | 'call'> =
      value.kind === 'call' ? { ...value, target } : { kind: 'assign', target, value, span };
    if (computedIndex(this.site, scope, stored) !== undefined) {
      const result = nameExpr(this.site, registerOf(this.site, RESULT));
      return [...this.simple(scope, stored), given(result)];
    }
    if (value.kind !== 'call') return [given(this.value(scope, value))];
    return this.call(scope, value).map((made) => (made.kind === 'call' ? given(made) : made));
  }

  /** An assignment or a call. A computed index in it is a choice among the members. */
  private simple(scope: LibraryScope, s: Of<'assign' | 'call'>): readonly Statement[] {
    const computed = computedIndex(this.site, scope, s);
    if (computed !== undefined) {
      const index = this.value(scope, computed.index!);
      return chooseMember(this.site, scope, s, computed, index, (one) => this.simple(scope, one));
    }
    return s.kind === 'assign' ? this.assign(scope, s) : this.call(scope, s);
  }

  private assign(scope: LibraryScope, s: Of<'assign'>): readonly Statement[] {
    const value = (e: LitmusExpr): LitmusExpr =>
      e.kind === 'ref' && e.ref.node !== undefined
        ? this.remote(scope, e.ref)
        : this.value(scope, e);
    const work = s.work && workName(this.site, scope, s.work);
    return [
      {
        ...mapWords(s, (ref) => this.place(scope, ref, true), value),
        work: work === undefined ? undefined : identOf(this.site, work),
        span: { ...this.site.span },
      },
    ];
  }

  private remote(scope: LibraryScope, ref: NameRef): LitmusExpr {
    return { kind: 'ref', ref: this.place(scope, ref, false), span: { ...this.site.span } };
  }

  /**
   * A place on one side of `:=`: something that the implementation holds, perhaps with its node, or a register that is
   * written.
   */
  private place(scope: LibraryScope, ref: NameRef, isWritten: boolean): NameRef {
    const held = heldName(this.site, scope, ref);
    const node = ref.node && identOf(this.site, this.nodeName(scope, ref.node.text));
    if (held !== undefined) return { ...refOf(this.site, held), node };
    const { text, span } = ref.name;
    const bound = lookUp(scope, text);
    if (
      bound?.kind === 'given' &&
      bound.value.kind === 'ref' &&
      (!isWritten || text === this.site.method.into?.text)
    ) {
      return { ...refOf(this.site, bound.value.ref.name.text), node: node ?? bound.value.ref.node };
    }
    if (bound !== undefined)
      scope.report(span, `'${text}' is given by the client, and is not assigned`);
    else if (node !== undefined) scope.report(span, `nothing is held under the name '${text}'`);
    if (ref.index === undefined) return refOf(this.site, registerOf(this.site, text));
    const at = constantIn(scope, ref.index);
    if (at === undefined) {
      scope.report(ref.span, `the index of '${text}' is known before anything runs`, INDEX);
      return refOf(this.site, registerOf(this.site, text));
    }
    return refOf(this.site, registerOf(this.site, `${text}[${textOf(at)}]`));
  }

  private nodeName(scope: LibraryScope, name: string): string {
    const bound = lookUp(scope, name);
    return bound?.kind === 'node' ? bound.name : name;
  }

  /** A call of a lower library. A call with an empty set of nodes is left out, since it has no events. */
  private call(scope: LibraryScope, s: CallStatement): readonly Statement[] {
    const given = s.arguments?.map((one) => this.argument(scope, one));
    const isEmpty = given?.some(
      (one) => one.kind === 'nodes' && one.set.kind === 'set' && one.set.nodes.length === 0,
    );
    if (isEmpty === true && s.target === undefined) return [];
    const work = s.work && workName(this.site, scope, s.work);
    return [
      {
        ...s,
        arguments: given,
        target: s.target && this.place(scope, s.target, true),
        work: work === undefined ? undefined : identOf(this.site, work),
        span: { ...this.site.span },
      },
    ];
  }

  private argument(scope: LibraryScope, given: CallArgument): CallArgument {
    const span = { ...this.site.span };
    if (given.kind === 'peer') return given;
    if (given.kind === 'nodes') return this.nodes(nodesIn(scope, given.set) ?? []);
    const name = nameGiven(given);
    if (name === undefined) {
      const isPlace = given.kind === 'ref' && given.ref.node !== undefined;
      return isPlace
        ? { kind: 'ref', ref: this.place(scope, given.ref, false), span }
        : this.value(scope, given);
    }
    const family = familyOf(this.site, scope, { name, span });
    const bound = family === undefined ? lookUp(scope, name.text) : undefined;
    if (bound?.kind === 'nodes') return this.nodes(bound.nodes);
    if (bound?.kind === 'node') {
      return /^\d+$/.test(bound.name)
        ? this.int(Number(bound.name))
        : nameExpr(this.site, bound.name);
    }
    if (family !== undefined || bound !== undefined || this.site.locals.has(name.text)) {
      return this.value(scope, given);
    }
    return nameExpr(this.site, workName(this.site, scope, name) ?? name.text);
  }

  private nodes(nodes: readonly string[]): CallArgument {
    const span = { ...this.site.span };
    const set = { kind: 'set' as const, nodes: nodes.map((n) => identOf(this.site, n)), span };
    return { kind: 'nodes', set, span };
  }

  private value(scope: LibraryScope, e: LitmusExpr): LitmusExpr {
    return translate(this.site, scope, e);
  }

  private int(value: number): LitmusExpr {
    return intExpr(this.site, value);
  }
}

/** A name that no method can have. */
const RESULT = 'result#';
