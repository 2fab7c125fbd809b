import { formatsOf } from '../../print/reports.js';
import { check } from './verdicts.js';
import { VERDICT_CODES } from '../../command/codes.js';
import { declare } from '../../command/declare.js';
import { formats } from '../../command/format-options.js';
import {
  grep,
  inlining,
  judging,
  model,
  pathsArgument,
  proofs,
  search,
  spread,
} from '../../command/options.js';

export const checkCommand = () =>
  declare(
    {
      name: 'check',
      summary: 'decide the queries of litmus files and of C files',
      description: 'Decides every query of the files: allowed, with the final state, or forbidden.',
      arguments: [pathsArgument(true)],
      options: [
        model(),
        ...inlining(),
        grep(),
        ...judging(),
        ...proofs(),
        ...formats([...formatsOf('check'), 'herd']),
        ...search(),
        ...spread(),
      ],
      examples: [
        ['remora check corpus/tso/MP3bis.litmus', 'one test under rdma-tso'],
        ['remora check corpus/loco --model sc,rdma-wait', 'a folder under two models'],
        ['remora check corpus/tso --grep SB --json', 'tests with SB in their names, as JSON'],
      ],
      codes: VERDICT_CODES,
    },
    check,
  );
