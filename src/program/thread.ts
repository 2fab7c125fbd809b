import type { Span } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { Expr, Ident, NameRef, Statement, ThreadDecl } from '../parse/litmus-ast.js';
import { locationsOf } from './accessed.js';
import { constantOf } from './arithmetic.js';
import type { Expression, Instruction, LocationId, Target, Thread } from './program.js';
import type { Report, Scope } from './scope.js';
import { checkInteger, checkNode, privateMemory, statements } from './scope.js';

/**
 * Resolves one thread: which assignments are CPU writes, gets and puts, which names are registers, and
 * that everything lives where it is said to live (the semantics page, "Programs").
 * What is wrong is reported; the thread that comes back is then only good for further checks. Waits that
 * wait for nothing are warned of.
 */
export function resolveThread(
  scope: Scope,
  thread: ThreadDecl,
  index: number,
  report: Report,
  warn: Report,
): Thread {
  const own = thread.node.text;
  const memory = privateMemory(scope, thread, index);
  const registers = registerNames(scope, thread, memory);
  const written = writtenNames(thread);
  const works = new Set<string>();
  for (const s of statements(thread.body)) {
    if (s.kind === 'assign' && s.work !== undefined) works.add(s.work.text);
  }

  const unknown = (name: Ident) => {
    const known = [...scope.declared.keys(), ...registers, ...memory.keys()].filter(
      (k) => k !== name.text,
    );
    const guess = didYouMean(name.text, known);
    const message = `'${name.text}' is declared at no node, and ${thread.name.text} never writes it`;
    report(name.span, message, guess);
  };

  /** A location of the own node, declared or private, or undefined where the name is not one. */
  const local = (ref: NameRef): LocationId | undefined => {
    const name = ref.name.text;
    const location = scope.declared.get(name) ?? memory.get(name);
    if (location === undefined) return undefined;
    const home = scope.locations[location].node;
    if (home !== own) {
      const remedy = `write ${name}^${home} for a remote access`;
      report(ref.span, `'${name}' lives on node ${home}, not on ${own}`, remedy);
    } else if (memory.has(name) && !written.has(name)) unknown(ref.name);
    return location;
  };

  /** A location of another node, written with its superscript. */
  const remote = (ref: NameRef & { readonly node: Ident }): LocationId => {
    const name = ref.name.text;
    const location = scope.declared.get(name);
    if (!checkNode(scope, ref.node, report)) return location ?? 0;
    if (location === undefined) {
      const hint = didYouMean(name, scope.declared.keys());
      report(ref.name.span, `unknown location '${name}'`, hint);
      return 0;
    }
    const home = scope.locations[location].node;
    if (home !== ref.node.text) {
      const hint = `write ${name}^${home}`;
      report(ref.span, `'${name}' lives on node ${home}, not on ${ref.node.text}`, hint);
    }
    return location;
  };

  const target = (ref: NameRef): Target => {
    const location = local(ref);
    if (location !== undefined) return { kind: 'location', location };
    return { kind: 'register', register: registers.indexOf(ref.name.text) };
  };

  const expression = (e: Expr): Expression => {
    switch (e.kind) {
      case 'int':
        checkInteger(e.value, e.span, report);
        return { kind: 'int', value: e.value };
      case 'unary':
        return { kind: 'unary', op: e.op, arg: expression(e.arg) };
      case 'binary': {
        const left = expression(e.left);
        const right = expression(e.right);
        const divides = e.op === '/' || e.op === '%';
        if (divides && constantOf(right) === 0) report(e.right.span, 'division by zero');
        return { kind: 'binary', op: e.op, left, right };
      }
      case 'ref': {
        if (e.ref.node !== undefined) {
          const plain = e.ref.node.text === own;
          report(
            e.span,
            plain
              ? `'${e.ref.name.text}' is on the thread's own node`
              : 'the CPU cannot compute with a remote location',
            plain ? 'leave out the superscript' : 'get it into a local location first',
          );
          return { kind: 'int', value: 0 };
        }
        const location = local(e.ref);
        if (location !== undefined) return { kind: 'location', location };
        const register = registers.indexOf(e.ref.name.text);
        if (register < 0) unknown(e.ref.name);
        return { kind: 'register', register: Math.max(0, register) };
      }
    }
  };

  /** The two values of a CAS: no location may occur in them (TSO paper, Fig. 23). */
  const casValue = (e: Expr): Expression => {
    const resolved = expression(e);
    if (locationsOf(resolved).length > 0) {
      report(e.span, 'a value of CAS may name registers only', 'read the location before');
    }
    return resolved;
  };

  const constantLocation = (value: number): LocationId => {
    const known = scope.locations.findIndex(
      (l) => l.hidden === true && l.owner === index && l.initial === value,
    );
    if (known >= 0) return known;
    scope.locations.push({
      name: `constant ${value}`,
      node: own,
      initial: value,
      owner: index,
      hidden: true,
    });
    return scope.locations.length - 1;
  };

  const assign = (s: Extract<Statement, { kind: 'assign' }>): Instruction => {
    const { target: to, value, span } = s;
    const work = s.work === undefined ? {} : { work: s.work.text };
    if (to.node !== undefined) {
      const node = to.node;
      if (node.text === own) {
        report(to.span, `a put to the own node ${own}`, `write ${to.name.text} := … by the CPU`);
      }
      const destination = remote({ ...to, node });
      const from = putSource(value);
      return { kind: 'put', from, to: destination, node: node.text, ...work, span };
    }
    if (value.kind === 'ref' && value.ref.node !== undefined) {
      const node = value.ref.node;
      if (node.text === own) {
        const hint = `write ${to.name.text} := ${value.ref.name.text}`;
        report(value.span, `a get from the own node ${own}`, hint);
      }
      const from = remote({ ...value.ref, node });
      return { kind: 'get', from, to: local(to) ?? 0, node: node.text, ...work, span };
    }
    if (s.work !== undefined) {
      report(s.work.span, 'only gets and puts have work identifiers');
    }
    return { kind: 'assign', target: target(to), value: expression(value), span };
  };

  const putSource = (value: Expr): LocationId => {
    if (value.kind === 'ref' && value.ref.node === undefined) return local(value.ref) ?? 0;
    const resolved = value.kind === 'ref' ? undefined : expression(value);
    const constant = resolved === undefined ? undefined : constantOf(resolved);
    if (constant === undefined) {
      const message = 'a put copies one location of the own node, or a constant';
      report(value.span, message, 'compute the value into a location first');
      return 0;
    }
    return constantLocation(constant);
  };

  const towards = (node: Ident, what: string): string => {
    if (checkNode(scope, node, report) && node.text === own) {
      report(node.span, `${what} towards the own node ${own}`);
    }
    return node.text;
  };

  const limit = (bound: number | undefined, span: Span) => {
    if (bound !== undefined) checkInteger(bound, span, report);
    if (bound !== undefined && bound < 1) report(span, 'a bound is at least 1');
    return bound === undefined ? {} : { bound };
  };

  const instruction = (s: Statement): Instruction[] => {
    const { span } = s;
    switch (s.kind) {
      case 'skip':
        return [];
      case 'assign':
        return [assign(s)];
      case 'cas': {
        if (s.location.node !== undefined && s.location.node.text !== own) {
          report(s.location.span, 'there is no remote CAS in these models');
          return [];
        }
        if (s.target.node !== undefined) {
          report(s.target.span, 'the result of a CAS goes to the own node');
          return [];
        }
        const location = local(s.location);
        if (location === undefined) {
          const hint = didYouMean(s.location.name.text, scope.declared.keys());
          report(s.location.span, `unknown location '${s.location.name.text}'`, hint);
        }
        const [expected, desired] = [casValue(s.expected), casValue(s.desired)];
        const to = target(s.target);
        return [{ kind: 'cas', target: to, location: location ?? 0, expected, desired, span }];
      }
      case 'mfence':
        return [{ kind: 'mfence', span }];
      case 'poll':
      case 'rfence':
        return [
          { kind: s.kind, node: towards(s.node, s.kind === 'poll' ? 'a poll' : 'an rfence'), span },
        ];
      case 'wait':
        if (!works.has(s.work.text)) {
          const none = `no operation of ${thread.name.text} has the identifier '${s.work.text}'`;
          const message = `${none}: this wait orders nothing`;
          warn(s.work.span, message, didYouMean(s.work.text, works));
        }
        return [{ kind: 'wait', work: s.work.text, span }];
      case 'assume':
        return [{ kind: 'assume', condition: expression(s.condition), span }];
      case 'if': {
        const condition = expression(s.condition);
        return [{ kind: 'if', condition, then: block(s.then), else: block(s.else), span }];
      }
      case 'while': {
        const condition = expression(s.condition);
        return [{ kind: 'loop', condition, body: block(s.body), span, ...limit(s.bound, span) }];
      }
      case 'loop':
        return [{ kind: 'loop', body: block(s.body), span, ...limit(s.bound, span) }];
      case 'choose':
        return [{ kind: 'choose', branches: s.branches.map(block), span }];
    }
  };
  const block = (body: readonly Statement[]): Instruction[] => body.flatMap(instruction);

  return {
    name: thread.name.text,
    node: own,
    registers,
    body: block(thread.body),
    span: thread.span,
  };
}

/** Undeclared names that a CPU instruction of the thread writes and that are not memory. */
function registerNames(
  scope: Scope,
  thread: ThreadDecl,
  memory: ReadonlyMap<string, LocationId>,
): string[] {
  const names = new Set<string>();
  for (const s of statements(thread.body)) {
    if ((s.kind !== 'assign' && s.kind !== 'cas') || s.target.node !== undefined) continue;
    const name = s.target.name.text;
    if (!scope.declared.has(name) && !memory.has(name)) names.add(name);
  }
  return [...names];
}

/** Names without superscript that some instruction of the thread writes. */
function writtenNames(thread: ThreadDecl): ReadonlySet<string> {
  const names = new Set<string>();
  for (const s of statements(thread.body)) {
    if ((s.kind === 'assign' || s.kind === 'cas') && s.target.node === undefined) {
      names.add(s.target.name.text);
    }
  }
  return names;
}
