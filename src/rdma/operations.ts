import type { Instruction } from '../program/program.js';

/** An instruction that is put on a queue pair and completed by the NIC, so that it can be polled or waited for. */
export type Operation = Extract<Instruction, { readonly kind: 'get' | 'put' }>;

export const isOperation = (i: Instruction): i is Operation => i.kind === 'get' || i.kind === 'put';
