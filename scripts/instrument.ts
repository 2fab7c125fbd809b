import { createHash } from 'node:crypto';
import ts from 'typescript-6';
import { nameOf } from '../mutate/code/mutant.js';

/** A function of a source file. */
export interface SourceFunction {
  readonly file: string;
  readonly line: number;
  /** With the names that it stands in: `Solver.decide`, and `Solver.decide.?` for a function in it that has no name. */
  readonly name: string;
}

/** Puts marks into sources: each function tells when it is entered for the first time. */
export class Instrumenter {
  /** All functions so far; each is known by its place in this list. */
  readonly functions: SourceFunction[] = [];
  /** Names of global variables that no other log has. */
  private readonly entered: string;
  private readonly enter: string;

  /** @param log the absolute path of a file: a line for each function that a process, or a thread, has entered is added to it */
  constructor(private readonly log: string) {
    const own = createHash('sha256').update(log).digest('hex').slice(0, 8);
    this.entered = `$entered${own}`;
    this.enter = `$enter${own}`;
  }

  /** The text of a source file with marks in it. It does the same, but that it needs Node.js for its marks to be kept. */
  instrument(file: string, text: string): string {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
    const marks: { readonly at: number; readonly text: string }[] = [];
    const visit = (node: ts.Node, within: readonly string[]): void => {
      const own = nameOf(node);
      const names = own === undefined ? within : [...within, own];
      const body = bodyOf(node);
      if (body !== undefined) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        const isNamed = own !== undefined || isNamedBy(node.parent, node);
        const name = (isNamed ? names : [...names, '?']).join('.');
        const id = this.functions.push({ file, line: line + 1, name }) - 1;
        const mark = `${this.entered}[${id}]||${this.enter}(${id})`;
        const start = body.getStart(source);
        if (ts.isBlock(body)) marks.push({ at: start + 1, text: `${mark};` });
        else marks.push({ at: start, text: `(${mark},` }, { at: body.getEnd(), text: ')' });
      }
      ts.forEachChild(node, (child) => visit(child, names));
    };
    visit(source, []);
    marks.sort((a, b) => a.at - b.at);
    const parts = marks.map(
      ({ at, text: mark }, i) => text.slice(marks[i - 1]?.at ?? 0, at) + mark,
    );
    return [this.prelude(), ...parts, text.slice(marks.at(-1)?.at ?? 0)].join('');
  }

  /** One table for each thread. A process may be killed at any time, so each line is written at once. */
  private prelude(): string {
    const { entered, enter } = this;
    return `// @ts-nocheck
const ${entered} = (globalThis.${entered} ??= new Uint8Array(${MOST}));
const ${enter} = (globalThis.${enter} ??= (id) => {
  ${entered}[id] = 1;
  globalThis.process?.getBuiltinModule?.('node:fs').appendFileSync(${JSON.stringify(this.log)}, id + '\\n');
});
`;
  }
}

/** More functions than there will be. */
const MOST = 2 ** 16;

/** Undefined for what is no function, and for what is only declared. */
const bodyOf = (node: ts.Node): ts.Node | undefined =>
  ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node | undefined) : undefined;

/** Is a function the value of something that has a name? */
const isNamedBy = (parent: ts.Node, node: ts.Node): boolean =>
  (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) &&
  parent.initializer === node;
