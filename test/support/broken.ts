/** Clients that show the mistakes of broken implementations. */

export const FOLDER = 'corpus/broken';

const NODES = 'node 1 {} node 2 {}';
const FENCED = (
  fence: (n: number) => string,
): string => `uses sv, bal ${NODES} sv x, y bal z (party T1, T2)
  thread T1 on 1 { sv.write(x, 1); sv.bcast(x, d, {2}); ${fence(2)}; a := sv.read(y) }
  thread T2 on 2 { sv.write(y, 1); sv.bcast(y, d, {1}); ${fence(1)}; b := sv.read(x) } locations [a; b]`;
const TOLD = `uses rl, bal ${NODES} node 3 { p = 0 } bal z (party T1, T2, T3)
  thread T1 on 1 { p^3 := 1; bal.bar(z) } thread T2 on 2 { bal.bar(z); a := p^3 } thread T3 on 3 { bal.bar(z) } locations [a]`;
const RING = `uses rbl ${NODES} rbl x (writer T1; reader T2)
  thread T1 on 1 { a := rbl.submit(x, 1); b := rbl.submit(x, 2) }
  thread T2 on 2 { c := rbl.receive(x); d := rbl.receive(x) } locations [a; b; c; d]`;
const WORDS = `uses msw node 1 {} msw x on 1 of 2 words
  thread T1 on 1 { msw.write(x, <1, 1>) } thread T2 on 1 { a := msw.tryread(x) } locations [a]`;
const GOT = `uses msw node 1 {} msw x, y on 1 of 2 words
  thread T1 on 1 { msw.write(y, <1, 1>); x :=^d msw.get(y); msw.wait(d); a := msw.tryread(x) } locations [a]`;
const KEPT = `uses sv ${NODES} sv x
  thread T1 on 1 { sv.write(x, 1); sv.bcast(x, d, {2}); sv.wait(d); sv.write(x, 2) }
  thread T2 on 2 { a := sv.read(x) } locations [a]`;
const ADDED = `uses acc node 1 {} acc x
  thread T1 on 1 { acc.add(x, 1); a := acc.read(x) } thread T2 on 1 { acc.add(x, 2); b := acc.read(x) } locations [a; b]`;
const GLOBAL = FENCED((n) => `sv.gf({${n}})`)
  .replace(', bal', '')
  .replace('bal z (party T1, T2)', '');
const ROUND = FENCED(() => 'bal.bar(z)');

const PULLED = `uses ov ${NODES.replace('2 {}', '2 { told = 0 }')} ov x (owner T1; reader T2)
  thread T1 on 1 { ov.store(x, 1); told^2 := 1 }
  thread T2 on 2 { a := told; ov.pull(x, d); ov.wait(d); b := ov.load(x) } locations [a; b]`;
const ANSWERED = `uses av ${NODES.replace('2 {}', '2 { told = 0 }')} node 3 {} av x on 3
  thread T1 on 1 { av.store(x, 1); told^2 := 1 } thread T2 on 2 { a := told; b := av.load(x) } locations [a; b]`;
const STORED = `uses av ${NODES} av x on 1
  thread T1 on 1 { av.store(x, 5); a := av.load(x) } thread T2 on 2 { b := av.add(x, 1) } locations [a; b]`;
const BOTH = `uses av ${NODES} av x on 1
  thread T1 on 1 { a := av.add(x, 1) } thread T2 on 2 { b := av.add(x, 1) } locations [a; b]`;

const COPIED = `uses rw node 1 { k = 0; v = 0 } rw l on 1 (user T1, T2)
  thread T1 on 1 { rw.write(l); k := 1; v := 1; rw.release(l) }
  thread T2 on 1 { rw.read(l); a := k; b := v; rw.done(l) } locations [a; b]`;

const FETCHED = `uses ack node 1 { told = 0 } node 2 {} node 3 {} ack x, y, b, k, l on 1 ack z on 2 ack w on 3
  thread T1 on 1 { t := told; x := ack.get(z, b, k); y := ack.get(w, b, l); ack.wait(b, k); a := ack.read(x) }
  thread T2 on 2 { ack.write(z, 1); told^1 := 1 }
  thread P on 1 { ack.poll(b); ack.poll(b) } locations [t; a]`;

/** A client that shows the mistake, an outcome that the specification forbids, and the size of rings where 2 is too small. */
export const BROKEN_CLIENTS: Readonly<
  Record<string, readonly [client: string, outcome: string, size?: number]>
> = {
  'acc-no-wait': [ADDED, 'a=0 b=0'],
  'acc-not-atomic': [ADDED, 'a=1 b=2'],
  'ack-in-order': [FETCHED, 't=1 a=0'],
  'ack-no-window': [FETCHED, 't=1 a=0', 1],
  'ack-one-slot': [FETCHED, 't=1 a=0'],
  'av-cpu-at-home': [BOTH, 'a=0 b=0'],
  'av-load-gets': [ANSWERED, 'a=1 b=0'],
  'av-store-puts': [STORED, 'a=1 b=0'],
  'bal-late-fence': [TOLD, 'a=0'],
  'bal-no-waiting': [ROUND, 'a=0 b=1'],
  'bal-too-early': [ROUND, 'a=0 b=1'],
  'msw-any-hash': [WORDS, 'a=<0, 1>'],
  'msw-get-nobody': [GOT, 'a=<0, 0>'],
  'msw-no-hash': [WORDS, 'a=<0, 1>'],
  'msw-wait-nothing': [GOT, 'a=<0, 0>'],
  'ov-pull-nobody': [PULLED, 'a=1 b=0'],
  'rbl-early-acknowledgement': [RING, 'a=1 b=1 c=2 d=2'],
  'rbl-head-first': [RING, 'a=1 b=0 c=0 d=none'],
  'rbl-no-space': [RING, 'a=1 b=1 c=2 d=2'],
  'rbl-no-wait': [RING, 'a=1 b=1 c=1 d=0', 4],
  'rw-no-readers': [COPIED, 'a=0 b=1'],
  'sv-fence-no-wait': [GLOBAL, 'a=0 b=0'],
  'sv-fence-puts': [GLOBAL, 'a=0 b=0'],
  'sv-wait-nothing': [KEPT, 'a=2'],
};
