import type { Operations } from '../model/instructions/operations.js';
import { callSetName } from '../model/instructions/library.js';
import type { InstructionSet, Operation } from '../model/instructions/set.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { ThreadDecl } from '../parse/litmus-ast.js';
import { statementsOf } from '../parse/statements.js';
import { calledName, textsOf } from './call-forms.js';

/** The work identifiers of a thread's operations, separately for each library. */
export class WorkIdentifiers {
  private readonly keys: ReadonlySet<string>;

  constructor(
    private readonly instructions: InstructionSet,
    thread: ThreadDecl,
    operations: Operations,
  ) {
    this.keys = keysOf(thread, operations);
  }

  /** Has some operation of the thread, of the same library, this identifier? */
  has({ library }: Operation, work: string): boolean {
    return this.keys.has(workKey(library, work));
  }

  /** The hint: an identifier with a similar spelling, or the operation of the library to which this one belongs. */
  hint({ name, library }: Operation, work: string): string | undefined {
    const { libraries, operations } = this.instructions;
    const method = library === undefined ? name : name.slice(name.indexOf('.') + 1);
    const elsewhere = libraries.find((other) => this.keys.has(workKey(other.name, work)));
    const meant = operations.find(
      (o) => o.library === elsewhere?.name && callSetName(o) === `${elsewhere?.name}.${method}`,
    );
    if (elsewhere !== undefined && meant !== undefined) {
      return `those of ${elsewhere.name} are its own: write ${meant.name}(${work})`;
    }
    const own = [...this.keys].filter((key) => key.startsWith(workKey(library, '')));
    return didYouMean(
      work,
      own.map((key) => key.slice(key.indexOf(' ') + 1)),
    );
  }
}

/** The key of an identifier. Libraries do not share identifiers. */
const workKey = (library: string | undefined, work: string): string => `${library ?? ''} ${work}`;

function keysOf(thread: ThreadDecl, operations: Operations): ReadonlySet<string> {
  const works = new Set<string>();
  const short = operations.short('remote', 'own') ?? operations.short('own', 'remote');
  for (const s of statementsOf(thread.body)) {
    if (s.kind !== 'assign' && s.kind !== 'call') continue;
    const called = s.kind === 'call' ? calledName(s) : undefined;
    const operation = called === undefined ? short : operations.find(called, textsOf(s.tags));
    if (s.work !== undefined) works.add(workKey(operation?.library, s.work.text));
    if (s.kind !== 'call' || operation === undefined || !operations.isRemote(operation)) continue;
    operation.parameters.forEach(({ kind }, i) => {
      const given = s.arguments?.[i];
      if (kind === 'work' && given?.kind === 'ref') {
        works.add(workKey(operation.library, given.ref.name.text));
      }
    });
  }
  return works;
}
