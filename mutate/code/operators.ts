import ts from 'typescript-6';

/**
 * Mistakes by syntax: for a node of the tree, what may stand in its place. Each entry is a slip that somebody could make, and that
 * leaves TypeScript which can be parsed. Whether its types fit is not asked.
 */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  /** `&&` for `||`, and the other way round. */
  junction: binary({ '&&': '||', '||': '&&' }),
  /** A part is forgotten: of a condition, or of what is computed with relations and sets. */
  part: (node) => {
    if (ts.isBinaryExpression(node) && isOperator(node, ['&&', '||'])) {
      const parts = isAnyway(node) ? [node.left] : [node.left, node.right];
      return parts.map((side) => `(${side.getText()})`);
    }
    if (!ts.isCallExpression(node) || node.arguments.length !== 2) return [];
    const parts = RELATIONAL.get(calledName(node)) ?? 0;
    return node.arguments.slice(0, parts).map((arg) => arg.getText());
  },
  /** The bound of a comparison is taken for the other side, or the comparison is turned. */
  comparison: (node) => (isCounting(node) ? [] : compared(node)),
  sum: (node) => (isText(node) ? [] : binary({ '+': '-', '-': '+' })(node)),
  bits: binary({ '&': '|', '|': '&', '&=': '|=', '|=': '&=' }),
  /** One more or one less is forgotten. */
  one: (node) =>
    ts.isBinaryExpression(node) && isOperator(node, ['+', '-']) && node.right.getText() === '1'
      ? [node.left.getText()]
      : [],
  /** Counting begins at the wrong number; `one` has what is added, `sign` what is negative. */
  number: (node) => {
    if (!ts.isNumericLiteral(node) || isOperand(node)) return [];
    return node.text === '0' ? ['1'] : node.text === '1' ? ['0'] : [];
  },
  /** A counter that stays. */
  counter: (node) =>
    ts.isPostfixUnaryExpression(node) && !ts.isExpressionStatement(node.parent) && !isUpdate(node)
      ? [node.operand.getText()]
      : [],
  /** The first of a list in the place of another. */
  index: (node) =>
    ts.isElementAccessExpression(node) &&
    isRead(node) &&
    !ts.isLiteralExpression(node.argumentExpression)
      ? [node.getText().slice(0, node.argumentExpression.getStart() - node.getStart()) + '0]']
      : [],
  /** Of a value and its default, only the default counts. */
  default: (node) =>
    ts.isBinaryExpression(node) && isOperator(node, ['??']) ? [`(${node.right.getText()})`] : [],
  /** `!x` and the literal `-x` without their sign. */
  sign: (node) =>
    ts.isPrefixUnaryExpression(node) &&
    [ts.SyntaxKind.ExclamationToken, ts.SyntaxKind.MinusToken].includes(node.operator) &&
    !ts.isNumericLiteral(node.operand)
      ? [node.operand.getText()]
      : [],
  /** A condition that does not matter. */
  condition: (node) => {
    const { parent } = node;
    if (ts.isConditionalExpression(parent) && parent.condition === node) return ['true', 'false'];
    if (!ts.isIfStatement(parent) || parent.expression !== node) return [];
    return isKnownAlready(parent) ? ['true'] : ['true', 'false'];
  },
  truth: (node) => {
    if (node.kind === ts.SyntaxKind.TrueKeyword) return ['false'];
    return node.kind === ts.SyntaxKind.FalseKeyword ? ['true'] : [];
  },
  /** A name whose opposite is meant. */
  opposite: (node) => {
    if (!ts.isIdentifier(node) || !isUse(node)) return [];
    const other = OPPOSITES.get(node.text);
    return other === undefined ? [] : [other];
  },
  quantifier: (node) => {
    if (!isMethodName(node)) return [];
    if (node.text === 'some') return ['every'];
    return node.text === 'every' ? ['some'] : [];
  },
  /** A list as it was before it was filtered, cut, sorted or turned round. */
  step: (node) =>
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    ['filter', 'slice', 'sort', 'reverse'].includes(node.expression.name.text)
      ? [node.expression.expression.getText()]
      : [],
  /** Two arguments, or the two parts of a tuple, in the wrong order. */
  order: (node) => {
    if (ts.isArrayLiteralExpression(node) && isTuple(node)) {
      return [`[${node.elements[1].getText()}, ${node.elements[0].getText()}]`];
    }
    if (!ts.isCallExpression(node) || SYMMETRIC.has(calledName(node))) return [];
    const { arguments: args } = node;
    return pairs(args)
      .filter(([i, j]) => ts.isIdentifier(args[i]) && ts.isIdentifier(args[j]))
      .map(([i, j]) =>
        called(
          node,
          args.map((_, k) => args[k === i ? j : k === j ? i : k]),
        ),
      );
  },
  /** A clause, conjunction or disjunction without one of its literals. */
  literal: (node) =>
    ts.isCallExpression(node) && LITERALS.has(calledName(node)) && node.arguments.length > 1
      ? node.arguments.map((one) =>
          called(
            node,
            node.arguments.filter((other) => other !== one),
          ),
        )
      : [],
  /** A list without one of its parts; what has no `...` in it may be a tuple. */
  element: (node) =>
    ts.isArrayLiteralExpression(node) && node.elements.some(ts.isSpreadElement)
      ? node.elements.map(
          (one) =>
            `[${node.elements
              .filter((other) => other !== one)
              .map((other) => other.getText())
              .join(', ')}]`,
        )
      : [],
  /** Something is not handed on. */
  property: (node) =>
    ts.isPropertyAssignment(node) && ts.isPropertyAccessExpression(node.initializer)
      ? [`${node.name.getText()}: undefined`]
      : [],
  /** A loop without its first round, or without its last. One round more would often look behind the end of a list, where nothing is. */
  round: (node) => {
    const { parent } = node;
    if (ts.isForOfStatement(parent) && parent.expression === node) {
      return [`[...${node.getText()}].slice(1)`];
    }
    return isCounting(node) ? [`${node.left.getText()} + 1 < ${node.right.getText()}`] : [];
  },
  /** A loop of one round. */
  once: (node) =>
    ts.isWhileStatement(node) && !isLeft(node.statement)
      ? [`if (${node.expression.getText()}) ${node.statement.getText()}`]
      : [],
  /** Something is not done. */
  statement: (node) =>
    ts.isExpressionStatement(node) &&
    (ts.isCallExpression(node.expression) || isAssignment(node.expression))
      ? [';']
      : [],
  /** A case of which nobody thought; what only throws an error is for nobody to see. */
  case: (node) =>
    ts.isCaseClause(node) &&
    node.statements.length > 0 &&
    !node.statements.every(ts.isThrowStatement)
      ? ['']
      : [],
};

