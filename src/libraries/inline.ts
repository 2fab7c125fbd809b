import type { Mistake, Report, Result } from '../parse/diagnostics/index.js';
import { didYouMean, fail, mistakesInOrder, ok } from '../parse/diagnostics/index.js';
import type { ImplementationFile, Method } from '../parse/implementation-ast.js';
import type {
  CallArgument,
  CallStatement,
  LitmusExpr,
  Ident,
  LitmusFile,
  NodeDecl,
  ObjectDecl,
  Statement,
  ThreadDecl,
} from '../parse/litmus-ast.js';
import { mapBranches, statementsOf, targetsOf } from '../parse/statements.js';
import { expand } from './body.js';
import { checkImplementation, heldIn, namesUsed } from './check.js';
import { nameGiven } from './constants.js';
import type { Holdings } from './holdings.js';
import { declareHeld } from './holdings.js';
import { inLevels } from './levels.js';
import type { InlinedCall } from './names.js';
import { identOf, intExpr, refOf, registerOf } from './names.js';
import { printCall } from './print.js';
import { mayReturn, withoutReturns } from './results.js';
import type { VariableBound, LibraryScope } from './scope.js';
import { lookUp, nodesIn } from './scope.js';

/**
 * Values of the parameters of implementations, by name. A parameter without a value here has the one in the
 * implementation.
 */
export type Settings = Readonly<Record<string, number>>;

/**
 * A client in which each call of an implemented library is replaced by its implementation (LOCO paper, Def. 3.9). What
 * implementations hold is declared in the client. The statements that replace a call are in one statement, `inlined`,
 * with the place of the call.
 *
 * @param implementations of any number of levels: the calls of one may be implemented by another
 * @returns a client of the remaining libraries; or mistakes of implementations, and of calls that do not fit them.
 * Mistakes of clients against the library itself are not found here
 */
export function inline(
  client: LitmusFile,
  implementations: readonly ImplementationFile[],
  settings: Settings = {},
): Result<LitmusFile> {
  const wrong = implementations.flatMap(checkImplementation);
  if (wrong.length > 0) return fail(wrong);
  const levels = inLevels(implementations);
  if (!levels.ok) return levels;
  let file = client;
  for (const implementation of levels.value) {
    const next = inlineOne(file, implementation, settings);
    if (!next.ok) return next;
    file = next.value;
  }
  return ok(file);
}

function inlineOne(
  client: LitmusFile,
  implementation: ImplementationFile,
  settings: Settings,
): Result<LitmusFile> {
  const library = implementation.implements.text;
  if (!isClientOf(client, library)) return ok(client);
  const errors: Mistake[] = [];
  const report: Report = (span, message, hint) => errors.push({ span, message, hint });
  const names = new Map<string, VariableBound>(
    implementation.parameters.map(({ name, value }) => [
      name.text,
      { kind: 'int', value: settings[name.text] ?? value },
    ]),
  );
  const holdings = declareHeld(client, implementation, names, report);
  if (errors.length > 0) return fail(mistakesInOrder(errors));
  const inlining = new Inlining(client, implementation, holdings, names, report);
  const threads = client.threads.map((thread) => inlining.thread(thread));
  checkQueries(client, implementation, report);
  if (errors.length > 0) return fail(mistakesInOrder(errors));
  return ok({
    ...client,
    uses: usedBelow(client, implementation),
    nodes: withLocations(client.nodes, holdings),
    objects: [
      ...client.objects.filter((object) => object.library.text !== library),
      ...holdings.objects,
    ],
    threads,
  });
}

const isClientOf = ({ uses, objects, threads }: LitmusFile, library: string): boolean =>
  uses.some(({ text }) => text === library) ||
  objects.some((object) => object.library.text === library) ||
  threads.some(({ body }) =>
    [...statementsOf(body)].some((s) => s.kind === 'call' && s.library?.text === library),
  );

/** The libraries that the client then uses: the lower ones instead of the one that is implemented. */
function usedBelow({ uses }: LitmusFile, implementation: ImplementationFile): readonly Ident[] {
  const others = uses.filter(({ text }) => text !== implementation.implements.text);
  const known = new Set(others.map(({ text }) => text));
  return [...others, ...implementation.over.filter(({ text }) => !known.has(text))];
}

function withLocations(nodes: readonly NodeDecl[], { locations }: Holdings): readonly NodeDecl[] {
  const added = new Set<string>();
  return nodes.map((declared) => {
    const { text } = declared.node;
    if (added.has(text)) return declared;
    added.add(text);
    return { ...declared, locations: [...declared.locations, ...(locations.get(text) ?? [])] };
  });
}

