import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLitmus } from '../../src/node/tests.js';
import { cat, verdicts } from '../support/checker.js';
import { cases } from '../support/random.js';

/** C of herd7's litmus tests, with the functions of C11 and of the kernel, under models as papers have them. */

/** RC11, after Lahav, Vafeiadis, Kang, Hur and Dreyer (PLDI 2017). */
const RC11 = cat(`include "herd.cat"
let atomics = RLX | ACQ | REL | ACQ_REL | SC
let acq = ACQ | ACQ_REL | SC
let rel = REL | ACQ_REL | SC
let rb = (rf^-1;co) \\ id
let eco = (rf | co | rb)+
let rs = [W];(po & loc)?;[W & atomics];(rf;[AMO])*
let sw = [rel];([F];po)?;rs;rf;[R & atomics];(po;[F])?;[acq]
let hb = (po | sw | IW * (_ \\ IW))+
let scb = po | (po \\ loc);hb;(po \\ loc) | (hb & loc) | co | rb
let psc-base = ([SC] | [F & SC];hb?);scb;([SC] | hb?;[F & SC])
let psc-fence = [F & SC];(hb | hb;eco;hb);[F & SC]
irreflexive hb;eco? as coherence
empty [AMO];(rb;co) & id as atomicity
acyclic psc-base | psc-fence as SC
acyclic po | rf as no-thin-air
`);

