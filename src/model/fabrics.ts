/** The fabrics that come with Remora: one program, on the hardware and with the settings that people have. */
import { cpuOf } from './cpus.js';

/** A fabric, and the fabrics of which it allows whatever they allow. */
interface Fabric {
  readonly name: string;
  readonly above: readonly string[];
}

/**
 * From what orders most to what orders least. `above` is what one can see in the files: each takes orders away from those
 * above it. test/model/fabrics.test.ts holds it against random programs. It is for programs in which no location is
 * both `strict` and `relaxed`.
 */
const ORDER: readonly Fabric[] = [
  { name: 'rdma-manpage', above: [] },
  { name: 'rdma-tso', above: ['rdma-manpage'] },
  { name: 'rdma-inline', above: ['rdma-tso'] },
  // Two queue pairs of one NIC are in an order that RDMA^TSO does not have.
  { name: 'rdma-nics-cpuflush', above: [] },
  { name: 'rdma-nics', above: ['rdma-nics-cpuflush'] },
  { name: 'rdma-ro-tagged', above: ['rdma-tso'] },
  { name: 'rdma-ro-manpage', above: ['rdma-manpage'] },
  { name: 'rdma-ro', above: ['rdma-ro-tagged', 'rdma-ro-manpage'] },
  { name: 'rdma-ro-recvown', above: ['rdma-ro'] },
  { name: 'rdma-ro-either', above: ['rdma-ro'] },
  { name: 'rdma-ro-atomic', above: ['rdma-ro'] },
  { name: 'rdma-unordered', above: ['rdma-ro'] },
  { name: 'rdma-ooo-rw', above: ['rdma-tso'] },
  { name: 'rdma-srd', above: ['rdma-ooo-rw'] },
];

/** Their names, in the order of tables. */
export const FABRIC_MODELS: readonly string[] = ORDER.map(({ name }) => name);

const aboveAll = new Map<string, ReadonlySet<string>>();
for (const { name, above } of ORDER) {
  aboveAll.set(name, new Set(above.flatMap((one) => [one, ...(aboveAll.get(one) ?? [])])));
}

/** Does a fabric allow all that another one allows? Of other models, and of fabrics with different CPUs, nothing is known. */
export function allowsAllOf(weaker: string, stronger: string): boolean {
  const [one, other] = [cpuOf(weaker), cpuOf(stronger)];
  return one.cpu === other.cpu && (aboveAll.get(one.fabric)?.has(other.fabric) ?? false);
}

/** Those of some models of which none of the others is known to allow more. */
export const weakestOf = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !names.some((other) => allowsAllOf(other, name)));

/** Those of some models of which none of the others is known to allow less. */
export const strongestOf = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !names.some((other) => allowsAllOf(name, other)));