/** Reports queries about objects that an implementation replaces. Queries must be about results. */
function checkQueries(
  client: LitmusFile,
  { name, implements: library }: ImplementationFile,
  report: Report,
): void {
  const gone = client.objects
    .filter((o) => o.library.text === library.text)
    .map((o) => o.name.text);
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('name' in part && 'span' in part && !('kind' in part) && !('thread' in part)) {
      const { text, span } = part.name as Ident;
      const object = text.replace(/\[.*$/, '');
      if (!gone.includes(object)) return;
      const message = `'${text}' is of a library that ${name.text} implements: there is no such thing then`;
      return report(span, message, 'ask what calls return');
    }
    Object.values(part).forEach(look);
  };
  const conditions = client.queries.flatMap((q) => ('condition' in q ? [q.condition] : []));
  look([...conditions, client.filter?.condition, client.listed]);
}

class Inlining {
  private calls = 0;
  private readonly longest: number;

  constructor(
    private readonly client: LitmusFile,
    private readonly implementation: ImplementationFile,
    private readonly holdings: Holdings,
    private readonly names: ReadonlyMap<string, VariableBound>,
    private readonly report: Report,
  ) {
    this.longest = longestTuple(client);
  }

  thread(thread: ThreadDecl): ThreadDecl {
    return { ...thread, body: this.block(thread, thread.body) };
  }

  private block(thread: ThreadDecl, body: readonly Statement[]): readonly Statement[] {
    return body.flatMap((s) => {
      if (s.kind === 'call' && s.library?.text === this.implementation.implements.text) {
        return this.call(thread, s);
      }
      return [mapBranches(s, (inner) => this.block(thread, inner))];
    });
  }

  /** The statements that replace a call; none if it is given an empty set of nodes and has no result. */
  private call(thread: ThreadDecl, s: CallStatement): readonly Statement[] {
    const method = this.method(s);
    const scope = method && this.scope(thread, method, s);
    if (method === undefined || scope === undefined) return [];
    const bound = [...scope.names.values()];
    const isEmpty = bound.some((b) => b.kind === 'nodes' && b.nodes.length === 0);
    if (isEmpty && s.target === undefined) return [];
    const site: InlinedCall = {
      implementation: this.implementation,
      method,
      locals: assignedIn(method),
      holdings: this.holdings,
      span: s.span,
      prefix: `${this.implementation.implements.text}${++this.calls}`,
      longest: this.longest,
      count: { made: 0 },
    };
    const zeros = new Set<string>();
    const expanded = expand(site, scope, zeros);
    const finished = withoutReturns(expanded, (value) => give(site, s, value));
    const cleared = [...zeros].map((name): Statement => {
      return {
        kind: 'assign',
        target: refOf(site, name),
        value: intExpr(site, 0),
        span: { ...s.span },
      };
    });
    return [{ kind: 'inlined', call: printCall(s), body: [...cleared, ...finished], span: s.span }];
  }

  private method(s: CallStatement): Method | undefined {
    const { name, methods } = this.implementation;
    const method = methods.find((m) => m.name.text === s.name.text);
    if (method === undefined) {
      const known = methods.map((m) => m.name.text);
      const hint = () => didYouMean(s.name.text, known) ?? `its methods are ${known.join(', ')}`;
      this.report(s.name.span, `${name.text} has no method '${s.name.text}'`, hint);
      return undefined;
    }
    const form = formOf(this.implementation, method);
    const given = s.arguments?.length ?? 0;
    if (given !== method.parameters.length) {
      const count = `${method.parameters.length} ${method.parameters.length === 1 ? 'argument' : 'arguments'}`;
      this.report(s.span, `'${s.name.text}' has ${count}, not ${given}`, `write ${form}`);
      return undefined;
    }
    if (method.into !== undefined && s.target === undefined) {
      this.report(s.span, `'${s.name.text}' writes a place`, `write ${form}`);
      return undefined;
    }
    if (method.into === undefined && s.target !== undefined && !mayReturn(method.body)) {
      this.report(s.span, `'${s.name.text}' returns nothing`, `write ${form}`);
      return undefined;
    }
    if (method.work === undefined && s.work !== undefined) {
      this.report(s.work.span, `'${s.name.text}' has no identifier here`, `write ${form}`);
      return undefined;
    }
    return method;
  }

