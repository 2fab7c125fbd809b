# Litmus files. A file is a flat list of items, put together by `assemble` (litmus.ts), so that
# reading can go on with the next item after an error. The rules of lists, and of chains of `else if`, are
# left-recursive: right recursion would take quadratic time.
@preprocessor typescript
@{%
import * as b from './litmus-build.js';
import * as m from './implementation-build.js';
import * as o from './litmus-objects.js';
import * as q from './litmus-questions.js';
import { append, none, single, toArray } from './snoc-list.js';
%}
@lexer litmusLexer

file -> items                                     {% (d) => d[0] %}
items -> null                                     {% none %}
  | items item                                    {% append %}

item -> %header %string:?                         {% b.header %}
  | %kw_source %string                            {% b.meta('source') %}
  | %kw_question %string                          {% b.meta('question') %}
  | %kw_note %string                              {% b.meta('note') %}
  | %kw_bound %int                                {% b.fileBound %}
  | %kw_node word tags %lbrace locations %rbrace  {% b.node %}
  | %kw_thread %ident %kw_on word %lbrace statements %rbrace  {% b.thread %}
  | heads rows                                    {% b.table %}
  | %kw_qp %ident %colon names %arrow word tags   {% b.queuePair %}
  | %kw_cq %ident %lbrace names %rbrace           {% b.completionQueue %}
  | %kw_ghosts %ident %eq integer                 {% b.ghostItem %}
  | %kw_symmetric names                           {% b.symmetric %}
  | %kw_uses names                                {% o.uses %}
  | %object names on words roles                  {% o.objects %}
  | quantifier condition label                    {% q.query %}
  | %kw_never condition label                     {% q.never %}
  | %kw_exclusive %ident %kw_of names label       {% q.exclusive %}
  | %kw_progress since %arrow place label         {% q.progress %}
  | (%kw_deadlock | %kw_assertions) label         {% q.unnamed %}
  | %kw_filter condition                          {% b.filter %}
  | %kw_locations %lbracket listed %rbracket      {% b.listed %}
  | %implementation %string:?                     {% m.header %}
  | %kw_implements %ident %kw_over names          {% m.implementing %}
  | %kw_parameter %ident %eq integer              {% m.parameter %}
  | %kw_each %kw_object %ident %lbrace declarations %rbrace  {% m.eachObject %}
  | placed                                        {% m.once %}
  | %method %lparen parameters %rparen into work %lbrace statements %rbrace  {% m.method %}
  | provenance %ident %under %string:?            {% q.expectation %}
  | %kw_observed (%kw_yes | %kw_no) %string:?     {% q.observation %}

word -> (%int | %ident)                           {% b.word %}
label -> %string:?                                {% (d) => d[0] ?? undefined %}
provenance -> (%kw_expect | %kw_computed)         {% (d) => d[0][0] %}

names -> %ident                                   {% single %}
  | names %comma %ident                           {% append %}
since -> place                                    {% (d) => d[0] %}
  | %kw_always                                    {% () => 'always' %}
place -> %ident %colon %ident                     {% q.markedPlace %}
  | %kw_any %ident                                {% q.anyPlace %}

# nodes
locations -> ended                                {% (d) => d[0] %}
  | ended location                                {% append %}
ended -> null                                     {% none %}
  | ended location %semi                          {% ([list, next]) => append([list, next]) %}
location -> %ident %eq integer tags               {% b.location %}
tags -> null                                      {% none %}
  | tags %lbracket %ident %rbracket               {% ([list, , tag, close]) => append([list, [tag, close]]) %}
integer -> %int                                   {% b.integer %}
  | %minus %int                                   {% b.integer %}

# objects of libraries
on -> null                                        {% () => undefined %}
  | %kw_on word                                   {% (d) => d[1] %}
words -> null                                     {% () => undefined %}
  | %kw_of %int %kw_words                         {% o.words %}
roles -> null                                     {% () => undefined %}
  | %lparen roleList %rparen                      {% o.roles %}
roleList -> role                                  {% single %}
  | roleList %semi role                           {% append %}
role -> %ident names                              {% o.role %}

# implementations of libraries: what implementation-words.ts does not mark is in no file
parameters -> null                                {% none %}
  | names                                         {% (d) => d[0] %}
into -> null                                      {% () => undefined %}
  | %kw_into %ident                               {% (d) => d[1] %}
work -> null                                      {% () => undefined %}
  | %kw_work %ident                               {% (d) => d[1] %}
declarations -> declared                          {% (d) => d[0] %}
  | declared %lower lowers on words roles         {% m.lastObjects %}
declared -> null                                  {% none %}
  | declared %lower lowers on words roles %semi   {% m.moreObjects %}
  | declared held                                 {% append %}
  | declared held %semi                           {% ([list, next]) => append([list, next]) %}
