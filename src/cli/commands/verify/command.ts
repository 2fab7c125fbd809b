import { Argument } from 'commander';
import type { VerifyOptions } from '../../proofs/judge.js';
import { declare } from '../../command/declare.js';
import { inlining, model } from '../../command/options.js';

export const verifyCommand = () =>
  declare(
    {
      name: 'verify',
      summary: 'check proofs that something cannot happen',
      description:
        'Checks proofs that check and test wrote with --proof, by a checker that shares nothing with ' +
        'searches and solvers, and says what it takes for granted. Of proofs in clauses, it encodes the program anew ' +
        'and follows the steps; drat-trim is asked, too, where it is installed.',
      arguments: [
        new Argument('<file>', 'the litmus file'),
        new Argument('<proof...>', 'proofs about it (.proof, .cnf), or folders of them'),
      ],
      options: [model('the one that the proof names'), ...inlining()],
      examples: [
        ['remora check corpus/tso/MP1.litmus --proof proofs', 'makes proofs'],
        ['remora verify corpus/tso/MP1.litmus proofs/MP1', 'checks them'],
      ],
      codes: {
        asExpected: 'every proof shows what it says',
        departs: 'some proof does not',
        badInput: 'wrong usage, or a proof that is changed, cut off, or about something else',
        interrupted: false,
      },
    },
    async (file: string, proofs: readonly string[], options: VerifyOptions) => {
      const { verify } = await import('./verify.js');
      return verify(file, proofs, options);
    },
  );
