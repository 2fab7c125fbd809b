# Litmus files. A file is a flat list of items, put together by `assemble` (litmus.ts), so that
# reading can go on with the next item after an error.
@preprocessor typescript
@{%
import * as b from './litmus-build.js';
import { litmusLexer } from './litmus-lexer.js';
%}
@lexer litmusLexer

file -> item:* {% (d) => d[0] %}

item -> %header %string:?                         {% b.header %}
  | %kw_source %string                            {% b.meta('source') %}
  | %kw_question %string                          {% b.meta('question') %}
  | %kw_note %string                              {% b.meta('note') %}
  | %kw_bound %int                                {% b.fileBound %}
  | %kw_node word %lbrace locations %rbrace       {% b.node %}
  | %kw_thread %ident %kw_on word block           {% b.thread %}
  | heads row:+                                   {% b.table %}
  | quantifier disjunction label                  {% b.query %}
  | provenance %ident %under %string:?            {% b.expectation %}
  | %kw_observed (%kw_yes | %kw_no) %string:?     {% b.observation %}

word -> (%int | %ident)                           {% b.word %}
label -> %string:?                                {% (d) => d[0] ?? undefined %}
provenance -> (%kw_expect | %kw_computed)         {% (d) => d[0][0] %}

# nodes
locations -> null                                 {% () => [] %}
  | location                                      {% (d) => [d[0]] %}
  | location %semi locations                      {% (d) => [d[0], ...d[2]] %}
location -> %ident %eq integer                    {% b.location %}
integer -> %int                                   {% b.integer %}
  | %minus %int                                   {% b.integer %}

# herd's columns
heads -> head (%bar head):* %semi                 {% b.separated %}
head -> %ident %at word                           {% b.head %}
row -> cell (%bar cell):* %semi                   {% b.separated %}
cell -> null                                      {% () => [] %}
  | simple                                        {% (d) => [d[0]] %}
  | compound                                      {% (d) => [d[0]] %}

# instructions
block -> %lbrace statements %rbrace               {% (d) => d[1] %}
statements -> null                                {% () => [] %}
  | simple                                        {% (d) => [d[0]] %}
  | simple %semi statements                       {% (d) => [d[0], ...d[2]] %}
  | compound statements                           {% (d) => [d[0], ...d[1]] %}
  | compound %semi statements                     {% (d) => [d[0], ...d[2]] %}

simple -> place %assign expr                      {% b.assign %}
  | place %assignWork %ident expr                 {% b.assignWork %}
  | place %assign %kw_CAS %lparen place %comma expr %comma expr %rparen  {% b.cas %}
  | %kw_mfence                                    {% b.bare('mfence') %}
  | %kw_skip                                      {% b.bare('skip') %}
  | %kw_poll %lparen word %rparen                 {% b.towards('poll') %}
  | %kw_rfence %lparen word %rparen               {% b.towards('rfence') %}
  | %kw_wait %lparen %ident %rparen               {% b.wait %}
  | %kw_assume %lparen expr %rparen               {% b.assume %}

compound -> conditional                           {% (d) => d[0] %}
  | %kw_while %lparen expr %rparen limit block    {% b.whileLoop %}
  | %kw_loop limit block                          {% b.loop %}
  | %kw_choose block (%kw_or block):+             {% b.choose %}

conditional -> %kw_if %lparen expr %rparen block  {% b.conditional %}
  | %kw_if %lparen expr %rparen block %kw_else block        {% b.conditional %}
  | %kw_if %lparen expr %rparen block %kw_else conditional  {% b.conditionalChain %}

limit -> null                                     {% () => undefined %}
  | %kw_bound %int                                {% (d) => Number(d[1].value) %}

# expressions, with C's precedences
place -> %ident                                   {% b.place %}
  | %ident %caret word                            {% b.placeAt %}

expr -> either                                    {% (d) => d[0] %}
either -> both                                    {% (d) => d[0] %}
  | either %oror both                             {% b.binary %}
both -> equality                                  {% (d) => d[0] %}
  | both %andand equality                         {% b.binary %}
equality -> order                                 {% (d) => d[0] %}
  | equality (%eq | %ne) order                    {% b.binary %}
order -> sum                                      {% (d) => d[0] %}
  | order (%lt | %le | %gt | %ge) sum             {% b.binary %}
sum -> product                                    {% (d) => d[0] %}
  | sum (%plus | %minus) product                  {% b.binary %}
product -> unary                                  {% (d) => d[0] %}
  | product (%times | %div | %mod) unary          {% b.binary %}
unary -> atom                                     {% (d) => d[0] %}
  | (%minus | %bang) unary                        {% b.unary %}
atom -> %int                                      {% b.literal %}
  | place                                         {% b.placeExpr %}
  | %lparen expr %rparen                          {% (d) => d[1] %}

# queries
quantifier -> (%kw_exists | %notExists | %kw_forall)  {% (d) => d[0][0] %}
disjunction -> conjunction                        {% (d) => d[0] %}
  | disjunction %disj conjunction                 {% b.connective('or') %}
conjunction -> negation                           {% (d) => d[0] %}
  | conjunction %conj negation                    {% b.connective('and') %}
negation -> %tilde negation                       {% b.negation %}
  | observable (%eq | %ne) operand                {% b.comparison %}
  | %kw_true                                      {% b.always %}
  | %lparen disjunction %rparen                   {% b.parenthesised %}
operand -> integer                                {% b.intOperand %}
  | observable                                    {% b.nameOperand %}
observable -> %ident                              {% b.observable %}
  | %ident %colon %ident                          {% b.observableOf %}
