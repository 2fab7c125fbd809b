import { instructionsOf } from '../program/instructions.js';
import { printTest } from '../program/print.js';
import type { Program, Test } from '../program/program.js';
import { observedSubjects, subjectName } from '../program/subjects.js';
import { chainsOf } from './chains.js';
import { HELPERS, post } from './helpers.js';
import { leftOut } from './left-out.js';
import { threadFunction } from './names.js';
import { placed } from './placed.js';
import type { Layout, Parameter, Printed } from './thread.js';
import { printThread } from './thread.js';
import { wiringOf } from './wiring.js';

/** A test as a file of C, or why it is none. */
export type Emitted = { readonly text: string; readonly test: Test } | { readonly leftOut: string };

/**
 * A test as C over libibverbs: a head, so that `remora check` reads it back, a function for each thread, and a table of what the run time
 * (cards/run) sets up for it.
 *
 * @param symbol the name of the table in C
 */
export function emit(original: Test, symbol: string, inlines = false): Emitted {
  const reason = leftOut(original);
  if (reason !== undefined) return { leftOut: reason };
  const test = placed(original, inlines);
  const { program } = test;
  const chains = chainsOf(program);
  if (chains === undefined) return { leftOut: 'its requests ask for two orders of the same words' };
  const kindOf = (id: number): string => [...(program.locations[id].tags ?? [])].sort().join(' ');
  const isSplit = chains.order.some((id) =>
    chains.behind(id).some((b) => kindOf(b) !== kindOf(id)),
  );
  if (isSplit) return { leftOut: 'one request is for words in regions of two kinds' };
  const layout: Layout = { program, chains, wiring: wiringOf(program) };
  const subjects = observedSubjects(test);
  const threads = program.threads.map((_, index) => {
    const observed = subjects.flatMap((s, at) =>
      s.kind === 'register' && s.thread === index ? [[s.register, at] as const] : [],
    );
    return printThread(layout, index, new Map(observed));
  });
  const bodies = threads.flatMap(({ lines }) => lines).join('\n');
  const calls = (name: string): boolean => new RegExp(`\\b${name}\\(`).test(bodies);
  const helpers = [...HELPERS].filter(([name]) => calls(name)).map(([, text]) => text);
  const posts = helpers.some((text) => text.includes('post(t'));
  const code = [
    '#include "remora.h"',
    ...(posts ? [post(calls('remora_fence'))] : []),
    ...helpers,
    ...program.threads.flatMap(({ name }, i) => functionsOf(name, threads[i], chains.order)),
    table(layout, test, symbol),
  ].join('\n\n');
  return { text: `/* ${head(test, threads, code)}*/\n\n${code}\n`, test };
}

/** The calls of the run time, as the reader of C is told of them. */
const MEANINGS: readonly (readonly [name: string, meaning: string])[] = [
  ['remora_set', 'call remora_set(t, n, value) = nothing'],
  ['remora_pause', 'call remora_pause(t) = nothing'],
  ['remora_wait', 'call remora_wait(t) = nothing'],
  ['remora_assume', 'call remora_assume(t, holds) = assume(holds)'],
  ['remora_fence', 'call remora_fence(t, qp) = fence on qp'],
  ['remora_fenced', 'call remora_fenced(t, qp) = value 0'],
];

function head(test: Test, threads: readonly Printed[], code: string): string {
  // Threads have bindings in the place of instructions; all else is as it is printed.
  const bodiless = test.program.threads.map((t) => ({ ...t, body: [] }));
  const printed = printTest({ ...test, program: { ...test.program, threads: bodiless } });
  const meanings = MEANINGS.filter(([name]) => code.includes(`${name}(`));
  const shared = sharedLines(test.program);
  const lines = test.program.threads.map(({ name, node }, i) => {
    const { parameters, bindings } = threads[i];
    const given = ['t', ...parameters.map((one) => one.name)].join(', ');
    return `thread ${name} = ${threadFunction(name)}(${given}) on ${node} { ${bindings.join('; ')} }`;
  });
  const [before, after] = splitThreads(printed);
  return [before, ...shared, ...meanings.map(([, line]) => line), ...lines, after]
    .join('\n')
    .trim()
    .split('\n')
    .map((line, i) => (i === 0 || line === '' ? line : `   ${line.trim()}`))
    .join('\n')
    .replaceAll('*/', '* /')
    .concat('\n');
}

function splitThreads(printed: string): readonly [string, string] {
  const lines = printed.split('\n');
  const first = lines.findIndex((line) => line.startsWith('thread '));
  const rest = lines.slice(first).filter((line) => !line.startsWith('thread '));
  const before = lines.slice(0, first).filter((line) => !line.startsWith('cq '));
  return [before.join('\n'), rest.join('\n')];
}