/** What may stand in the place of a node: its texts. */
export type Operator = (node: ts.Node) => readonly string[];

const OPPOSITES: ReadonlyMap<string, string> = new Map(
  [
    ['may', 'must'],
    ['left', 'right'],
    ['then', 'else'],
    ['from', 'to'],
    ['before', 'after'],
    ['first', 'second'],
    ['out', 'into'],
    ['low', 'high'],
    ['TRUE', 'FALSE'],
    ['min', 'max'],
    ['floor', 'trunc'],
  ].flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]),
);

/** Functions of which each argument is a literal. */
const LITERALS: ReadonlySet<string> = new Set(['and', 'or', 'assert', 'clause', 'addClause']);

/** Functions that make one of two relations or sets, and how many of these could stand for what they make. */
const RELATIONAL: ReadonlyMap<string, number> = new Map([
  ...['interSet', 'interRel', 'unionSet', 'unionRel', 'seq'].map((name) => [name, 2] as const),
  ...['diffSet', 'diffRel'].map((name) => [name, 1] as const),
]);

/** Functions to which the order of arguments is all the same. */
const SYMMETRIC: ReadonlySet<string> = new Set([
  ...LITERALS,
  ...['exclusive', 'sameLocation', 'sameThread', 'max', 'min', 'same', 'interSet', 'interRel'],
  ...['unionSet', 'unionRel', 'union', 'inter', 'equal'],
]);

