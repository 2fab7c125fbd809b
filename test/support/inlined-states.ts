import { enumerate } from '../../src/check/decide.js';
import type { LitmusFile } from '../../src/parse/litmus-ast.js';
import { valueText } from '../../src/parse/values.js';
import { DISK } from '../../src/node/models.js';
import { Libraries } from '../../src/program/libraries.js';
import { resolveClient } from '../../src/program/client.js';
import { observedSubjects } from '../../src/program/subjects.js';
import { adapted, newSolver } from './checker.js';
import { valueOf } from './litmus.js';

/** All outcomes of a client under its libraries. */
export function outcomesOf(file: LitmusFile): ReturnType<typeof enumerate> {
  const client = valueOf(resolveClient(file, { libraries: new Libraries(DISK) }).test);
  const [model] = client.models!;
  const program = adapted(client, model);
  return enumerate(program, model, newSolver, observedSubjects(program), 4);
}

/** The same, each as `a=1 b=<1, 2>`. */
export const statesOfClient = (file: LitmusFile): readonly string[] => textsOf(outcomesOf(file));

export const textsOf = ({ states }: ReturnType<typeof outcomesOf>): readonly string[] =>
  states.map((state) =>
    Object.entries(state)
      .map(([name, value]) => `${name}=${valueText(value)}`)
      .join(' '),
  );