  /** The meanings of the parameters in one call. */
  private scope(thread: ThreadDecl, method: Method, s: CallStatement): LibraryScope | undefined {
    const me = { thread: thread.name.text, node: thread.node.text };
    const outer: LibraryScope = { client: this.client, names: new Map(), report: this.report, me };
    const names = new Map(this.names);
    const enter = (name: Ident, bound: VariableBound | undefined): void => {
      if (bound !== undefined) names.set(name.text, bound);
    };
    const given = (s.arguments ?? []).map((one) => this.bound(outer, one));
    if (given.includes(undefined)) return undefined;
    method.parameters.forEach((name, i) => enter(name, given[i]));
    if (method.into !== undefined && s.target !== undefined) {
      const { target } = s;
      enter(method.into, this.bound({ ...outer }, { kind: 'ref', ref: target, span: target.span }));
    }
    if (method.work !== undefined && s.work !== undefined) {
      const { text, span } = s.work;
      const value: LitmusExpr = { kind: 'ref', ref: { name: { text, span }, span }, span };
      names.set(method.work.text, { kind: 'given', value });
    }
    const scope = { ...outer, names };
    const objects = [...method.parameters, ...(method.into === undefined ? [] : [method.into])];
    const first = objects.map((name) => lookUp(scope, name.text)).find((b) => b?.kind === 'object');
    const object = first?.kind === 'object' ? first.object : undefined;
    return this.hasObject(thread, method, s, object) ? { ...scope, object } : undefined;
  }

  /** Reports a call without the object of its method, and a call by a thread without a role in the object. */
  private hasObject(
    { name }: ThreadDecl,
    method: Method,
    s: CallStatement,
    object: ObjectDecl | undefined,
  ): boolean {
    const library = this.implementation.implements.text;
    if (object === undefined) {
      const own = heldIn(this.implementation.perObject.flatMap((each) => each.held)).names;
      if (!namesUsed(method.body).some((one) => own.has(one))) return true;
      const known = this.client.objects.filter((o) => o.library.text === library);
      const names = known.map((o) => o.name.text).join(', ');
      const hint = known.length > 0 ? `there are ${names}` : `declare one: ${library} x`;
      this.report(s.span, `this call is given no object of ${library}`, hint);
      return false;
    }
    const { roles } = object;
    if (roles.length === 0 || roles.some((r) => r.threads.some((t) => t.text === name.text)))
      return true;
    this.report(s.span, `${name.text} has no role in ${object.name.text}`);
    return false;
  }

  private bound(scope: LibraryScope, given: CallArgument): VariableBound | undefined {
    if (given.kind === 'peer') {
      this.report(given.span, 'a queue pair is no argument of a method');
      return undefined;
    }
    if (given.kind === 'nodes') {
      return { kind: 'nodes', nodes: nodesIn({ ...scope, me: undefined }, given.set) ?? [] };
    }
    const text = given.kind === 'ref' ? given.ref.name.text : nameGiven(given)?.text;
    const object = this.client.objects.find(
      (o) => o.name.text === text && o.library.text === this.implementation.implements.text,
    );
    return object === undefined ? { kind: 'given', value: given } : { kind: 'object', object };
  }
}

/** Translates `return e`: the value goes to the call's target, or to a register that nobody reads. */
function give(site: InlinedCall, s: CallStatement, value: LitmusExpr | CallStatement): Statement {
  const target = s.target ?? refOf(site, registerOf(site, 'result'));
  const span = { ...s.span };
  if (value.kind !== 'call') return { kind: 'assign', target, value, span };
  return { ...value, target, work: value.work && identOf(site, value.work.text), span };
}

/** `y :=^d msw.put(x)` */
function formOf({ implements: library }: ImplementationFile, method: Method): string {
  const { name, parameters, into, work, body } = method;
  const called = `${library.text}.${name.text}(${parameters.map(({ text }) => text).join(', ')})`;
  const left = into?.text ?? (mayReturn(body) ? 'a' : undefined);
  if (left === undefined) return called;
  return `${left} :=${work === undefined ? '' : `^${work.text}`} ${called}`;
}

/** The names that a method assigns. */
function assignedIn({ body }: Method): ReadonlySet<string> {
  const names = new Set<string>();
  for (const s of statementsOf(body)) {
    for (const { name } of targetsOf(s)) names.add(name.text);
  }
  return names;
}

/** The length of the longest tuple that a client may give to a call: a tuple in its text, or one of an object. */
function longestTuple({ threads, objects }: LitmusFile): number {
  let longest = Math.max(1, ...objects.map(({ words }) => words ?? 1));
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('kind' in part && part.kind === 'tuple' && 'parts' in part) {
      longest = Math.max(longest, (part.parts as readonly LitmusExpr[]).length);
    }
    Object.values(part).forEach(look);
  };
  look(threads);
  return longest;
}
