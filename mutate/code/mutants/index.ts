import type { CodeMutant } from '../mutant.js';
import { boundsMutants } from './bounds.js';
import { encodeMutants } from './encode.js';
import { eventsMutants } from './events.js';
import { exploreMutants } from './explore.js';
import { formulaMutants } from './formula.js';
import { graphMutants } from './graph.js';
import { machineMutants } from './machines.js';
import { modelMutants } from './model.js';
import { programMutants } from './program.js';
import { searchMutants } from './search.js';
import { unrollMutants } from './unroll.js';

/** All mistakes, in the order in which a program goes through Remora. */
export const codeMutants: readonly CodeMutant[] = [
  ...programMutants,
  ...unrollMutants,
  ...eventsMutants,
  ...boundsMutants,
  ...encodeMutants,
  ...formulaMutants,
  ...searchMutants,
  ...graphMutants,
  ...modelMutants,
  ...machineMutants,
  ...exploreMutants,
];