describe('C11', () => {
  const c11 = (functions: readonly string[], asked: string): string => {
    const bodies = functions.map((body) =>
      body
        .replaceAll(/\b([a-z])\.(\w+)\((\d)\)/g, 'atomic_store_explicit($1, $3, memory_order_$2)')
        .replaceAll(/\b([a-z])\.(\w+)\(\)/g, 'atomic_load_explicit($1, memory_order_$2)')
        .replaceAll(/\bfence\.(\w+)/g, 'atomic_thread_fence(memory_order_$1)'),
    );
    const threads = bodies.map((body, i) => `P${i}(atomic_int *x, atomic_int *y) { ${body} }\n`);
    return `C t\n{ [x] = 0; [y] = 0; }\n${threads.join('')}exists (${asked})\n`;
  };

  test.each([
    ['x.relaxed(1); y.relaxed(1);', 'int r0 = y.relaxed(); int r1 = x.relaxed();', 'allowed'],
    ['x.relaxed(1); y.release(1);', 'int r0 = y.acquire(); int r1 = x.relaxed();', 'forbidden'],
    ['x.relaxed(1); y.release(1);', 'int r0 = y.relaxed(); int r1 = x.relaxed();', 'allowed'],
    [
      'x.relaxed(1); fence.release; y.relaxed(1);',
      'int r0 = y.relaxed(); fence.acquire; int r1 = x.relaxed();',
      'forbidden',
    ],
    [
      'x.relaxed(1); fence.acquire; y.relaxed(1);',
      'int r0 = y.relaxed(); fence.acquire; int r1 = x.relaxed();',
      'allowed',
    ],
  ])('message passing: %s | %s', (writes, reads, verdict) => {
    expect(verdicts(c11([writes, reads], '1:r0=1 /\\ 1:r1=0'), RC11)).toEqual([verdict]);
  });

  test.each([
    ['seq_cst', 'seq_cst', '', 'forbidden'],
    ['release', 'acquire', '', 'allowed'],
    ['relaxed', 'relaxed', 'fence.seq_cst;', 'forbidden'],
    ['relaxed', 'relaxed', 'fence.acq_rel;', 'allowed'],
  ])('store buffers: %s, %s %s', (store, load, fence, verdict) => {
    const threads = ['x y', 'y x'].map((pair) => {
      const [own, other] = pair.split(' ');
      return `${own}.${store}(1); ${fence} int r0 = ${other}.${load}();`;
    });
    expect(verdicts(c11(threads, '0:r0=0 /\\ 1:r0=0'), RC11)).toEqual([verdict]);
  });

  test.each([
    ['acquire', 'allowed'],
    ['seq_cst', 'forbidden'],
  ])('readers of independent writes: %s', (order, verdict) => {
    const threads = [
      'x.seq_cst(1);',
      `int r0 = x.${order}(); int r1 = y.${order}();`,
      'y.seq_cst(1);',
      `int r0 = y.${order}(); int r1 = x.${order}();`,
    ];
    const asked = '1:r0=1 /\\ 1:r1=0 /\\ 3:r0=1 /\\ 3:r1=0';
    expect(verdicts(c11(threads, asked), RC11)).toEqual([verdict]);
  });

  const EXCHANGE = 'int r0 = atomic_compare_exchange_';
  test.each([
    ['strong_explicit(x, y, 5, ACQ_REL, RELAXED)', '0:r0=1 /\\ x=5 /\\ y=0', 'forbidden'],
    ['strong_explicit(x, y, 5, ACQ_REL, RELAXED)', '0:r0=1 /\\ 1:r0=1', 'forbidden'],
    ['strong_explicit(x, y, 5, ACQ_REL, RELAXED)', '0:r0=0 /\\ 1:r0=0', 'forbidden'],
    // What was there goes to what was expected; then this thread finds it there.
    ['strong_explicit(x, y, 5, ACQ_REL, RELAXED)', '0:r0=0 /\\ y=5 /\\ x=5', 'allowed'],
    ['weak_explicit(x, y, 5, RELAXED, RELAXED)', '0:r0=0 /\\ 1:r0=0 /\\ x=0', 'allowed'],
    ['weak(x, y, 5)', '0:r0=1 /\\ 1:r0=1', 'forbidden'],
    ['strong(x, y, 5)', '0:r0=0 /\\ 1:r0=1', 'allowed'],
  ])('both threads compare and exchange, %s: %s', (call, asked, verdict) => {
    const orders = call.replaceAll(/[A-Z_]{3,}/g, (o) => `memory_order_${o.toLowerCase()}`);
    const body = `${EXCHANGE}${orders};`;
    expect(verdicts(c11([body, body], asked), RC11)).toEqual([verdict]);
  });

  // The order of a success is not that of a failure.
  test.each([
    ['ACQUIRE, RELAXED', '1:r0=1 /\\ 1:r1=0', 'forbidden'],
    ['RELAXED, ACQUIRE', '1:r0=1 /\\ 1:r1=0', 'allowed'],
    ['RELAXED, ACQUIRE', '1:r0=0 /\\ 1:r2=2 /\\ 1:r1=0', 'forbidden'],
    ['ACQUIRE, RELAXED', '1:r0=0 /\\ 1:r2=2 /\\ 1:r1=0', 'allowed'],
  ])('message passing to an exchange with %s: %s', (orders, asked, verdict) => {
    const [success, failure] = orders.split(', ').map((o) => `memory_order_${o.toLowerCase()}`);
    const flag = asked.includes('r0=1') ? 1 : 2;
    const writer = `x.relaxed(1); y.release(${flag});`;
    const reader = `${EXCHANGE}strong_explicit(y, one, 7, ${success}, ${failure}); int r2 = *one; int r1 = x.relaxed();`;
    const text = c11([writer, reader], asked)
      .replaceAll('atomic_int *y)', 'atomic_int *y, atomic_int *one)')
      .replace('[y] = 0;', '[y] = 0; [one] = 1;');
    expect(verdicts(text, RC11)).toEqual([verdict]);
  });

  test('what is expected and what is exchanged are places', () => {
    const pointing = 'int *r1 = x; r1 = y; ';
    const body = `${pointing}${EXCHANGE}weak(r1, x, 1);`;
    expect(() => verdicts(c11([body], '0:r0=0'), RC11)).toThrow('has to be the name of a place');
  });

  test('an atomic goes on a release sequence, a write of another thread does not', () => {
    const through = (write: string): readonly string[] =>
      verdicts(
        c11(
          ['x.relaxed(1); y.release(1);', write, 'int r0 = y.acquire(); int r1 = x.relaxed();'],
          '2:r0=2 /\\ 2:r1=0 /\\ 1:r0=1',
        ),
        RC11,
      );
    const add = 'int r0 = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);';
    expect(through(add)).toEqual(['forbidden']);
    expect(through('int r0 = y.relaxed(); y.relaxed(2);')).toEqual(['allowed']);
  });
});

