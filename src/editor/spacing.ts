import type { Token } from '../parse/tokens.js';

/**
 * How a token is spaced. `infix` and `word` have blanks on both sides, `tight` on neither side, `prefix` none after it,
 * `postfix` and `separator` none before it. Brackets are `open` and `close`, those of blocks `begin` and `end`.
 */
type Role =
  | 'word'
  | 'keyword'
  | 'infix'
  | 'prefix'
  | 'postfix'
  | 'tight'
  | 'separator'
  | 'open'
  | 'close'
  | 'begin'
  | 'end'
  | 'comment';

/** Words after which an operand comes, so that a sign there is a prefix. */
const WORDS = new Set([
  ...[
    'if',
    'while',
    'return',
    'in',
    'of',
    'on',
    'or',
    'bound',
    'exists',
    'forall',
    'filter',
    'never',
  ],
  ...['not', 'locations', 'else', 'choose', 'loop', 'for', 'by', 'work', 'into', 'reads', 'writes'],
  ...['when', 'either', 'total', 'kth', 'one', 'each', 'to', 'unordered', 'operation', 'as', 'at'],
]);

/** How many blanks are needed before each token and comment that does not begin its line. */
export function blanksBefore(
  tokens: readonly Token[],
  language: 'cat' | 'litmus',
): readonly number[] {
  const roles = new Roles(tokens, language).all();
  return tokens.map((token, i) => {
    if (i === 0 || !isApart(tokens, roles, i)) return 0;
    // The label of a query.
    return token.type === 'string' && tokens[i - 1].type === 'rparen' ? 2 : 1;
  });
}

function isApart(tokens: readonly Token[], roles: readonly Role[], i: number): boolean {
  const token = tokens[i];
  const [before, own] = [roles[i - 1], roles[i]];
  if (own === 'comment' || before === 'comment') return true;
  if (before === 'begin') return own !== 'end';
  if (before === 'open' || own === 'close' || own === 'separator') return false;
  if (before === 'tight' || own === 'tight' || before === 'prefix' || own === 'postfix') {
    return false;
  }
  if (own === 'open') return !bindsBracket(tokens, i, before);
  // Names of files may have signs in them: a word without blanks stays one.
  const joined = tokens[i - 1].span.end === token.span.start;
  return !(joined && isWord(before) && isWord(own));
}

const isWord = (role: Role): boolean => role === 'word' || role === 'keyword';

/** Does a bracket follow its name without a blank: `poll(2)`, `cell[0]`, `put[t](x)`, `:=[t]`? */
function bindsBracket(tokens: readonly Token[], i: number, before: Role): boolean {
  const [token, previous] = [tokens[i], tokens[i - 1]];
  if (token.type === 'lparen' && isRoles(tokens, i)) return false;
  if (previous.type === 'int' || previous.type === 'string') return false;
  if (token.type === 'lbracket') {
    // Tags have brackets of their own: `qp a : T1 -> peer [edge]`, `operation put [t]`.
    if (['arrow', 'header'].includes(tokens[i - 2]?.type)) return false;
    if (isOperationNamed(tokens, i - 1)) return false;
    if (['assign', 'rbracket'].includes(previous.type) && hasComma(tokens, i)) return false;
    if (previous.type === 'assign') return token.span.start === previous.span.end;
  }
  return before === 'word' || before === 'close';
}

/** Are there several things in brackets, as in `:= [u, v]`? */
function hasComma(tokens: readonly Token[], open: number): boolean {
  const end = tokens.findIndex(({ type }, k) => k > open && type === 'rbracket');
  return tokens.slice(open, end).some(({ type }) => type === 'comma');
}

/** Is it the name of an operation where that is declared, or dropped: `drop operation f, put [t], g`? */
function isOperationNamed(tokens: readonly Token[], i: number): boolean {
  const isPart = ({ type, value }: Token): boolean =>
    value !== 'operation' && ['name', 'comma', 'lbracket', 'rbracket'].includes(type);
  let at = i;
  while (at >= 0 && isPart(tokens[at])) at--;
  return tokens[at]?.value === 'operation';
}

/** `rbl x (writer T1; reader T2)`: two words in a row are in no call. */
const isRoles = (tokens: readonly Token[], i: number): boolean =>
  tokens[i + 1]?.type === 'ident' && tokens[i + 2]?.type === 'ident';

/** Signs between two operands. */
const INFIX = new Set([
  ...[
    'assign',
    'assignWork',
    'conj',
    'disj',
    'setminus',
    'andand',
    'oror',
    'ne',
    'le',
    'ge',
    'eqeq',
  ],
  ...['implies', 'eq', 'lt', 'gt', 'arrow', 'slashslash', 'div', 'mod', 'bar', 'equals', 'amp'],
  ...['backslash', 'colon'],
]);

/** Roles of tokens that end an operand, so that a sign after them is `infix`. */
const ENDS = new Set<Role>(['word', 'close', 'postfix']);

