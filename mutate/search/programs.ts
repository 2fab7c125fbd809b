import fc from 'fast-check';

/** Small programs for the search: instructions as data, for shrinking and for writing files. */

export interface Small {
  readonly threads: readonly Thread[];
}

export interface Thread {
  readonly node: number;
  readonly body: readonly Op[];
}

/** Locations are numbered at each node; a value of 0 stands for a put's own memory source. */
export type Op =
  | { readonly op: 'write'; readonly at: number }
  | { readonly op: 'read'; readonly at: number }
  | { readonly op: 'copy'; readonly at: number; readonly from: number }
  | { readonly op: 'cas'; readonly at: number; readonly old: number }
  | { readonly op: 'fence' }
  | { readonly op: 'poll'; readonly towards: number }
  | { readonly op: 'wait'; readonly work: Work }
  | { readonly op: 'rfence'; readonly towards: number }
  | {
      /** A `fail` is an `rcas` that always fails. */
      readonly op: RemoteKind;
      readonly towards: number;
      readonly remote: number;
      /** The own location; without, a private target, and a constant to put. */
      readonly own?: number;
      readonly work?: Work;
    };

export type RemoteKind = 'get' | 'put' | 'rfaa' | 'rcas' | 'fail';

export type Work = 'd' | 'e';

export interface Size {
  readonly threads: number;
  readonly instructions: number;
  readonly remote: boolean;
  readonly waits: boolean;
}

const location = fc.constantFrom(0, 0, 0, 1);

export function randomOp(node: number, { remote, waits }: Size): fc.Arbitrary<Op> {
  const cpu = fc.oneof(
    { weight: 4, arbitrary: fc.record({ op: fc.constant('write' as const), at: location }) },
    { weight: 4, arbitrary: fc.record({ op: fc.constant('read' as const), at: location }) },
    {
      weight: 2,
      arbitrary: fc.record({
        op: fc.constant('cas' as const),
        at: location,
        old: fc.constantFrom(0, 0, 1, 2),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ op: 'fence' } as const) },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constant('copy' as const), at: location, from: location }),
    },
  );
  if (!remote) return cpu;
  const others = [1, 2, 3].filter((n) => n !== node);
  const towards = fc.constantFrom(others[0], others[0], others[0], others[1]);
  const own = fc.option(location, { nil: undefined, freq: 2 });
  const work = waits ? fc.constantFrom<Work>('d', 'e') : fc.constant(undefined);
  const remoteOp = (kind: RemoteKind): fc.Arbitrary<Op> =>
    fc.tuple(towards, location, own, work).map(([t, r, o, w]) => ({
      op: kind,
      towards: t,
      remote: r,
      ...(o !== undefined && { own: o }),
      ...(w !== undefined && { work: w }),
    }));
  return fc.oneof(
    { weight: 4, arbitrary: cpu },
    { weight: 3, arbitrary: remoteOp('get') },
    { weight: 3, arbitrary: remoteOp('put') },
    { weight: 1, arbitrary: remoteOp('rfaa') },
    { weight: 1, arbitrary: remoteOp('rcas') },
    { weight: 1, arbitrary: remoteOp('fail') },
    {
      weight: 2,
      arbitrary: waits
        ? fc.record({ op: fc.constant('wait' as const), work: fc.constantFrom<Work>('d', 'e') })
        : fc.record({ op: fc.constant('poll' as const), towards }),
    },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('rfence' as const), towards }) },
  );
}

/** Programs with a given number of instructions, dealt out to the threads. */
export function smallPrograms(size: Size): fc.Arbitrary<Small> {
  const nodes = fc.constantFrom(1, 2, 2, 2, 3);
  return fc
    .tuple(
      fc.constantFrom(...Array.from({ length: size.threads }, (_, i) => i + 1)),
      fc.tuple(nodes, nodes),
      fc.array(fc.nat(5), { minLength: size.instructions, maxLength: size.instructions }),
    )
    .chain(([threads, [second, third], deal]) => {
      const on = size.remote ? [1, second, third] : [1, 1, 1];
      const counts = Array.from(
        { length: threads },
        (_, t) => deal.filter((d) => d % threads === t).length,
      );
      return fc
        .tuple(
          ...counts.map((count, t) =>
            fc.array(randomOp(on[t], size), { minLength: count, maxLength: count }),
          ),
        )
        .map((bodies) => ({
          threads: bodies
            .map((body, t) => ({ node: on[t], body }))
            .filter(({ body }) => body.length > 0),
        }));
    })
    .map(withoutIdlePolls);
}

