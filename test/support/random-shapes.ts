import fc from 'fast-check';
import type { Alphabet } from '../../src/rdma/classes/alphabet.js';
import type { Shape, ShapedCall } from '../../src/rdma/classes/shape.js';
import { permutations } from './naive-guesses.js';

/** Programs of a few calls with any names, drawn without regard to which of them are the same up to names. */
export function randomShapes(
  { letters, marks, hasNamedPairs }: Alphabet,
  calls: number,
  threads = calls,
): fc.Arbitrary<Shape> {
  const draw = fc.record({
    nodes: fc.integer({ min: 1, max: 3 }),
    homes: fc.array(fc.nat(2), { minLength: calls, maxLength: calls }),
    owners: fc.array(fc.nat(threads - 1), { minLength: calls, maxLength: calls }),
    letters: fc.array(fc.nat(letters.length - 1), { minLength: calls, maxLength: calls }),
    ends: fc.array(fc.nat(2), { minLength: calls, maxLength: calls }),
    pairs: fc.array(fc.nat(hasNamedPairs ? 1 : 0), { minLength: calls, maxLength: calls }),
    places: fc.array(fc.nat(1), { minLength: 2 * calls, maxLength: 2 * calls }),
    marks: fc.array(fc.nat(marks.length), { minLength: 6, maxLength: 6 }),
  });
  return draw.map((drawn) => {
    const nodes = Math.max(2, drawn.nodes);
    const bodies: ShapedCall[][] = drawn.homes.map(() => []);
    const homes = drawn.homes.map((home) => home % nodes);
    // Two locations on each node.
    const at = (node: number, place: number): number => 2 * node + place;
    for (const [i, owner] of drawn.owners.entries()) {
      const { onPair, slots, wire } = letters[drawn.letters[i]];
      const home = homes[owner];
      const to = (home + 1 + (drawn.ends[i] % (nodes - 1))) % nodes;
      let next = 2 * i;
      const places = slots.flatMap(({ kind }) =>
        kind === 'here'
          ? [at(home, drawn.places[next++])]
          : kind === 'there'
            ? [at(to, drawn.places[next++])]
            : [],
      );
      // Nobody is at the other end of a queue pair with a name.
      const pair = onPair && wire === undefined ? drawn.pairs[i] : 0;
      bodies[owner].push({
        letter: drawn.letters[i],
        ...(onPair && { to }),
        ...(pair > 0 && { pair }),
        places,
      });
    }
    const threads = bodies.flatMap((own, i) =>
      own.length > 0 ? [{ node: homes[i], calls: own }] : [],
    );
    const locations = drawn.marks.map((mark, i) => ({ node: Math.floor(i / 2), mark }));
    return { threads, nodes, locations };
  });
}

/** What all programs have in common that are the same up to names: tried with every order of threads. */
export function formOf({ threads, locations }: Shape): string {
  const forms = permutations(threads).map((order) => {
    let text = order
      .map((thread) => {
        const { node, calls } = thread;
        const own = calls.map(({ letter, to, pair = 0, places }) => {
          const named = places.map((place) => `L${place}_${locations[place].mark}`);
          const end = to === undefined ? [] : [`N${to}`, `Q${threads.indexOf(thread)}${to}${pair}`];
          return `${letter}(${[...end, ...named].join(' ')})`;
        });
        return `N${node}: ${own.join(' ')}`;
      })
      .join(' | ');
    for (const kind of ['N', 'L', 'Q']) {
      const names = [...new Set(text.match(new RegExp(`\\b${kind}\\d+`, 'g')) ?? [])];
      text = text.replace(
        new RegExp(`\\b${kind}\\d+`, 'g'),
        (name) => `${kind.toLowerCase()}${names.indexOf(name)}`,
      );
    }
    return text;
  });
  return forms.sort()[0];
}
