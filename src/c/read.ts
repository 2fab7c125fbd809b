import type { Diagnostic, Parsed, SourceFile } from '../parse/diagnostics/index.js';
import type { Condition, LitmusFile, Observable, QueryDecl } from '../parse/litmus-ast.js';
import { codeOf } from './code.js';
import type { Surroundings } from './core.js';
import { Refusal } from './core.js';
import type { Remark } from './core.js';
import type { Head } from './head.js';
import { headOf } from './head.js';
import { ThreadReader } from './thread.js';
import { brokenIn, parseTree } from './tree.js';

/** A C file as a litmus file, and what was left out or taken for granted. */
export interface ReadC extends Parsed<LitmusFile> {
  readonly remarks: readonly Remark[];
}

/** Reads a C file with a head. Its threads do what their functions do. */
export function parseCFile(source: SourceFile): ReadC {
  const tree = parseTree(source.text);
  const read = headOf(source, tree);
  const broken = brokenIn(tree);
  const errors: Diagnostic[] = [...read.errors];
  if (broken !== undefined && errors.length === 0) {
    const span = {
      file: source.path,
      start: broken.startIndex,
      end: Math.max(broken.endIndex, broken.startIndex),
    };
    const message = broken.isMissing
      ? `a ${broken.type} is missing here`
      : 'this is not understood as C';
    errors.push({ span, message });
  }
  if (read.kind === 'none' || errors.length > 0) return { value: undefined, errors, remarks: [] };
  const { head } = read;
  const around = surroundingsOf(source, head, codeOf(tree));
  const remarks: Remark[] = [];
  const asserted: (Observable & { readonly text: string })[] = [];
  const globals = new Map<string, string>();
  const threads = head.threads.flatMap((thread) => {
    const reader = new ThreadReader(around, thread);
    try {
      const made = reader.declaration();
      for (const { name, text } of reader.asserted) {
        asserted.push({ thread: thread.name, name, span: name.span, text });
      }
      for (const name of reader.ownGlobals) {
        const other = globals.get(name);
        if (other !== undefined) {
          const message = `${name} is used by ${other} and ${thread.name.text}, and is on no node`;
          const { node } = around.code.globals.get(name)!;
          errors.push({
            span: { file: source.path, start: node.startIndex, end: node.endIndex },
            message,
            hint: `declare it in the head: node 1 { ${name} = 0 }`,
          });
        }
        globals.set(name, thread.name.text);
      }
      return [made];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      errors.push(error.diagnostic);
      return [];
    } finally {
      remarks.push(...reader.remarks);
    }
  });
  if (errors.length > 0) return { value: undefined, errors, remarks };
  const queries = [...head.litmus.queries, ...asserted.map((one) => neverFalse(one))];
  if (queries.length === 0 && head.litmus.listed.length === 0) {
    const span = head.litmus.name.span;
    const message = 'nothing is asked';
    errors.push({ span, message, hint: 'add exists (…) to the head, or assert(…) to the code' });
    return { value: undefined, errors, remarks };
  }
  const nodes = head.litmus.nodes.map((node) => ({
    ...node,
    locations: node.locations.flatMap((location) => {
      const count = head.arrays.get(location.name.text);
      if (count === undefined) return [location];
      return Array.from({ length: count }, (_, i) => ({
        ...location,
        name: { ...location.name, text: `${location.name.text}${i}` },
      }));
    }),
  }));
  return { value: { ...head.litmus, nodes, threads, queries }, errors: [], remarks };
}

/** `~exists (T:asserted = 0)` */
function neverFalse({ text: label, ...one }: Observable & { readonly text: string }): QueryDecl {
  const { span } = one;
  const condition: Condition = {
    kind: 'atom',
    left: one,
    equal: true,
    right: { kind: 'int', value: 0, span },
    span,
  };
  const text = `${one.thread!.text}:${one.name.text} = 0`;
  return {
    label,
    quantifier: '~exists',
    condition,
    text,
    span,
    expectations: [],
    observations: [],
  };
}

/** What the threads of a file have in common. */
export function surroundingsOf(
  source: SourceFile,
  { litmus, arrays, allSignalled }: Head,
  code: Surroundings['code'],
): Surroundings {
  const nodeOf = new Map<string, string>();
  for (const { node, locations } of litmus.nodes) {
    for (const { name } of locations) {
      const count = arrays.get(name.text);
      const names =
        count === undefined
          ? [name.text]
          : Array.from({ length: count }, (_, i) => `${name.text}${i}`);
      for (const one of names) nodeOf.set(one, node.text);
    }
  }
  const asked = [...litmus.queries.flatMap(observablesOf), ...litmus.listed];
  return {
    ...{ file: source.path, code, nodeOf, arrays, allSignalled },
    nodes: litmus.nodes.map(({ node }) => node.text),
    observed: (thread) =>
      new Set(
        asked
          .filter((one) => one.thread === undefined || one.thread.text === thread)
          .map(({ name }) => name.text),
      ),
  };
}

function observablesOf(query: QueryDecl): readonly Observable[] {
  return 'condition' in query ? inCondition(query.condition) : [];
}

function inCondition(condition: Condition): readonly Observable[] {
  switch (condition.kind) {
    case 'true':
      return [];
    case 'atom':
      return [condition.left, ...(condition.right.kind === 'name' ? [condition.right.name] : [])];
    case 'not':
      return inCondition(condition.arg);
    case 'and':
    case 'or':
      return [...inCondition(condition.left), ...inCondition(condition.right)];
  }
}