/** Without the polls and waits that have nothing to wait for. */
export function withoutIdlePolls({ threads }: Small): Small {
  const sensible = ({ node, body }: Thread): Thread => {
    const open = new Map<number, number>();
    const works = new Set<string>();
    const kept = body.filter((o) => {
      if ('remote' in o) {
        open.set(o.towards, (open.get(o.towards) ?? 0) + 1);
        if (o.work !== undefined) works.add(o.work);
      }
      if (o.op === 'wait') return works.has(o.work);
      if (o.op !== 'poll') return true;
      open.set(o.towards, (open.get(o.towards) ?? 0) - 1);
      return open.get(o.towards)! >= 0;
    });
    return { node, body: kept };
  };
  return { threads: threads.map(sensible).filter(({ body }) => body.length > 0) };
}

/** How much there is to read: instructions first, then threads, nodes and locations. */
export function costOf({ threads }: Small): number {
  const ops = threads.flatMap(({ body }) => body);
  const nodes = new Set(
    threads.flatMap(({ node, body }) => [
      node,
      ...body.flatMap((o) => ('towards' in o ? [o.towards] : [])),
    ]),
  );
  const awkward = ops.filter(
    (o) => o.op === 'copy' || o.op === 'cas' || (o.op === 'put' && o.own === undefined),
  );
  return (
    ops.length * 100 +
    threads.length * 20 +
    nodes.size * 5 +
    awkward.length * 4 +
    namesOf(threads) * 3
  );
}

function namesOf(threads: readonly Thread[]): number {
  const names = new Set(
    threads.flatMap(({ node, body }) =>
      body.flatMap((o) => [
        ...('at' in o ? [`${node} ${o.at}`] : []),
        ...('from' in o ? [`${node} ${o.from}`] : []),
        ...('remote' in o ? [`${o.towards} ${o.remote}`] : []),
        ...('own' in o ? [`${node} ${o.own}`] : []),
      ]),
    ),
  );
  return names.size;
}

/** Every program with one instruction less, one thread less, or one instruction made simpler. */
export function* smaller(program: Small): Generator<Small> {
  const { threads } = program;
  const replace = (t: number, body: readonly Op[]): Small =>
    withoutIdlePolls({
      threads: threads.map((thread, i) => (i === t ? { ...thread, body } : thread)),
    });
  for (const t of threads.keys()) {
    yield withoutIdlePolls({ threads: threads.filter((_, i) => i !== t) });
  }
  for (const [t, { body }] of threads.entries()) {
    for (const i of body.keys()) yield replace(t, [...body.slice(0, i), ...body.slice(i + 1)]);
  }
  for (const [t, { node, body }] of threads.entries()) {
    for (const [i, o] of body.entries()) {
      for (const other of simpler(o, node)) yield replace(t, body.with(i, other));
    }
  }
}

function* simpler(o: Op, node: number): Generator<Op> {
  if (o.op === 'copy') {
    yield { op: 'read', at: o.from };
    yield { op: 'write', at: o.at };
  }
  if (o.op === 'cas') {
    yield { op: 'read', at: o.at };
    yield { op: 'write', at: o.at };
    yield { op: 'fence' };
    if (o.old !== 0) yield { ...o, old: 0 };
  }
  if ('remote' in o) {
    const { op, towards, remote, own, work } = o;
    const bare = { op, towards, remote };
    if (work !== undefined) yield { ...bare, ...(own !== undefined && { own }) };
    if (op === 'rfaa' || op === 'rcas') yield { ...o, op: 'fail' };
    if (op === 'fail') yield { ...o, op: 'get' };
    if (op !== 'put' && own !== undefined) yield { ...bare, ...(work !== undefined && { work }) };
  }
  if (o.op === 'put' && o.own === undefined) yield { ...o, own: 0 };
  if ('towards' in o && o.towards === 3 && node === 1) yield { ...o, towards: 2 };
  if ('at' in o && o.at > 0) yield { ...o, at: o.at - 1 };
  if ('remote' in o && o.remote > 0) yield { ...o, remote: o.remote - 1 };
  if ('own' in o && o.own !== undefined && o.own > 0) yield { ...o, own: o.own - 1 };
}

/** A program with an instruction more at some place, or another in the place of one. */
export function variants(program: Small, size: Size): fc.Arbitrary<Small> {
  const { threads } = program;
  return fc
    .nat(threads.length - 1)
    .chain((t) => {
      const { node, body } = threads[t];
      return fc
        .tuple(fc.nat(body.length), randomOp(node, size), fc.constantFrom(0, 0, 1))
        .map(([i, o, replaced]) => [...body.slice(0, i), o, ...body.slice(i + replaced)])
        .map((changed) => ({
          threads: threads.map((thread, k) => (k === t ? { node, body: changed } : thread)),
        }));
    })
    .map(withoutIdlePolls);
}