/** Queue pairs that threads share: printed programs have them only where threads have instructions. */
function sharedLines({ threads }: Program): readonly string[] {
  const said = threads.flatMap((t) =>
    (t.queuePairs ?? []).flatMap(({ name, node, joint }) => {
      if (joint !== true) return [];
      const of = threads.filter(
        (one) =>
          one.node === t.node &&
          one.queuePairs?.some((q) => q.joint === true && q.name === name && q.node === node) ===
            true,
      );
      return [`qp ${name} : ${of.map((one) => one.name).join(', ')} -> ${node}`];
    }),
  );
  return [...new Set(said)];
}

/** The function of a thread, and the one by which the run time calls it. */
function functionsOf(
  name: string,
  { parameters, lines }: Printed,
  order: readonly number[],
): readonly string[] {
  const declared = [
    'struct remora_thread *t',
    ...parameters.map((one) => `${one.type}${one.name}`),
  ];
  const given = ['t', ...parameters.map((one) => argument(one, order))];
  return [
    `static void ${threadFunction(name)}(${declared.join(', ')})\n{\n${lines.map((line) => `    ${line}\n`).join('')}}`,
    `static void run_${name}(struct remora_thread *t)\n{\n    ${threadFunction(name)}(${given.join(', ')});\n}`,
  ];
}

/** Where the run time has what a function is given. */
function argument(one: Parameter, order: readonly number[]): string {
  switch (one.of) {
    case 'place':
      return `t->run->${one.what}[${order.indexOf(one.location)}]`;
    case 'pair':
      return `t->run->qp[${one.index}]`;
    case 'queue':
      return `t->run->cq[${one.index}]`;
    case 'way':
      return 'remora_way(t)';
  }
}

function table({ program, chains, wiring }: Layout, test: Test, symbol: string): string {
  const { nodes, locations, threads } = program;
  const order = chains.order.filter((id) => locations[id].hidden !== true);
  const node = (name: string): number => nodes.indexOf(name);
  const array = (type: string, name: string, rows: readonly string[]): string =>
    `static const ${type} ${name}[] = {\n${rows.map((row) => `    ${row},\n`).join('')}};`;
  const kind = (tags: readonly string[] = []): string =>
    tags.includes('relaxed')
      ? 'REMORA_RELAXED'
      : tags.includes('strict')
        ? 'REMORA_STRICT'
        : 'REMORA_PLAIN';
  const subjects = observedSubjects(test);
  const outcomes = subjects.map((s) => {
    const at = s.kind === 'location' ? order.indexOf(s.location) : -1;
    return `{ ${string(subjectName(program, s, true))}, ${at} }`;
  });
  const needs = [...needsOf(program)].map((one) => `REMORA_NEEDS_${one}`);
  const sized = (name: string): string =>
    `.${name} = ${name}, .${name}_count = sizeof ${name} / sizeof *${name},`;
  const arrays = [
    array(
      'struct remora_place',
      'places',
      order.map((id) => {
        const { name, node: on, initial, tags } = locations[id];
        return `{ ${string(name)}, ${node(on)}, ${initial}, ${kind(tags)}, ${chains.isBehind(id) ? 1 : 0} }`;
      }),
    ),
    array(
      'struct remora_pair',
      'pairs',
      wiring.pairs.map(
        ({ node: on, end, sends, receives, key }) =>
          `{ ${node(on)}, ${end}, ${sends}, ${receives}, ${key === undefined ? 0 : 1} }`,
      ),
    ),
    array(
      'int',
      'queues',
      wiring.queues.map((one) => String(node(one.node))),
    ),
    array(
      'struct remora_code',
      'threads',
      threads.map((t) => `{ ${string(t.name)}, ${node(t.node)}, run_${t.name} }`),
    ),
    array('struct remora_outcome', 'outcomes', outcomes),
  ];
  return [
    ...arrays,
    `const struct remora_test ${symbol} = {
    .name = ${string(test.name)},
    .program = ${string(printTest(test))},
    .nodes = ${nodes.length}, .needs = ${needs.join(' | ') || '0'},
    ${['places', 'pairs', 'queues', 'threads', 'outcomes'].map(sized).join('\n    ')}
};`,
  ].join('\n\n');
}

/** What not every card has. */
function needsOf({ threads }: Program): ReadonlySet<string> {
  const needs = new Set<string>();
  for (const i of threads.flatMap(({ body }) => [...instructionsOf(body)])) {
    if (i.kind !== 'call') continue;
    if (['rcas', 'rfaa'].includes(i.operation)) needs.add('ATOMICS');
    if (['recv', 'send', 'pollr'].includes(i.operation) || i.tags?.includes('imm') === true)
      needs.add('MESSAGES');
    if (i.operation === 'flush') needs.add('FLUSH');
    if (i.tags?.includes('inline') === true) needs.add('INLINE');
  }
  return needs;
}

/** A string of C. */
const string = (text: string): string =>
  `"${text.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '').replaceAll('\t', '\\t').replaceAll('??', '?\\?')}"`;
