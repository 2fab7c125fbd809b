import { OPERATIONAL_MODELS } from '../../src/rdma/machines/index.js';
import type { Hardware } from '../../src/rdma/machines/index.js';
import type { Setting } from './ways.js';

/** Models and machines that several rows are about, and the ways of machines. */

/** Definitions of RDMA^TSO (TSO paper, Thms C.5 and C.6). */
export const TSO = ['rdma-tso', 'rdma-tso-4.4', 'rdma-tso-rec'];
/** RDMA^SC, with and without the axiom that is implied (decidability paper, Thm 4.1). */
export const SC = ['rdma-sc', 'rdma-sc-no-ib'];

/** Models that have a machine. The variants are RDMA^TSO with other remote atomics. */
export const OF_MACHINES = [...OPERATIONAL_MODELS.keys()];
export const VARIANTS = OF_MACHINES.filter((name) => OPERATIONAL_MODELS.get(name)!.atomics);
export const WITHOUT_VARIANT = OF_MACHINES.filter((name) => !VARIANTS.includes(name));

/** A machine that is not that of a model. */
const machine = (name: string, change: Partial<Hardware>): Setting => ({
  name,
  hardware: { ...OPERATIONAL_MODELS.get('rdma-tso')!, ...change },
});

export const SC_WITHOUT_PCIE = machine('RDMA^SC without PCIe', {
  storeBuffers: false,
  pcie: false,
});
export const GLOBAL_WITHOUT_PCIE = machine('global atomics without PCIe', {
  ...{ pcie: false, atomics: 'glob' },
});
export const LATE_WITHOUT_PCIE = machine('late atomics without PCIe', {
  ...{ pcie: false, atomics: 'late' },
});

/** Both kinds of queue pairs (TSO paper, Thm 3.1), and all orders of their transitions, on so many programs. */
export const MACHINES = (programs: number) => ({
  simplified: programs,
  'six buffers': programs,
  'simplified, every order': programs,
  'six buffers, every order': programs,
});

export const EXPLORED = (programs: number) => ({
  operational: programs,
  explored: programs,
  'explored, registers': programs,
  'explored, some': programs,
});

/** These ways, on all programs of a list. */
export const all = <W extends string>(...ways: readonly W[]) =>
  Object.fromEntries(ways.map((way) => [way, Infinity])) as Record<W, number>;
