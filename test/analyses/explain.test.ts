import { describe, expect, test } from 'vitest';
import { explain } from '../../src/analyses/explain/explain.js';
import { explanationText } from '../../src/report/explain.js';
import { cat, litmus, modelOf, newSolver } from '../support/checker.js';
import { edges, expectCycle, explained, lines, published, under } from '../support/explained.js';
import { one, two } from '../support/litmus.js';

/** Why a query has its answer: executions, cycles, and the ways in which candidates fail. */

// What follows was worked out on paper, from the figures and the prose of the TSO paper.

describe('published tests that are allowed: the execution', () => {
  const graphOf = (name: string, query = 0) =>
    under(published(name), 'rdma-tso', query).admitted!.graph;

  test.each([
    // The put reads x after the CPU has written it.
    ['ST2', 0, ['lW(x,1) → nlR(x,1,n2)'], ['init lW(x,0) → lW(x,1)']],
    // y = 1 is seen while x = 1 waits in the fabric of node 2.
    ['MP3bis', 0, ['init lW(x,0) → lR(x,0)', 'lW(y,1) → nrR(y,1)'], ['init lW(x,0) → nrW(x,1)']],
    // The same, though T1 has polled its put, and T2 its get.
    ['MP3', 0, ['init lW(x,0) → lR(x,0)', 'lW(y,1) → nrR(y,1)'], ['init lW(x,0) → nrW(x,1)']],
    // Both reads are before both writes: polling a put does not wait for its write.
    [
      'SB3',
      0,
      ['init lW(x,0) → lR(x,0)', 'init lW(y,0) → lR(y,0)'],
      ['init lW(x,0) → nrW(x,1)', 'init lW(y,0) → nrW(y,1)'],
    ],
    // One of the gets takes effect after the CPU read that comes later in its thread.
    [
      'IRIW1',
      0,
      [
        'init lW(x,0) → lR(x,0)',
        'init lW(y,0) → lR(y,0)',
        'lW(x,1) → nrR(x,1)',
        'lW(y,1) → nrR(y,1)',
      ],
      ['init lW(x,0) → lW(x,1)', 'init lW(y,0) → lW(y,1)'],
    ],
    // x^2 := 1 is read by the first get, and goes by way of z to T2, whose y = 1 the second get reads.
    [
      'RFF1',
      0,
      [
        'nlW(y,1,n1) → lR(y,1)',
        'nlW(y,1,n1) → nrR(y,1)',
        'nlW(z,1,n2) → nrR(z,1)',
        'nrW(x,1) → nrR(x,1)',
      ],
      ['nrW(y,2) → nlW(y,1,n1)'],
    ],
    // x = 0, long since fetched, reaches memory after x = 3, and after the second get has read w.
    [
      'GFG',
      0,
      [
        'init lW(z,0) → nrR(z,0)',
        'lW(w,1) → nrR(w,1)',
        'nlW(x,0,n2) → lR(x,0)',
        'nlW(y,1,n2) → lR(y,1)',
        'nrW(x,3) → lR(x,3)',
      ],
      ['lW(w,1) → lW(w,2)', 'nrW(x,3) → nlW(x,0,n2)'],
    ],
    [
      'CPU-SB',
      0,
      ['init lW(x,0) → lR(x,0)', 'init lW(y,0) → lR(y,0)'],
      ['init lW(x,0) → lW(x,1)', 'init lW(y,0) → lW(y,1)'],
    ],
  ])('%s', (name, query, rf, mo) => {
    const graph = graphOf(name, query);
    expect([...edges(graph, 'rf')].sort()).toEqual(rf);
    // Modification order from initial writes is drawn where something reads them.
    const drawn = new Set(edges(graph, 'rf').map((edge) => edge.split(' → ')[0]));
    const expected = mo.filter((edge) => {
      const [from] = edge.split(' → ');
      return !from.startsWith('init') || drawn.has(from);
    });
    expect([...edges(graph, 'mo')].sort()).toEqual(expected);
  });

  test('the run of the machine ends in the state that the query asks about', () => {
    // The order of the TSO paper's prose (App. A.11): the get's write of x is pending when T2's put,
    // which comes after both of its writes of w, is in memory.
    const { order } = under(published('GFG'), 'rdma-tso').admitted!;
    expect(order?.kind).toBe('run');
    const at = (...parts: readonly string[]): number =>
      order!.steps.findIndex((step) => parts.every((part) => step.includes(part)));
    const places = [
      at('x = 0 arrives at node 1', 'not in memory yet'),
      at('the NIC of T1 reads w = 1', 'for the get y := w^2'),
      at('w = 2', 'to memory'),
      at("the NIC of T2 writes x = 3 into node 1's memory"),
      at('T1 reads x = 3'),
      at("the NIC of T1 writes x = 0 into node 1's memory"),
      at('T1 reads x = 0'),
    ];
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

describe('published tests that are forbidden: the cycle', () => {
  const onlyWay = (name: string, model: string, query = 0) => {
    const { refuted } = under(published(name), model, query);
    expect(refuted!.ways!.incomplete).toBeUndefined();
    expect(refuted!.ways!.count).toBe(1);
    return { cores: refuted!.cores, ...refuted!.ways!.shapes[0].way };
  };
  const rb = (from: string, to: string, initial: string): string =>
    [`${from} → ${to}  rb`, `  ${from} → ${initial}  rf^-1`, `  ${initial} → ${to}  mo`].join('\n');

  test('LB3bis: each get is over before its poll, the poll before the write that the other get reads', () => {
    const { cores, graph, violation, others } = onlyWay('LB3bis', 'rdma-tso');
    // Nothing here depends on when writes reach memory: what is issued in a circle is enough.
    expect(cores).toEqual([['ib'], ['ob']]);
    expect(violation.axiom).toBe('ib');
    const issued = [
      'nrR(y,1) → nlW(a,1,n2)  ippo: qpo & (nrR * nlW)',
      'nlW(a,1,n2) → P(n2)  pf',
      'P(n2) → lW(x,1)  ippo: po & (CPU * CPU)',
      'lW(x,1) → nrR(x,1)  rf',
      'nrR(x,1) → nlW(b,1,n1)  ippo: qpo & (nrR * nlW)',
      'nlW(b,1,n1) → P(n1)  pf',
      'P(n1) → lW(y,1)  ippo: po & (CPU * CPU)',
      'lW(y,1) → nrR(y,1)  rf',
    ];
    expectCycle(graph, violation, issued);
    expect(others.map((other) => other.axiom)).toEqual(['ob']);
  });

  test('SB-flush: a NIC write is observed before the get after it, the poll of which comes before the read', () => {
    const { cores, graph, violation } = onlyWay('SB-flush', 'rdma-tso');
    expect(cores).toEqual([['ob']]);
    expectCycle(graph, violation, [
      'nrW(x,1) → nlW(c,0,n2)  oppo: qpo & (nrW * nlW)',
      'nlW(c,0,n2) → P(n2)  [nlW];pf: pf',
      'P(n2) → lR(y,0)  oppo: po & (CPU * CPU)',
      rb('lR(y,0)', 'nrW(y,1)', 'lW(y,0)'),
      'nrW(y,1) → nlW(d,0,n1)  oppo: qpo & (nrW * nlW)',
      'nlW(d,0,n1) → P(n1)  [nlW];pf: pf',
      'P(n1) → lR(x,0)  oppo: po & (CPU * CPU)',
      rb('lR(x,0)', 'nrW(x,1)', 'lW(x,0)'),
    ]);
    // The first poll of each thread is for the put, which does not order anything here.
    const polls = graph.events.filter((e) => e.label.startsWith('P('));
    expect(polls.map((e) => e.onCycle)).toEqual([false, true, false, true]);
  });

  test('CPU-SB: without store buffers, and under SC', () => {
    const sc = onlyWay('CPU-SB', 'rdma-sc');
    expect(sc.cores).toEqual([['ob']]);
    expectCycle(sc.graph, sc.violation, [
      'lW(x,1) → lR(y,0)  oppo: po & (CPU * CPU)',
      rb('lR(y,0)', 'lW(y,1)', 'lW(y,0)'),
      'lW(y,1) → lR(x,0)  oppo: po & (CPU * CPU)',
      rb('lR(x,0)', 'lW(x,1)', 'lW(x,0)'),
    ]);
    const own = onlyWay('CPU-SB', 'sc');
    expectCycle(own.graph, own.violation, [
      'lW(x,1) → lR(y,0)  po',
      rb('lR(y,0)', 'lW(y,1)', 'lW(y,0)'),
      'lW(y,1) → lR(x,0)  po',
      rb('lR(x,0)', 'lW(x,1)', 'lW(x,0)'),
    ]);
  });

  test('RFF1: a cycle for each order of the writes of y, however the NIC flushes', () => {
    const { refuted } = under(published('RFF1'), 'rdma-tso', 1);
    expect(refuted!.cores).toEqual([['ob']]);
    const { count, incomplete, shapes } = refuted!.ways!;
    expect([count, incomplete]).toEqual([2, undefined]);
    // One direction of mo: T2 has polled its own write of y, and then reads what came before it.
    expectCycle(shapes[0].way.graph, shapes[0].way.violation, [
      'nlW(y,1,n1) → P(n1)  [nlW];pf: pf',
      'P(n1) → lR(y,2)  oppo: po & (CPU * CPU)',
      rb('lR(y,2)', 'nlW(y,1,n1)', 'nrW(y,2)'),
    ]);
    // The other one: x^2 := 1 comes after y^2 := 2; its value goes by way of z to T2, and back to y, so
    // that 1 is written after 2. It does not matter what the NIC flushes when.
    expectCycle(shapes[1].way.graph, shapes[1].way.violation, [
      'nrW(y,2) → nrW(x,1)  oppo: qpo & (nrW * nrW)',
      'nrW(x,1) → nrR(x,1)  rf \\ rfb: rf',
      'nrR(x,1) → nlW(z,1,n2)  oppo: qpo & (nrR * nlW)',
      'nlW(z,1,n2) → nrR(z,1)  rf \\ rfb: rf',
      'nrR(z,1) → nlW(y,1,n1)  oppo: qpo & (nrR * nlW)',
      'nlW(y,1,n1) → nrW(y,2)  mo',
    ]);
    for (const { way } of shapes) expect(way.others).toEqual([]);
  });
});

describe('ways', () => {
  test('a way that is about none of the values asked for comes last, and is said to be', () => {
    // The NIC may be said to flush against the order of the queue pair, whatever is read.
    const { shapes } = under(published('GFP1'), 'rdma-tso').refuted!.ways!;
    expect(shapes.map(({ way }) => way.beside)).toEqual([false, false, false, true]);
    expect(shapes.map(({ way }) => way.asked.length > 0)).toEqual([true, true, true, false]);
    expectCycle(shapes[3].way.graph, shapes[3].way.violation, [
      'nlW(x,0,n2) → nF(n2)  ippo: qpo & (nlW * nF)',
      'nF(n2) → nlR(t,1,n2)  ippo: qpo & (nF * nlR)',
      'nlR(t,1,n2) → nlW(x,0,n2)  nfo',
    ]);
    const text = explanationText(explained(published('GFP1'), ['rdma-tso']));
    expect(text.split('Another way, about none of the values asked for:')).toHaveLength(2);
  });

  test('what no execution does is forbidden whatever the axioms', () => {
    const text = one('x := 1', 'exists (x = 2)');
    const { refuted } = under(text, 'rdma-tso');
    expect(refuted).toEqual({ cores: [[]], allCores: true });
  });

  test('a forall that holds: what would make it false', () => {
    const text = two(
      'thread T1 on 1 { x := 1; x := 2 } thread T2 on 1 { a := x; b := x } ' +
        'forall (a <= b)'.replace('a <= b', '~(a = 2 /\\ b = 1)'),
    );
    const { verdict, refuted } = under(text, 'sc');
    expect(verdict).toBe('holds');
    // mo follows program order, or not.
    expect(refuted!.ways!.count).toBe(2);
    const steps = refuted!.ways!.shapes.map(({ way }) => way.violation.steps.length);
    // The reads go 2, 1; so one is before the write that the other reads, and after it.
    expect([...steps].sort()).toEqual([2, 3]);
  });

  test('a forall that fails is shown by an execution, a vacuous one by its cause', () => {
    const fails = under(one('x := 1', 'forall (x = 0)'), 'rdma-tso');
    expect([fails.verdict, fails.admitted?.state]).toEqual(['fails', { x: 1 }]);
    const vacuous = under(one('x := 1; poll(2)', 'exists (x = 0)'), 'rdma-tso');
    expect(vacuous.verdict).toBe('vacuous');
    expect(vacuous.reason).toContain('polls node 2 more often');
    expect(vacuous.admitted ?? vacuous.refuted).toBeUndefined();
  });

  test('branches: a cycle holds where its events are executed', () => {
    const text = two(
      'thread T1 on 1 { x := 1; y := 1 } ' +
        'thread T2 on 1 { a := y; choose { b := x } or { mfence; b := x } } ' +
        'exists (a = 1 /\\ b = 0)',
    );
    const { refuted } = under(text, 'sc');
    // Each branch has a read of its own, so each is a way.
    expect([refuted!.ways!.count, refuted!.ways!.shapes.length]).toEqual([2, 1]);
  });

  test('the limit and the deadline are told', () => {
    const text = litmus(published('RFF1'));
    const model = modelOf('rdma-tso');
    const input = { test: text, programs: [text.program], notes: [undefined], query: 1 };
    const late = { models: [model], newSolver, acyclicity: 'elimination', deadline: 0 } as const;
    const [found] = explain(input, late).models;
    expect(found.verdict).toBe('forbidden');
    expect(found.unfinished).toBe('time limit reached');
  });
});

describe('axioms of all kinds', () => {
  const text = two('thread T1 on 1 { x := 1; a := x; z^2 := x } exists (a = 0)');
  const wayUnder = (model: string) => {
    const { refuted } = under(text, cat(model));
    expect(refuted!.ways!.incomplete).toBeUndefined();
    return { cores: refuted!.cores, ...refuted!.ways!.shapes[0].way };
  };

  test('an empty relation: the pair', () => {
    const { graph, violation } = wayUnder('empty rf & ([IW];rf) & ext as external');
    expect(violation.kind).toBe('pair');
    expect(violation.relation).toBe('empty rf & [IW];rf & ext'.replace('[IW];rf', '([IW];rf)'));
    expect(lines(graph, violation.steps)).toEqual(['lW(x,0) → lR(x,0)  rf & ([IW];rf) & ext: rf']);
  });

  test('an empty set: the event', () => {
    const { graph, violation } = wayUnder('empty range([IW];rf) & lR as no-initial-reads');
    expect(violation.kind).toBe('event');
    const event = graph.events.find((e) => e.id === violation.event);
    expect(event?.label).toBe('lR(x,0)');
  });

  test('a negated axiom: what is not there', () => {
    const { violation, cores } = wayUnder('~empty [lW \\ IW];rf;[lR] as own');
    expect([violation.kind, violation.steps, cores]).toEqual(['absence', [], [['own']]]);
  });

  test('a negation over what is open', () => {
    // Without a bound that settles it, each candidate is excluded by itself.
    const { graph, violation } = wayUnder('let rb = rf^-1;mo acyclic (po \\ (rf;rf^-1)) | rb as c');
    expectCycle(graph, violation, [
      'lW(x,1) → lR(x,0)  po \\ rf;rf^-1: po'.replace('rf;rf^-1', '(rf;rf^-1)'),
      ['lR(x,0) → lW(x,1)  rb', '  lR(x,0) → lW(x,0)  rf^-1', '  lW(x,0) → lW(x,1)  mo'].join('\n'),
    ]);
  });

  test('several axioms: all the minimal sets, and one where there are many', () => {
    const rules = [
      'acyclic po | rf | mo | rf^-1;mo as a',
      'empty 0 as b',
      'irreflexive po;(rf^-1;mo) as c',
    ];
    expect(wayUnder(rules.join('\n')).cores).toEqual([['a'], ['c']]);
    const many = [...'defgh'].map((name) => `empty 0 as ${name}`);
    const { refuted } = under(text, cat([...rules, ...many].join('\n')));
    expect(refuted).toMatchObject({ cores: [['c']], allCores: false });
  });

  test('two axioms that forbid it only together', () => {
    // What reads an initial value rules one order of the two writes out, and the other.
    const program = two('thread T1 on 1 { x := 1; x := 2; a := x } exists (a = 0)');
    const model = cat(`let initial = lR & range([IW];rf)
      empty initial * range([lW \\ IW];(mo & po)) as a
      empty initial * range(mo & po^-1) as b`);
    const { refuted } = under(program, model);
    expect(refuted!.cores).toEqual([['a', 'b']]);
    const ways = refuted!.ways!.shapes.map(({ way }) => [way.violation.axiom, way.others.length]);
    expect(ways).toEqual([
      ['a', 0],
      ['b', 0],
    ]);
  });

  test('a recursive definition is unfolded down to where it began', () => {
    const model = cat('let rec r = po | rf | (rf^-1;mo) | r;r irreflexive r as r');
    const { refuted } = under(text, model);
    const { violation } = refuted!.ways!.shapes[0].way;
    const shortest = under(text, 'sc').refuted!.ways!.shapes[0].way.violation;
    expect(violation.steps).toHaveLength(shortest.steps.length);
  });
});
