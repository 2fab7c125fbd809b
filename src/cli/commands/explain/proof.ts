import { tellProof } from '../../../analyses/prove/tell.js';
import { COLOURS } from '../../../report/colours.js';
import { proofText } from '../../../report/proof.js';
import { conclude } from '../../run/answer.js';
import { BAD_INPUT } from '../../command/exit.js';
import { UsageError } from '../../command/usage.js';
import type { VerifyOptions } from '../../proofs/judge.js';
import { isInClauses } from '../../proofs/read.js';
import { codeOf, judgeAll, outcomeLine } from '../verify.js';

/** `remora explain FILE --proof PROOF…`: checks proofs, and puts those that hold into words. */
export async function explainProofs(
  paths: readonly string[],
  proofs: readonly string[],
  options: VerifyOptions,
): Promise<number> {
  const [file, ...others] = paths;
  if (others.length > 0) throw new UsageError('--proof is for one litmus file');
  const outcomes = await judgeAll(file, proofs, options);
  if (outcomes === undefined) return BAD_INPUT;
  const texts = outcomes.map((one) => {
    const line = outcomeLine(one);
    if (!('holds' in one)) return line;
    // Clauses are about bits of an encoding, and there is nothing to tell.
    if (isInClauses(one.value)) return `${line}\nA proof in clauses is checked, and not told.\n`;
    const told = tellProof(one.claim, one.value.proof);
    return `${line}\n${proofText(told, COLOURS)}`;
  });
  const text = texts.filter((one) => one !== '').join('\n');
  return conclude({ format: 'text', text, code: codeOf(outcomes) });
}