placed -> %lower lowers on words roles            {% m.objects %}
  | held                                          {% (d) => d[0] %}
held -> %kw_place word %lbrace cellsOf %rbrace    {% m.locations %}
  | %kw_for %ident %kw_in domain %lbrace declarations %rbrace  {% m.eachMember %}
lowers -> lower                                   {% single %}
  | lowers %comma lower                           {% append %}
lower -> %ident                                   {% m.lower %}
  | %ident %lindex sum %rbracket                  {% m.lower %}
  | %ident %lindex sum %dot %dot sum %rbracket    {% m.lower %}
cellsOf -> cellOf                                 {% single %}
  | cellsOf %semi cellOf                          {% append %}
  | cellsOf %semi                                 {% (d) => d[0] %}
cellOf -> lower %eq integer                       {% m.cell %}

# what is gone through: the threads of a role, a set of nodes that a parameter names, or numbers
domain -> %ident                                  {% m.named %}
  | set                                           {% (d) => d[0] %}
  | sum %dot %dot sum                             {% m.range %}

# herd's columns
heads -> headList %semi                           {% (d) => toArray(d[0]) %}
headList -> head                                  {% single %}
  | headList %bar head                            {% append %}
head -> %ident %at word                           {% b.head %}
rows -> row                                       {% single %}
  | rows row                                      {% append %}
row -> cells %semi                                {% b.row %}
cells -> cell                                     {% single %}
  | cells %bar cell                               {% append %}
cell -> null                                      {% () => [] %}
  | simple                                        {% (d) => [d[0]] %}
  | compound                                      {% (d) => [d[0]] %}

# instructions
block -> %lbrace statements %rbrace               {% b.block %}
statements -> sealed                              {% (d) => d[0] %}
  | sealed simple                                 {% append %}
# Instructions, so that another one may follow.
sealed -> null                                    {% none %}
  | sealed simple %semi                           {% ([list, next]) => append([list, next]) %}
  | sealed compound                               {% append %}
  | sealed compound %semi                         {% ([list, next]) => append([list, next]) %}

simple -> access                                  {% (d) => d[0] %}
  | access %kw_as names                           {% m.marked %}
  | %ident                                        {% b.bareCall %}
  | %ident marks                                  {% b.bareTagged %}
  | %kw_skip                                      {% b.skip %}
  | %kw_assume %lparen expr %rparen               {% b.assume %}
  | %kw_at %ident                                 {% b.point %}
  | %kw_ghost %ident %assign expr                 {% b.ghostStep %}
  | %kw_assert %lparen expr %rparen               {% b.assertion %}
  | %kw_return (expr | made)                      {% m.result %}

access -> ref sign expr                           {% b.assign %}
  | ref sign made                                 {% b.assignCall %}
  | called                                        {% b.call %}
  | wordPlaces %assign wordValues                 {% ([to, , from]) => b.assignWords([to, b.sign([]), from]) %}
  | wordPlaces %assign marks wordValues           {% ([to, sign, tags, from]) => b.assignWords([to, b.sign([sign, tags]), from]) %}
# Several words at once: [h, f]^2 := [u, v]
wordPlaces -> %lbracket wordNames %rbracket         {% b.wordPlaces %}
  | %lbracket wordNames %rbracket %caret word       {% b.wordPlaces %}
  | %lbracket wordNames %rbracket %caret word %dot %ident  {% b.wordPlaces %}
wordValues -> %lbracket computed %rbracket        {% b.wordValues %}
  | %lbracket computed %rbracket %caret word      {% b.placeValues %}
  | %lbracket computed %rbracket %caret word %dot %ident  {% b.placeValues %}
wordNames -> %ident %comma %ident                   {% ([first, , next]) => append([single([first]), , next]) %}
  | wordNames %comma %ident                         {% append %}
computed -> expr %comma expr                      {% ([first, , next]) => append([single([first]), , next]) %}
  | computed %comma expr                          {% append %}

# Calls of operations, which the model declares.
sign -> %assign                                   {% b.sign %}
  | %assign marks                                 {% b.sign %}
  | %assignWork %ident                            {% b.signWork %}
marks -> %lbracket %ident %rbracket               {% ([, tag, close]) => single([[tag, close]]) %}
  | marks %lbracket %ident %rbracket              {% ([list, , tag, close]) => append([list, [tag, close]]) %}
made -> called                                    {% (d) => d[0] %}
called -> %ident %lparen arguments %rparen        {% b.called %}
  | %ident marks %lparen arguments %rparen        {% b.calledTagged %}
  | %ident %dot %ident %lparen arguments %rparen  {% o.calledOf %}
arguments -> null                                 {% none %}
  | given                                         {% (d) => d[0] %}
given -> argument                                 {% single %}
  | given %comma argument                         {% append %}
argument -> expr                                  {% (d) => d[0] %}
  | (%int | %ident) %dot %ident                   {% b.peer %}
  | set                                           {% o.nodesArgument %}

