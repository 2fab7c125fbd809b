import fc from 'fast-check';

/** Names that the axioms of random models may use, among them a closure and two fixpoints. */
const DEFINITIONS = `let R = lR | CAS | nlR | nrR
let W = lW | CAS | nlW | nrW
let rb = (rf^-1 ; mo) \\ id
let ppo = po \\ (lW * lR)
let step = A
let steps = step+
let rec r = B | AGAIN and q = C | (r & loc)`;

/** What the axioms are about: A and B are relations, S is a set. */
const AXIOMS = [
  'acyclic A | B',
  'acyclic A | B',
  'acyclic A | B',
  'acyclic po | A',
  'acyclic step | A',
  'irreflexive steps',
  'irreflexive (A | [S] ; steps)+',
  'irreflexive ([S] ; steps ; A)+',
  'irreflexive A',
  'irreflexive A ; B',
  'empty A',
  'empty A \\ B',
  'empty A \\ B',
  'empty S',
  '~acyclic A | B',
  '~irreflexive A ; B',
  '~empty A \\ B',
  '~empty A & B',
  '~empty S',
];

/** How `r` goes on: by itself or by way of `q`. */
const AGAIN = ['r ; r', 'r ; step', 'step ; r', '(r & loc) ; q', 'q'];

const { rel, set } = fc.letrec<{ rel: string; set: string }>((tie) => {
  const options = { maxDepth: 3, withCrossShrink: true };
  const binary = (signs: readonly string[], of: fc.Arbitrary<string>) =>
    fc.tuple(of, fc.constantFrom(...signs), of).map(([a, op, b]) => `(${a} ${op} ${b})`);
  const chosen = fc.constantFrom('rf', 'mo', 'rb', '(rf \\ sthd)', '(mo & ext)');
  const fixed = fc.constantFrom('po', '(po & loc)', 'ppo', '(po & sqp)', 'nfo', 'pf');
  const closed = fc.tuple(tie('rel'), fc.constantFrom('+', '+', '*', '?', '^-1'));
  return {
    rel: fc.oneof(
      options,
      { weight: 6, arbitrary: chosen },
      { weight: 4, arbitrary: fixed },
      { weight: 1, arbitrary: fc.constantFrom('loc', 'sqp', 'sthd', 'ext', 'id') },
      { weight: 4, arbitrary: binary(['|', '|', '|', '&', '\\', '\\', ';', ';'], tie('rel')) },
      { weight: 2, arbitrary: closed.map(([r, op]) => `(${r}${op})`) },
      { weight: 1, arbitrary: tie('rel').map((r) => `~${r}`) },
      { weight: 1, arbitrary: binary(['*'], tie('set')) },
      { weight: 1, arbitrary: tie('set').map((s) => `[${s}]`) },
    ),
    set: fc.oneof(
      options,
      fc.constantFrom('lR', 'lW', 'CAS', 'F', 'P', 'nlR', 'nrW', 'nrR', 'nlW', 'nF', 'IW', '_'),
      fc.constantFrom('R', 'W'),
      binary(['|', '&', '\\'], tie('set')),
      tie('set').map((s) => `~${s}`),
      fc.tuple(fc.constantFrom('domain', 'range'), tie('rel')).map(([f, r]) => `${f}(${r})`),
    ),
  };
});

/** A relation in an axiom: one of the definitions, or of its own. */
const used = fc.oneof(
  { weight: 3, arbitrary: rel },
  { weight: 1, arbitrary: fc.constantFrom('r', 'q', 'steps') },
);

const filled = (template: string, parts: Readonly<Record<string, string>>): string =>
  template.replace(/\b(A|B|C|S|AGAIN)\b/g, (name) => parts[name]);

/**
 * Random models as cat text, over every operator and every kind of axiom. They mean nothing, but
 * are drawn so that many of them tell executions apart.
 */
export const models: fc.Arbitrary<string> = fc
  .record({
    definitions: fc
      .record({ A: rel, B: rel, C: rel, AGAIN: fc.constantFrom(...AGAIN) })
      .map((parts) => filled(DEFINITIONS, parts)),
    axioms: fc.array(
      fc
        .tuple(fc.constantFrom(...AXIOMS), fc.record({ A: used, B: used, S: set }))
        .map(([axiom, parts]) => filled(axiom, parts)),
      { minLength: 1, maxLength: 2 },
    ),
  })
  .map(({ definitions, axioms }) => [definitions, ...axioms].join('\n'));

/** Relaxed ordering without the PCIe guarantee: reads find writes that are pending, and that nothing orders. */
export const UNORDERED = `"own"
include "rdma-tso-base.cat"
let part = range(rmw)
let oppo = oppo
  \\ qpo & ((nrW \\ part) * (nrW \\ part)) \\ qpo & (nlW * nlW)
  \\ qpo & (nrW * nrR) \\ qpo & (nrW * nlW) \\ qpo & (nrW * nAR)
let rfb = rfb | (rf & sqp & (nrW * (nrR | nAR) | nlW * nlR))
let rbb = rbb | (rb & sqp & ((nrR | nAR) * nrW | nlR * nlW))
let issued = ippo | rf | pf | rbb | rao | issr(rbb)
let observed = oppo | (rf \\ rfb) | [nlW] ; pf | rb | mo | raw
include "rdma-axioms.cat"`;
