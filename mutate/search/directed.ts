import fc from 'fast-check';
import type { Op, RemoteKind, Size, Small } from './programs.js';
import { smallPrograms, withoutIdlePolls } from './programs.js';

/** Programs around a cell of a table: an event of the row and a later one of the column in a thread. */
export function programsAround(row: string, column: string, size: Size): fc.Arbitrary<Small> {
  const around = { ...size, instructions: Math.max(1, size.instructions - 2) };
  return fc
    .tuple(smallPrograms(around), opOf(row), opOf(column), fc.nat(3), fc.nat(3), fc.boolean())
    .map(([{ threads }, first, second, i, j, apart]) => {
      const [thread, ...rest] = threads;
      const { node, body } = apart || thread === undefined ? { node: 1, body: [] } : thread;
      if (node !== 1) return { threads };
      const [a, b] = [Math.min(i, j), Math.max(i, j)];
      const inserted = [...body.slice(0, a), first, ...body.slice(a, b), second, ...body.slice(b)];
      return { threads: [{ node, body: inserted }, ...(apart ? threads : rest)] };
    })
    .map(withoutIdlePolls);
}

/** An instruction of a thread on node 1 that makes an event with the label. */
function opOf(label: string): fc.Arbitrary<Op> {
  const at = fc.constantFrom(0, 0, 1);
  const towards = fc.constantFrom(2, 2, 2, 3);
  const own = fc.option(at, { nil: undefined, freq: 2 });
  const remote = (op: RemoteKind): fc.Arbitrary<Op> =>
    fc.tuple(towards, at, own).map(([t, r, o]) => ({
      op,
      towards: t,
      remote: r,
      ...(o !== undefined && { own: o }),
    }));
  switch (label) {
    case 'lR':
      return at.map((x) => ({ op: 'read', at: x }));
    case 'lW':
      return at.map((x) => ({ op: 'write', at: x }));
    case 'CAS':
      return at.map((x) => ({ op: 'cas', at: x, old: 0 }));
    case 'F':
      return fc.constant({ op: 'fence' });
    case 'P':
    case 'WT':
      return towards.map((t) => ({ op: 'poll', towards: t }));
    case 'nF':
      return towards.map((t) => ({ op: 'rfence', towards: t }));
    case 'nlR':
    case 'nrW':
      return remote('put');
    case 'nrR':
    case 'nlW':
      return remote('get');
    case 'nAR':
      return fc.oneof(remote('rfaa'), remote('rcas'), remote('fail'));
    default:
      throw new Error(`no instruction makes ${label}`);
  }
}
