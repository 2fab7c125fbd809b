import { solverCommand } from './command.js';
import { startProcess } from './process.js';
import { preamble, shownAnswer } from '../solve/smtlib.js';

/** Seconds that the probe waits. A solver that has said nothing by then counts as slow, not as broken. */
const PATIENCE = 1;

/**
 * Why a command cannot serve as a solver: there is none, or it does not get a query of one variable
 * right. So somebody who mistypes learns it once, and not from every query.
 *
 * @param seconds the time that a query may take; who needs longer will fail there
 */
export async function solverProblem(text: string, seconds: number): Promise<string | undefined> {
  const { command, problem } = solverCommand(text);
  if (problem !== undefined) return problem;
  const solver = startProcess(command);
  const talk = async (): Promise<string | undefined> => {
    const start = `${preamble(command.logic)}(declare-const v1 Bool)\n(assert v1)\n`;
    // The query uses what solvers often need options for: assumptions, a second question, and values.
    for (const [commands, expected] of [
      [`${start}(check-sat-assuming ((not v1)))\n`, /^unsat$/],
      ['(check-sat-assuming (v1))\n', /^sat$/],
      ['(get-value (v1))\n', /^\(\s*\(\s*v1\s+true\s*\)\s*\)$/],
    ] as const) {
      const response = await solver.ask(commands);
      if (!response.ok) return response.reason;
      if (!expected.test(response.text)) return shownAnswer(command.name, response.text);
    }
    return undefined;
  };
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.min(seconds, PATIENCE) * 1000);
  });
  const found = await Promise.race([talk(), patience]);
  clearTimeout(timer);
  solver.kill();
  return found === undefined ? undefined : `--solver ${text}: ${found}`;
}