function binary(instead: Readonly<Record<string, string>>): Operator {
  return (node) => {
    if (!ts.isBinaryExpression(node)) return [];
    const other = instead[node.operatorToken.getText()];
    if (other === undefined) return [];
    const text = `${node.left.getText()} ${other} ${node.right.getText()}`;
    return [ts.isExpressionStatement(node.parent) ? text : `(${text})`];
  };
}

const isOperator = (node: ts.BinaryExpression, texts: readonly string[]): boolean =>
  texts.includes(node.operatorToken.getText());

const compared = binary({
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
});

/** The condition of `for (let i = 0; i < n; i++)`. */
const isCounting = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) &&
  ts.isForStatement(node.parent) &&
  node.parent.condition === node &&
  isOperator(node, ['<']);

/** Is a number the operand of `+`, `-` or a sign? */
const isOperand = ({ parent }: ts.Node): boolean =>
  ts.isPrefixUnaryExpression(parent) ||
  (ts.isBinaryExpression(parent) && isOperator(parent, ['+', '-']));

/** Two names or properties. */
const isTuple = ({ elements }: ts.ArrayLiteralExpression): boolean =>
  elements.length === 2 &&
  elements.every((one) => ts.isIdentifier(one) || ts.isPropertyAccessExpression(one));

/** Does something in the body of a loop leave its round? Outside of a loop it could not be parsed. */
const isLeft = (node: ts.Node): boolean =>
  ts.isBreakOrContinueStatement(node) || ts.forEachChild(node, isLeft) === true;

/** `...(x !== undefined && { x })`: a property that is undefined is as good as none. */
const isAnyway = ({ left, right, parent }: ts.BinaryExpression): boolean =>
  ts.isParenthesizedExpression(parent) &&
  ts.isSpreadAssignment(parent.parent) &&
  ts.isObjectLiteralExpression(right) &&
  right.properties.length === 1 &&
  ts.isShorthandPropertyAssignment(right.properties[0]) &&
  left.getText() === `${right.properties[0].name.text} !== undefined`;

/** Is one side a text, so that `+` is no sum? */
const isText = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  [node.left, node.right].some(
    (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
  );

/** `if (known !== undefined) return known;`: without it, the same is worked out again. */
const isKnownAlready = ({ expression, thenStatement }: ts.IfStatement): boolean =>
  ts.isReturnStatement(thenStatement) &&
  thenStatement.expression !== undefined &&
  expression.getText() === `${thenStatement.expression.getText()} !== undefined`;

/** Is it the name of a property that is asked for, or a constant? What is declared keeps its name. */
const isUse = (node: ts.Identifier): boolean =>
  ts.isPropertyAccessExpression(node.parent)
    ? node.parent.name === node
    : !ts.isVariableDeclaration(node.parent) && (node.text === 'TRUE' || node.text === 'FALSE');

const isMethodName = (node: ts.Node): node is ts.Identifier =>
  ts.isIdentifier(node) &&
  ts.isPropertyAccessExpression(node.parent) &&
  node.parent.name === node &&
  ts.isCallExpression(node.parent.parent);

const isAssignment = (node: ts.Node): node is ts.AssignmentExpression<ts.AssignmentOperatorToken> =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
  node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

/** What a loop does after each round: without it, it has no end. */
const isUpdate = (node: ts.Expression): boolean =>
  ts.isForStatement(node.parent) && node.parent.incrementor === node;

/** Is the value asked for, rather than set? */
const isRead = (node: ts.Expression): boolean =>
  !(isAssignment(node.parent) && node.parent.left === node) &&
  !ts.isPostfixUnaryExpression(node.parent);

const calledName = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();

const called = ({ expression }: ts.CallExpression, args: readonly ts.Expression[]): string =>
  `${expression.getText()}(${args.map((arg) => arg.getText()).join(', ')})`;

/** The places of neighbours in a list. */
const pairs = (list: readonly unknown[]): readonly (readonly [number, number])[] =>
  list.slice(1).map((_, i) => [i, i + 1] as const);