/** Finds the roles of tokens, from the first to the last. */
class Roles {
  private readonly roles: Role[] = [];
  /** For each open bracket, the role of the one that closes it. */
  private readonly closing: Role[] = [];
  private tuples = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly language: 'cat' | 'litmus',
  ) {}

  all(): readonly Role[] {
    this.tokens.forEach((_, i) => this.roles.push(this.role(i)));
    return this.roles;
  }

  private role(i: number): Role {
    const { type, value } = this.tokens[i];
    switch (type) {
      case 'comment':
        return 'comment';
      case 'lparen':
      case 'lbracket':
        this.closing.push('close');
        return 'open';
      case 'rparen':
      case 'rbracket':
        return this.closing.pop() ?? 'close';
      case 'lbrace':
        return this.brace(i);
      case 'rbrace':
        return this.closing.pop() ?? 'end';
      case 'comma':
        return 'separator';
      case 'semi':
        return this.semicolon(i);
      case 'caret':
      case 'at':
        return 'tight';
      case 'assignWork':
        return 'infix';
      case 'dot':
        return this.dot(i);
      case 'inverse':
      case 'question':
        return 'postfix';
      case 'tilde':
      case 'bang':
        return 'prefix';
      case 'minus':
        return this.minus(i);
      case 'plus':
      case 'star':
      case 'times':
        return this.language === 'litmus' || this.beginsOperand(i + 1) ? 'infix' : 'postfix';
      case 'colon':
        return this.colon(i);
      case 'lt':
      case 'gt':
        return this.angle(i);
      default:
        if (INFIX.has(type)) return 'infix';
        if (this.isWire(i)) return 'word';
        if (type === 'notExists' || WORDS.has(value) || this.isCatWord(type)) return 'keyword';
        return this.tokens[i - 1]?.type === 'assignWork' ? this.workIdentifier() : 'word';
    }
  }

  /** `to(q)`, `from(q)` */
  private isWire(i: number): boolean {
    const isEnd = ['to', 'from'].includes(this.tokens[i].value);
    return isEnd && this.language === 'cat' && this.tokens[i + 1]?.type === 'lparen';
  }

  private isCatWord(type: string): boolean {
    return this.language === 'cat' && type.startsWith('kw_');
  }

  /** `:=^d`: the identifier follows at once. */
  private workIdentifier(): Role {
    this.roles[this.roles.length - 1] = 'prefix';
    return 'word';
  }

  /** A block, or a set: `{1, 2}`. */
  private brace(i: number): Role {
    const before = this.tokens[i - 1];
    const isSet =
      ['lparen', 'comma', 'setminus', 'backslash'].includes(before?.type) || before?.value === 'in';
    this.closing.push(isSet ? 'close' : 'end');
    return isSet ? this.setBrace() : 'begin';
  }

  /** A set has a blank before it, but none inside of its braces. */
  private setBrace(): Role {
    return 'prefix';
  }

  /** The `;` at the end of a row of a table has a blank before it, like the `|`. */
  private semicolon(i: number): Role {
    if (this.language === 'cat') return 'infix';
    for (let k = i - 1; k >= 0 && !this.isApart(k); k--) {
      if (this.tokens[k].type === 'bar') return 'word';
    }
    return 'separator';
  }

  private isApart(k: number): boolean {
    return ['semi', 'lbrace', 'rbrace', 'string', 'under'].includes(this.tokens[k].type);
  }

  /** `sv.read`; and `..` of two dots, with blanks unless it is between numbers. */
  private dot(i: number): Role {
    const [before, after] = [this.tokens[i - 1], this.tokens[i + 1]];
    const second = before?.type === 'dot';
    if (!second && after?.type !== 'dot') return 'tight';
    const [left, right] = second ? [this.tokens[i - 2], after] : [before, this.tokens[i + 2]];
    const short = left?.type === 'int' && right?.type === 'int';
    return short ? 'tight' : second ? 'postfix' : 'infix';
  }

  private minus(i: number): Role {
    const before = this.previous(i);
    const isBetween = before !== undefined && ENDS.has(this.roles[before]);
    const [previous, token, next] = [this.tokens[i - 1], this.tokens[i], this.tokens[i + 1]];
    const joined = previous?.span.end === token.span.start && token.span.end === next?.span.start;
    // In names of libraries and implementations.
    if (joined && this.closing.length === 0) return 'tight';
    return isBetween ? 'infix' : 'prefix';
  }

  /** The place of the last token that is no comment. */
  private previous(i: number): number | undefined {
    let at = i - 1;
    while (at >= 0 && this.roles[at] === 'comment') at--;
    return at < 0 ? undefined : at;
  }

  /** `T1:a`, but `qp a : T1 -> 2`, and `guess g : …`. */
  private colon(i: number): Role {
    return this.language === 'cat' || this.tokens[i - 2]?.value === 'qp' ? 'infix' : 'tight';
  }

  /** `<1, 2>`, or a comparison. */
  private angle(i: number): Role {
    const before = this.previous(i);
    const isBetween = before !== undefined && ENDS.has(this.roles[before]);
    if (this.tokens[i].type === 'lt') {
      if (isBetween) return 'infix';
      this.tuples += 1;
      return 'prefix';
    }
    if (this.tuples === 0) return 'infix';
    this.tuples -= 1;
    return 'postfix';
  }

  private beginsOperand(i: number): boolean {
    const type = this.tokens[i]?.type;
    const isOpen = ['name', 'zero', 'int', 'universe', 'lparen', 'lbracket'].includes(type);
    return (
      isOpen ||
      (type === 'tilde' && !/^(acyclic|irreflexive|empty)$/.test(this.tokens[i + 1]?.value))
    );
  }
}
