import type { SourceFile, Span } from './diagnostics/index.js';
import type { Part } from './isa.js';

/** The C of herd7's litmus tests: functions of calls, assignments and conditions, without loops. */

export type CExpr = { readonly span: Span } & (
  | { readonly kind: 'int' | 'name'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly CExpr[] }
  | { readonly kind: 'unary'; readonly op: string; readonly arg: CExpr }
  | {
      readonly kind: 'binary';
      readonly op: string;
      readonly left: CExpr;
      readonly right: CExpr;
    }
);

export type CStatement = { readonly span: Span } & (
  | { readonly kind: 'set'; readonly target: CExpr; readonly value: CExpr }
  | { readonly kind: 'do'; readonly call: CExpr }
  | {
      readonly kind: 'if';
      readonly condition: CExpr;
      readonly then: readonly CStatement[];
      readonly else: readonly CStatement[];
    }
);

/** `P0(int *x) { … }` */
export interface CFunction {
  readonly name: Part;
  readonly parameters: readonly string[];
  readonly body: readonly CStatement[];
}

const TYPE =
  /^(?:void|int|char|short|long|unsigned|signed|volatile|const|struct|bool|size_t|(?:u?int\d*|u?intptr|atomic(?:64)?(?:_long|_u?int|_bool|_uintptr)?|spinlock|[us](?:8|16|32|64))(?:_t|__)?|_Atomic|memory_order)$/;

/** What binds less comes first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

/**
 * The functions in a stretch of a file.
 *
 * @param refuse is told what cannot be read
 */
export function parseC(
  { path, text }: SourceFile,
  start: number,
  end: number,
  refuse: (span: Span, message: string, hint?: string) => never,
): readonly CFunction[] {
  const parts = [
    ...text
      .slice(start, end)
      .matchAll(/\/\/[^\n]*|\/\*[^]*?\*\/|[A-Za-z_]\w*|\d\w*|==|!=|<=|>=|&&|\|\||->|[^\s]/g),
  ].flatMap((found): readonly Part[] => {
    const at = start + found.index;
    const span = { file: path, start: at, end: at + found[0].length };
    return /^\/[/*]/.test(found[0]) ? [] : [{ text: found[0], span }];
  });
  const parser = new Parser(parts, { file: path, start: end - 1, end }, refuse);
  return parser.functions();
}

class Parser {
  private at = 0;

  constructor(
    private readonly parts: readonly Part[],
    private readonly last: Span,
    private readonly refuse: (span: Span, message: string, hint?: string) => never,
  ) {}

  functions(): readonly CFunction[] {
    const all: CFunction[] = [];
    while (this.at < this.parts.length) {
      while (TYPE.test(this.text) || this.text === 'static') this.at++;
      const name = this.next();
      if (!/^P\d+$/.test(name.text)) this.refuse(name.span, 'a thread is P0(int *x) { … }');
      this.take('(');
      const parameters: string[] = [];
      for (let before = ''; !this.is(')'); before = this.next().text)
        if (this.is(',', 1) || this.is(')', 1)) parameters.push(this.text);
        else if (before === '[') this.refuse(this.span, 'arrays are not read');
      this.take(')');
      all.push({
        name,
        parameters: parameters.filter((one) => !TYPE.test(one)),
        body: this.block(),
      });
    }
    return all;
  }

  private block(): readonly CStatement[] {
    if (!this.is('{')) return this.statement();
    this.take('{');
    const all: CStatement[] = [];
    while (!this.is('}')) all.push(...this.statement());
    this.take('}');
    return all;
  }

  private statement(): readonly CStatement[] {
    const { span } = this;
    if (this.is(';')) {
      this.at++;
      return [];
    }
    if (this.is('{')) return this.block();
    if (this.is('if')) {
      this.at++;
      this.take('(');
      const condition = this.expression();
      this.take(')');
      const then = this.block();
      const hasElse = this.is('else');
      if (hasElse) this.at++;
      return [{ kind: 'if', condition, then, else: hasElse ? this.block() : [], span }];
    }
    if (/^(?:while|for|do|switch|goto|return|case)$/.test(this.text))
      this.refuse(span, `\`${this.text}\` is not read`);
    if (!TYPE.test(this.text)) return [this.simple()];
    while (TYPE.test(this.text) || this.is('*')) {
      if (this.is('struct')) this.at++;
      this.at++;
    }
    const declared: CStatement[] = [];
    for (;;) {
      const target = this.primary();
      if (this.is('=')) declared.push(this.assigned(target));
      if (!this.is(',')) break;
      this.at++;
      while (this.is('*')) this.at++;
    }
    this.take(';');
    return declared;
  }

  private simple(): CStatement {
    const { span } = this;
    const left = this.unary();
    const made: CStatement = this.is('=') ? this.assigned(left) : { kind: 'do', call: left, span };
    if (made.kind === 'do' && made.call.kind !== 'call')
      this.refuse(left.span, 'an assignment or a call is missing');
    this.take(';');
    return made;
  }

  private assigned(target: CExpr): CStatement {
    this.take('=');
    const value = this.expression();
    return { kind: 'set', target, value, span: { ...target.span, end: value.span.end } };
  }

  private expression(level = 0): CExpr {
    if (level === LEVELS.length) return this.unary();
    let left = this.expression(level + 1);
    while (LEVELS[level].includes(this.text)) {
      const op = this.next().text;
      const right = this.expression(level + 1);
      const span = { ...left.span, end: right.span.end };
      left = { kind: 'binary', op, left, right, span };
    }
    return left;
  }

  private unary(): CExpr {
    const { span } = this;
    // A cast changes nothing that is read here.
    if (this.is('(') && TYPE.test(this.parts[this.at + 1]?.text ?? '')) {
      while (!this.is(')')) this.at++;
      this.at++;
      return this.unary();
    }
    if (!['*', '&', '!', '-', '~'].includes(this.text)) return this.primary();
    const op = this.next().text;
    const arg = this.unary();
    return { kind: 'unary', op, arg, span: { ...span, end: arg.span.end } };
  }

  private primary(): CExpr {
    if (this.is('(')) {
      this.at++;
      const inner = this.expression();
      this.take(')');
      return inner;
    }
    const { text, span } = this.next();
    if (/^\d+$/.test(text)) return { kind: 'int', text, span };
    if (!/^[A-Za-z_]/.test(text)) this.refuse(span, 'this is not read', 'r0 = READ_ONCE(*x);');
    if (this.is('->') || this.is('.') || this.is('[') || this.is('{'))
      this.refuse(span, 'structures and arrays are not read');
    if (!this.is('(')) return { kind: 'name', text, span };
    this.at++;
    const args: CExpr[] = [];
    while (!this.is(')')) {
      args.push(this.expression());
      if (!this.is(')')) this.take(',');
    }
    const { end } = this.next().span;
    return { kind: 'call', name: text, args, span: { ...span, end } };
  }

  private get text(): string {
    return this.parts[this.at]?.text ?? '';
  }

  private get span(): Span {
    return this.parts[this.at]?.span ?? this.last;
  }

  private is(text: string, ahead = 0): boolean {
    return this.parts[this.at + ahead]?.text === text;
  }

  private next(): Part {
    const part = this.parts[this.at];
    if (part === undefined) this.refuse(this.last, 'something is missing before this');
    this.at++;
    return part;
  }

  private take(text: string): void {
    if (!this.is(text)) this.refuse(this.span, `unexpected '${this.text}'; expected '${text}'`);
    this.at++;
  }
}
