import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-6';
import { OPERATORS } from './operators.js';

/** A mistake that somebody could make in Remora: one expression or statement of one file, replaced. */
export interface CodeMutant {
  /** The file, the function, the operator of `operators.ts`, and which of its mutants there, from 1: `src/….ts/function/operator/n`. */
  readonly name: string;
  /** The source file, from the project's root: `src/….ts`. */
  readonly file: string;
  /** Where the replaced text begins and ends in the file. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly line: number;
  /** What is replaced by what: `'…' → '…'`. */
  readonly what: string;
}

/** The project's root. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** All mutants of a source file, in the order of its text. */
export function mutantsOfFile(file: string): readonly CodeMutant[] {
  return mutantsOfSource(file, readFileSync(join(ROOT, file), 'utf8'));
}

export function mutantsOfSource(file: string, text: string): readonly CodeMutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const found: CodeMutant[] = [];
  const counts = new Map<string, number>();
  const visit = (node: ts.Node, within: readonly string[]): void => {
    if (decidesNothing(node)) return;
    const own = nameOf(node);
    const names = own === undefined ? within : [...within, own];
    for (const [operator, replacements] of Object.entries(OPERATORS)) {
      for (const replacement of replacements(node)) {
        if (replacement === node.getText()) continue;
        const base = [file, names.join('.') || 'top', operator].join('/');
        const n = (counts.get(base) ?? 0) + 1;
        counts.set(base, n);
        const [start, end] = [node.getStart(source), node.getEnd()];
        const line = source.getLineAndCharacterOfPosition(start).line + 1;
        const what = `${short(node.getText())} → ${short(replacement)}`;
        found.push({ name: `${base}/${n}`, file, start, end, replacement, line, what });
      }
    }
    ts.forEachChild(node, (child) => visit(child, names));
  };
  ts.forEachChild(source, (child) => visit(child, []));
  return found;
}

/** Types, imports, errors that nobody should ever see, and what is said of mistakes of users. */
const decidesNothing = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isThrowStatement(node) ||
  isReport(node) ||
  (ts.isIfStatement(node) &&
    (node.elseStatement === undefined
      ? ts.isThrowStatement(node.thenStatement) || says(node.thenStatement)
      : [node.thenStatement, node.elseStatement].every(onlySays)));

/** A call of `report` (src/program/report.ts) or of what reports one mistake, or one that tells editors what a name stands for. */
const isReport = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  /^(this\.)?(report\w*|(scope\.)?names\??\.(define|use|record\w*))$/.test(
    node.expression.getText(),
  );

/** Does a statement do nothing else? */
const onlySays = (statement: ts.Statement): boolean =>
  ts.isBlock(statement)
    ? statement.statements.every(onlySays)
    : ts.isExpressionStatement(statement)
      ? isReport(statement.expression)
      : decidesNothing(statement);

const says = (node: ts.Node): boolean => isReport(node) || ts.forEachChild(node, says) === true;

/** The name of what is a function, a class, or declared outside of both. */
export function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return node.name?.text;
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) return node.name.getText();
  if (!ts.isVariableDeclaration(node) && !ts.isPropertyAssignment(node)) return undefined;
  const { initializer } = node;
  const isFunction =
    initializer !== undefined &&
    (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
  const isOutside = ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent);
  return isFunction || isOutside ? node.name.getText() : undefined;
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return `'${line.length > 60 ? `${line.slice(0, 59)}…` : line}'`;
};

/** A mutant for people. */
export const told = ({ name, line, what }: CodeMutant): string => `${name}, line ${line}: ${what}`;

/** The text of a mutant's file, with the mistake in it. */
export function mutatedText({ file, start, end, replacement }: CodeMutant): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return text.slice(0, start) + replacement + text.slice(end);
}
