import type { SnocList } from './snoc-list.js';
import { toArray } from './snoc-list.js';
import type { Token } from './tokens.js';
import type { Integer, LitmusItem } from './litmus-build.js';
import { ident, optionalText, span } from './litmus-build.js';
import type {
  Condition,
  ExpectedVerdict,
  Ident,
  MarkedPlace,
  Observable,
  Operand,
  Quantifier,
  Question,
} from './litmus-ast.js';

/**
 * Builders for questions, which the rules of `litmus.ne` call: queries, conditions, and what is expected. Pure, like
 * those of `litmus-build.ts`.
 */

export function query(d: [Token, Condition, Token | undefined]): LitmusItem {
  const [token, condition, label] = d;
  const quantifier: Quantifier =
    token.type === 'notExists' ? '~exists' : (token.value as 'exists' | 'forall');
  const whole = span(token.span, condition.span);
  return asking({ quantifier, condition, label: optionalText(label), span: whole });
}

const asking = (question: Question): LitmusItem => ({
  item: 'query',
  query: question,
  span: question.span,
});

/** `never (condition)` */
export function never([token, condition, label]: [
  Token,
  Condition,
  Token | undefined,
]): LitmusItem {
  const whole = span(token.span, condition.span);
  return asking({ quantifier: 'never', condition, label: optionalText(label), span: whole });
}

/** `exclusive c of T1, T2` */
export function exclusive(
  d: [Token, Token, Token, SnocList<Token>, Token | undefined],
): LitmusItem {
  const [keyword, section, , names, label] = d;
  const threads = toArray(names).map(ident);
  const whole = span(keyword.span, threads[threads.length - 1].span);
  const about = { section: ident(section), threads, label: optionalText(label), span: whole };
  return asking({ quantifier: 'exclusive', ...about });
}

/** `T1:enter` */
export function markedPlace([thread, , mark]: [Token, Token, Token]): MarkedPlace {
  return { thread: ident(thread), mark: ident(mark), span: span(thread.span, mark.span) };
}

/** `any enter` */
export function anyPlace([any, mark]: [Token, Token]): MarkedPlace {
  return { thread: undefined, mark: ident(mark), span: span(any.span, mark.span) };
}

/** `progress T1:enter -> T1:c` */
export function progress(
  d: [Token, MarkedPlace | 'always', Token, MarkedPlace, Token | undefined],
): LitmusItem {
  const [keyword, from, , to, label] = d;
  const whole = span(keyword.span, to.span);
  return asking({ quantifier: 'progress', from, to, label: optionalText(label), span: whole });
}

/** `deadlock` and `assertions`, which ask about the whole program. */
export function unnamed([[keyword], label]: [[Token], Token | undefined]): LitmusItem {
  const quantifier = keyword.value as 'deadlock' | 'assertions';
  return asking({ quantifier, label: optionalText(label), span: keyword.span });
}

export function expectation(d: [Token, Token, Token, Token | null]): LitmusItem {
  const [keyword, verdict, under, where] = d;
  const whole = span(keyword.span, under.span);
  const models: Ident[] = [];
  for (const match of under.value.slice('under'.length).matchAll(/[^\s,]+/g)) {
    const start = under.span.start + 'under'.length + match.index;
    models.push({
      text: match[0],
      span: { ...under.span, start, end: start + match[0].length },
    });
  }
  return {
    item: 'expectation',
    expectation: {
      computed: keyword.value === 'computed',
      published: false,
      verdict: verdict.value as ExpectedVerdict,
      verdictSpan: verdict.span,
      models,
      where: optionalText(where),
      span: whole,
    },
    span: whole,
  };
}

export function observation(d: [Token, [Token], Token | null]): LitmusItem {
  const [keyword, [answer], remark] = d;
  const whole = span(keyword.span, answer.span);
  return {
    item: 'observation',
    observation: { seen: answer.value === 'yes', remark: optionalText(remark), span: whole },
    span: whole,
  };
}

export function connective(kind: 'and' | 'or') {
  return ([left, , right]: [Condition, Token, Condition]): Condition => ({
    kind,
    left,
    right,
    span: span(left.span, right.span),
  });
}

export function negation([[sign], arg]: [[Token], Condition]): Condition {
  return { kind: 'not', arg, span: span(sign.span, arg.span) };
}

/** `a => b` is `~a \/ b`. */
export function implication([left, , right]: [Condition, Token, Condition]): Condition {
  const negated: Condition = { kind: 'not', arg: left, span: left.span };
  return { kind: 'or', left: negated, right, span: span(left.span, right.span) };
}

export function parenthesised([open, inner, close]: [Token, Condition, Token]): Condition {
  return { ...inner, span: span(open.span, close.span) };
}

export function always([token]: [Token]): Condition {
  return { kind: 'true', span: token.span };
}

export function untrue([token]: [Token]): Condition {
  return { kind: 'not', arg: { kind: 'true', span: token.span }, span: token.span };
}

export function comparison([left, [sign], right]: [Observable, [Token], Operand]): Condition {
  const equal = sign.value === '=';
  return { kind: 'atom', left, equal, right, span: span(left.span, right.span) };
}

export function intOperand([value]: [Integer]): Operand {
  return { kind: 'int', value: value.value, span: value.span };
}

export function truthOperand([token]: [Token]): Operand {
  return { kind: 'int', value: token.value === 'true' ? 1 : 0, span: token.span };
}

export function noneOperand([token]: [Token]): Operand {
  return { kind: 'none', span: token.span };
}

/** `<1, 2>`; a tuple of one is its element. */
export function tupleOperand([open, list, close]: [Token, SnocList<Integer>, Token]): Operand {
  const words = toArray(list).map(({ value }) => value);
  const whole = span(open.span, close.span);
  return words.length === 1
    ? { kind: 'int', value: words[0], span: whole }
    : { kind: 'tuple', words, span: whole };
}

export function nameOperand([name]: [Observable]): Operand {
  return { kind: 'name', name, span: name.span };
}

export function observable([name]: [Token]): Observable {
  return { name: ident(name), span: name.span };
}

/** `x[2]` */
export function copy([name, , node, close]: [Token, Token, Ident, Token]): Observable {
  const whole = span(name.span, close.span);
  return { name: { text: `${name.value}[${node.text}]`, span: whole }, span: whole };
}

export function observableOf([[thread], , name]: [[Token], Token, Token]): Observable {
  return { thread: ident(thread), name: ident(name), span: span(thread.span, name.span) };
}

/** `[x]`, as herd7 writes locations. */
export function bracketed([open, name, close]: [Token, Token, Token]): Observable {
  return { name: ident(name), span: span(open.span, close.span) };
}