test('tags of older models of the kernel are not those of operations', () => {
  const old = (body: string) => () =>
    cat(`include "herd.cat" enum Accesses = 'once || 'acquire || 'wmb ${body}`);
  expect(old('empty Acquire')).toThrow("operations have these tags in capitals, 'ONCE");
  // Models that go by the new ones may have the old ones in a file beside them.
  expect(old('let Acquire = ACQUIRE \\ W empty Acquire & Wmb')).not.toThrow();
});

/**
 * The kernel's model without plain accesses, after Alglave, Maranget, McKenney, Parri and Stern (ASPLOS 2018, Figures 3 to 12), in the tags of the
 * kernel's own.
 */
const KERNEL = cat(`include "herd.cat"
enum Accesses = 'ONCE || 'RELEASE || 'ACQUIRE || 'NORETURN || 'MB
enum Barriers = 'wmb || 'rmb || 'rcu-lock || 'rcu-unlock || 'sync-rcu || 'before-atomic || 'after-atomic
let inside =
  let rec first = Rcu-lock \\ domain(matched)
  and last = Rcu-unlock \\ range(matched)
  and open = first | last
  and between = [open];po;[open]
  and matched = matched | (([first];po;[last]) \\ (between;between))
  in matched
let rmw = rmw | same & (LKR * LKW)
let Mb = Fence & MB
let acq-po = [ACQUIRE & R | LKR];po;[M]
let po-rel = [M];po;[RELEASE & W | UL]
let rmb = [R];fencerel(Rmb);[R]
let wmb = [W];fencerel(Wmb);[W]
let atomic-mb = [M];po;[MB & R & range(id & (rmw;rmw^-1))] | [MB & W & range(rmw)];po;[M]
  | [M];fencerel(Before-atomic);[RMW];po? | po?;[RMW];fencerel(After-atomic);[M]
let mb = fencerel(Mb) | atomic-mb
let gp = po;[Sync-rcu];po?
let strong = mb | gp
let fence = strong | po-rel | acq-po | wmb | rmb
let dep = addr | data
let ppo = (dep | ctrl);[W] | addr;[R] | dep;rfi | (fence & int) | ((co | fr) & int)
let cumul = rfe?;(strong | po-rel) | wmb
let prop = ((co | fr) & ext)?;cumul*;rfe?
let hb = ppo | rfe | ((prop \\ id) & int)
acyclic po-loc | rf | co | fr as coherence
empty rmw & (fre;coe) as atomic
acyclic hb as happens-before
let pb = prop;strong;hb*
acyclic pb as propagation
let link = po?;hb*;pb*;prop;po
let grace = [Sync-rcu]
let back = inside^-1
let rec order = grace | grace;link;back | back;link;grace
  | grace;link;order;link;back | back;link;order;link;grace | order;link;order
irreflexive prop;po;order;po?;hb*;pb* as rcu
`);

