import { OPERATIONAL_MODELS } from '../machines/hardware.js';
import type { Hardware as MachineHardware } from '../machines/hardware.js';
import type { Model } from '../../model/term.js';

export interface Hardware extends MachineHardware {
  /** Is each instruction done, with all its events, before its thread goes on? */
  readonly sequential?: boolean;
}

/** The machines by the names of models: those of `rdma/machines`, SC, where nothing is ever pending for long, and x86-TSO. */
export const EXPLORED_MODELS: ReadonlyMap<string, Hardware> = new Map<string, Hardware>([
  [
    'sc',
    {
      storeBuffers: false,
      pcie: true,
      queuePairs: 'simplified',
      atomics: 'glob',
      sequential: true,
    },
  ],
  ...OPERATIONAL_MODELS,
  // Of programs without a network, RDMA^TSO is x86-TSO.
  ['x86-tso', OPERATIONAL_MODELS.get('rdma-tso')!],
]);

export const hardwareOf = (model: Pick<Model, 'shipped' | 'name'>): Hardware | undefined =>
  model.shipped ? EXPLORED_MODELS.get(model.name) : undefined;