# sets of nodes
set -> listedNodes                                {% (d) => d[0] %}
  | set %setminus right                           {% o.difference %}
  | left %setminus right                          {% o.difference %}
# On the left it is known by the sign behind it that a name is one of a set.
left -> %ident                                    {% m.named %}
right -> listedNodes                              {% (d) => d[0] %}
  | %ident                                        {% m.named %}
listedNodes -> %kw_nodes                          {% o.allNodes %}
  | %kw_nodes %lparen %ident %rparen              {% m.nodesOf %}
  | %lbrace %rbrace                               {% o.nodeSet %}
  | %lbrace members %rbrace                       {% o.nodeSet %}
members -> among                                  {% single %}
  | members %comma among                          {% append %}
among -> word                                     {% (d) => d[0] %}
  | %kw_nodeof %lparen %ident %rparen             {% m.nodesOf %}

compound -> chain                                 {% b.conditional %}
  | chain %kw_else block                          {% b.conditional %}
  | %kw_while %lparen expr %rparen limit block    {% b.whileLoop %}
  | %kw_loop limit block                          {% b.loop %}
  | %kw_choose block alternatives                 {% b.choose %}
  | %kw_critical %ident block                     {% b.critical %}
  | %kw_for %ident %kw_in domain block            {% m.forEach %}

chain -> guarded                                  {% single %}
  | chain %kw_else guarded                        {% append %}
guarded -> %kw_if %lparen expr %rparen block      {% b.guarded %}
alternatives -> %kw_or block                      {% (d) => single([d[1]]) %}
  | alternatives %kw_or block                     {% append %}

limit -> null                                     {% () => undefined %}
  | %kw_bound %int                                {% (d) => Number(d[1].value) %}

# expressions, with C's precedences
ref -> %ident                                     {% b.ref %}
  | %ident %caret word                            {% b.refAt %}
  | %ident %caret word %dot %ident                {% b.refOn %}
  | part                                          {% m.partRef %}
  | part %caret word                              {% m.partRef %}
# Objects and locations of an implementation.
part -> %ident %lindex sum %rbracket              {% m.member %}
  | %ident %member %ident                         {% m.ofObject %}
  | %ident %member %ident %lindex sum %rbracket   {% m.memberOfObject %}

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
  | truth                                         {% o.truth %}
  | %kw_none                                      {% o.noValue %}
  | %lt parts %gt                                 {% o.tuple %}
  | %ident %lindex sum %dot %dot sum %rbracket    {% m.slice %}
  | %applied %lparen arguments %rparen           {% m.applied %}
  | %kw_nodeof %lparen arguments %rparen          {% m.applied %}
  | ref                                           {% b.refExpr %}
  | %lparen expr %rparen                          {% (d) => d[1] %}
truth -> (%kw_true | %kw_false)                   {% (d) => d[0][0] %}
# No comparison in a tuple: its signs are the tuple's own.
parts -> sum                                      {% single %}
  | parts %comma sum                              {% append %}

# queries
quantifier -> (%kw_exists | %notExists | %kw_forall)  {% (d) => d[0][0] %}
# In herd7, `=>` binds tighter than `/\` and `\/`; elsewhere it binds looser. So next to them it needs
# parentheses.
condition -> disjunction                          {% (d) => d[0] %}
  | implication                                   {% (d) => d[0] %}
implication -> negation %implies negation         {% q.implication %}
  | negation %implies implication                 {% q.implication %}
disjunction -> conjunction                        {% (d) => d[0] %}
  | disjunction %disj conjunction                 {% q.connective('or') %}
conjunction -> negation                           {% (d) => d[0] %}
  | conjunction %conj negation                    {% q.connective('and') %}
negation -> (%tilde | %kw_not) negation           {% q.negation %}
  | observable (%eq | %ne) operand                {% q.comparison %}
  | %kw_true                                      {% q.always %}
  | %kw_false                                     {% q.untrue %}
  | %lparen condition %rparen                     {% q.parenthesised %}
operand -> integer                                {% q.intOperand %}
  | truth                                         {% q.truthOperand %}
  | %kw_none                                      {% q.noneOperand %}
  | %lt integers %gt                              {% q.tupleOperand %}
  | observable                                    {% q.nameOperand %}
integers -> integer                               {% single %}
  | integers %comma integer                       {% append %}
observable -> %ident                              {% q.observable %}
  | %ident %lindex word %rbracket                 {% q.copy %}
  | (%ident | %int) %colon %ident                 {% q.observableOf %}
  | %lbracket %ident %rbracket                    {% q.bracketed %}
listed -> null                                    {% none %}
  | several                                       {% (d) => d[0] %}
  | several %semi                                 {% (d) => d[0] %}
several -> observable                             {% single %}
  | several %semi observable                      {% ([list, , next]) => append([list, next]) %}