describe('C of the kernel', () => {
  const kernel = (functions: readonly string[], asked: string, init = ''): string =>
    `C t\n{ ${init} }\n${functions.map((body, i) => `P${i}(int *x, int *y, int *z) { ${body} }\n`).join('')}exists (${asked})\n`;
  const ONE = 'WRITE_ONCE(*x, 1);';
  const TWO = 'WRITE_ONCE(*y, 1);';

  test.each([
    [ONE + TWO, 'int r0 = READ_ONCE(*y); int r1 = READ_ONCE(*x);', 'allowed'],
    [
      `${ONE} smp_wmb(); ${TWO}`,
      'int r0 = READ_ONCE(*y); smp_rmb(); int r1 = READ_ONCE(*x);',
      'forbidden',
    ],
    [`${ONE} smp_wmb(); ${TWO}`, 'int r0 = READ_ONCE(*y); int r1 = READ_ONCE(*x);', 'allowed'],
    [
      `${ONE} smp_store_release(y, 1);`,
      'int r0 = smp_load_acquire(y); int r1 = READ_ONCE(*x);',
      'forbidden',
    ],
    [
      `${ONE} smp_mb(); ${TWO}`,
      'int r0 = READ_ONCE(*y); int r1; if (r0) r1 = READ_ONCE(*x);',
      'allowed',
    ],
    [
      `${ONE} xchg(y, 1);`,
      'int r0 = READ_ONCE(*y); smp_rmb(); int r1 = READ_ONCE(*x);',
      'forbidden',
    ],
    [
      `${ONE} xchg_relaxed(y, 1);`,
      'int r0 = READ_ONCE(*y); smp_rmb(); int r1 = READ_ONCE(*x);',
      'allowed',
    ],
    [
      `${ONE} smp_mb__before_atomic(); atomic_inc(y);`,
      'int r0 = atomic_read(y); smp_rmb(); int r1 = READ_ONCE(*x);',
      'forbidden',
    ],
    [
      `${ONE} atomic_inc(y);`,
      'int r0 = atomic_read(y); smp_rmb(); int r1 = READ_ONCE(*x);',
      'allowed',
    ],
  ])('message passing: %s | %s', (writes, reads, verdict) => {
    expect(verdicts(kernel([writes, reads], '1:r0=1 /\\ 1:r1=0'), KERNEL)).toEqual([verdict]);
  });

  test.each([
    ['rcu_dereference(*y)', 'forbidden'],
    ['READ_ONCE(*y)', 'forbidden'],
  ])('a pointer that is published: %s', (load, verdict) => {
    const threads = [
      `${ONE} rcu_assign_pointer(*y, x);`,
      `int *r0; int r1; r0 = ${load}; r1 = READ_ONCE(*r0);`,
    ];
    expect(verdicts(kernel(threads, '1:r0=x /\\ 1:r1=0', 'y=z;'), KERNEL)).toEqual([verdict]);
    expect(verdicts(kernel(threads, '1:r0=z /\\ 1:r1=0', 'y=z;'), KERNEL)).toEqual(['allowed']);
  });

  // What is behind an if does not depend on it.
  test.each([
    [`if (r0) { ${TWO} }`, 'forbidden'],
    [`if (r0) { ${TWO} } else { WRITE_ONCE(*y, 2); }`, 'forbidden'],
    [`if (r0) { WRITE_ONCE(*z, 1); } ${TWO}`, 'allowed'],
    [`WRITE_ONCE(*y, r0);`, 'forbidden'],
  ])('load buffers: %s', (behind, verdict) => {
    const threads = [
      `int r0; r0 = READ_ONCE(*x); ${behind}`,
      `int r0 = READ_ONCE(*y); smp_mb(); ${ONE}`,
    ];
    expect(verdicts(kernel(threads, '0:r0=1 /\\ 1:r0=1'), KERNEL)).toEqual([verdict]);
  });

  test.each([
    ['a section', 'rcu_read_lock();', 'rcu_read_unlock();', '', 'forbidden'],
    ['no section', '', '', '', 'allowed'],
    [
      'one inside of another',
      'rcu_read_lock(); rcu_read_lock();',
      'rcu_read_unlock();',
      'rcu_read_unlock();',
      'forbidden',
    ],
    [
      'one in front of another, inside of a third',
      'rcu_read_lock(); rcu_read_lock(); rcu_read_unlock();',
      'rcu_read_unlock();',
      'rcu_read_lock(); rcu_read_unlock();',
      'forbidden',
    ],
  ])('a grace period and %s', (_, begin, end, between, verdict) => {
    const threads = [
      `${begin} int r0 = READ_ONCE(*x); ${between} int r1 = READ_ONCE(*y); ${end}`,
      `${TWO} synchronize_rcu(); ${ONE}`,
    ];
    expect(verdicts(kernel(threads, '0:r0=1 /\\ 0:r1=0'), KERNEL)).toEqual([verdict]);
  });

  test.each([
    ['x=1', 'forbidden'],
    ['x=2', 'allowed'],
  ])('increments under a lock: %s', (asked, verdict) => {
    const add = 'spin_lock(z); int r0 = READ_ONCE(*x); WRITE_ONCE(*x, r0 + 1); spin_unlock(z);';
    expect(verdicts(kernel([add, add], asked), KERNEL)).toEqual([verdict]);
  });

  test.each([
    ['(READ_ONCE(*x) - 3) & 4', 'x=0 /\\ 0:r0=4'],
    ['(READ_ONCE(*x) - 3) & 2', 'x=0 /\\ 0:r0=0'],
    ['(READ_ONCE(*x) + 6) & 2', 'x=0 /\\ 0:r0=2'],
    ['atomic_add_return(2, x)', 'x=2 /\\ 0:r0=2'],
    ['atomic_fetch_sub(2, x)', 'x=-2 /\\ 0:r0=0'],
    ['atomic_dec_and_test(x)', 'x=-1 /\\ 0:r0=0'],
    ['cmpxchg(x, 0, 3)', 'x=3 /\\ 0:r0=0'],
    ['cmpxchg(x, 1, 3)', 'x=0 /\\ 0:r0=0'],
    ['atomic_add_unless(x, 2, 0)', 'x=0 /\\ 0:r0=0'],
    ['atomic_add_unless(x, 2, 1)', 'x=2 /\\ 0:r0=1'],
  ])('what %s gives', (call, asked) => {
    const text = kernel([`int r0; r0 = ${call};`], asked).replace('exists', 'forall');
    expect(verdicts(text, KERNEL)).toEqual(['holds']);
  });

  test.each([
    ['while (1) { }', 'while', '`while` is not read'],
    ['int r0 = spin_trylock(x);', 'spin_trylock(x)', 'this call is not known'],
    ['int r0 = READ_ONCE(x);', 'READ_ONCE(x)', 'this call is not known'],
    ['int r0 = READ_ONCE(*x) & 3;', 'READ_ONCE(*x) & 3', '`&` is not read here'],
    ['int *r0; WRITE_ONCE(*r0, 1);', 'r0', 'which address this is is not known'],
    ['int r0 = *x + *y;', '*x + *y', 'which of both is read first is not said'],
    ['int r0; if (r0 && *x) r0 = 1;', 'r0 && *x', 'which of both is read first is not said'],
    ['x = 1;', 'x', 'x is a parameter, and stays what it is'],
  ])('what is refused: %s', (body, at, message) => {
    const text = kernel([body], 'x=0');
    const { errors } = parseLitmus(text, 'my.litmus', [KERNEL]) as {
      errors: readonly { message: string; span: { start: number; end: number } }[];
    };
    const [{ span, message: said }] = errors;
    expect([text.slice(span.start, span.end), said]).toEqual([at, message]);
  });
});

test('tests with mistakes have messages in their text, and no other end', () => {
  const texts = [
    'RISCV t\n{ 0:x6=x; 1:x6=y; }\n P0 | P1 ;\n li x1,1 | lr.w x5,(x6) ;\n fence rw,w | ;\n bne x1,x0,L | ;\n sc.w x9,x1,0(x6) | ;\n L: nop | ;\nexists (not (0:x9=0))\n',
    'C t\n{ y=x; }\nP0(int *x, int *y) { int *r0 = READ_ONCE(*y); if (*r0 == 1) { xchg(x, 2); } }\nexists (0:r0=x)\n',
  ];
  const broken = fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.nat(6), fc.constantFrom(...'(){};*&|,=:0 ', ''))
    .map(([text, at, length, put]) => {
      const from = at % text.length;
      return text.slice(0, from) + put + text.slice(from + length);
    });
  const property = fc.property(broken, (text) => {
    const read = parseLitmus(text, 'my.litmus', [KERNEL]);
    if (read.ok) return;
    for (const { span } of read.errors) {
      expect(span.start).toBeGreaterThanOrEqual(0);
      expect(span.end).toBeLessThanOrEqual(text.length + 1);
    }
  });
  fc.assert(property, { numRuns: cases(5000, 150) });
});
