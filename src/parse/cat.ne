# Model files, in the cat language of herd7.
#
# Precedence is herd7's, from loosest to tightest:
#
#   |        union
#   ;        sequence
#   \        difference (to the left)
#   &        intersection
#   *        product
#   ~        complement
#   + * ? ^-1  closures and inverse, after their operand
#
# so that `a | b ; c \ d & e` is `a | (b ; (c \ (d & e)))` and `~a+` is `~(a+)`. herd7 reads `|`,
# `;` and `&` to the right; they are associative, and reading them to the left is linear here.
# herd7 rejects `~a * b` and `a * b+` for want of parentheses; here the table above decides.
# `a ++ S` adds an element to a set: it is looser than `;`, tighter than `|`, and to the right.
# The lexer tells the two meanings of `*` apart (`times` before an expression, `star` elsewhere),
# and those of `~` (`not` before an axiom's test, `tilde` elsewhere).

@preprocessor typescript
@{%
import * as build from './cat-build.js';
import * as declare from './declaration-build.js';
import { append, none, single, toArray } from './snoc-list.js';
import type { Token } from './tokens.js';
%}
@lexer catLexer

# `catdep` says that the model computes dependencies by itself.
file -> title %kw_catdep:? items           {% ([title, , items]) => ({ ...title, items }) %}
items -> null                              {% none %}
  | items item                             {% append %}

# herd7 allows an architecture's name before the title, and a bare name as the title.
title -> null                              {% () => ({}) %}
  | %name                                  {% (names) => ({ title: build.bareTitle(names) }) %}
  | %name %name                            {% (names) => ({ title: build.bareTitle(names) }) %}
  | %string                                {% ([text]) => ({ title: build.unquote(text) }) %}
  | %name %string                          {% ([, text]) => ({ title: build.unquote(text) }) %}

# An item is a function that is called when the whole file is read. An Earley parser completes the item
# again after each element of its list: to make it each time would take quadratic time.
item -> %kw_include %string                {% ([word, path]) => () => build.include(word, path) %}
  | %kw_let bindings closing               {% ([word, list]) => () => build.definitions(word, false, toArray(list)) %}
  | %kw_let %kw_rec bindings closing       {% ([word, , list]) => () => build.definitions(word, true, toArray(list)) %}
  | %kw_let %kw_rec bindings %kw_when checked closing  {% ([word, , list, , check]) => () => build.definitions(word, true, toArray(list), check(null)) %}
  | checked                                {% ([check]) => () => check(null) %}
  | (%kw_flag | %kw_assert | %kw_undefined_unless) checked  {% ([[word], check]) => () => check(word) %}
  | %kw_enum name %equals %oror:? tags     {% ([word, name, , , tags]) => () => build.enumeration(word, name, toArray(tags)) %}
  | %kw_procedure %kw_rec:? name formals %equals items %kw_end  {% ([word, , name, params, , items, end]) => () => build.procedure(word, name, params, build.made(items), end) %}
  | %kw_call name actual label:?           {% ([word, name, args, as]) => () => build.callOf(word, name, args, as) %}
  | %kw_debug expr                         {% ([word, e]) => () => build.debug(word, e) %}
  | %kw_forall name %kw_in expr %kw_do items %kw_end  {% ([word, name, , of, , items, end]) => () => build.forall(word, name, of, build.made(items), end) %}
  | %kw_with name %kw_from expr            {% ([word, name, , of]) => () => build.from(word, name, of) %}
  | %kw_if variant items %kw_end           {% ([word, flag, items, end]) => () => build.choice(word, flag, build.made(items), [], end) %}
  | %kw_if variant items %kw_else items %kw_end  {% ([word, flag, items, , other, end]) => () => build.choice(word, flag, build.made(items), build.made(other), end) %}
  | (%kw_instructions | %kw_default) name %lbracket arguments %rbracket  {% ([[word], name, , args, close]) => () => build.annotations(word, name, toArray(args), close) %}
  | %kw_show names                         {% ([word, names]) => () => build.show(word, toArray(names)) %}
  | %kw_unshow names                       {% ([word, names]) => () => build.show(word, toArray(names)) %}
  | %kw_show expr label                    {% ([word, e, name]) => () => build.showAs(word, e, name) %}
  | %kw_initial name                       {% ([word, label]) => () => declare.initial(word, label) %}
  | replacing %kw_event labels performer queue occasions  {% ([replace, word, labels, by, queue, occasions]) => () => declare.event(replace, word, toArray(labels), { by, queue, occasions }) %}
  | %kw_library name %string:?             {% ([word, name, text]) => () => declare.library(word, name, text) %}
  | %kw_object name                        {% ([word, name]) => () => declare.object(word, name, []) %}
  | %kw_object name %colon properties      {% ([word, name, , list]) => () => declare.object(word, name, toArray(list)) %}
  | %kw_role name %colon name              {% ([word, name, , many]) => () => declare.role(word, name, many) %}
  | %kw_tag name %kw_on name               {% ([word, name, , on]) => () => declare.tag(word, name, on) %}
  | %kw_tag name %kw_on %kw_qp             {% ([word, name, , on]) => () => declare.tag(word, name, build.name(on)) %}
  | %kw_tag name %kw_on name %kw_facing name  {% ([word, name, , on, , facing]) => () => declare.tag(word, name, on, facing) %}
  | %kw_tag name %kw_on name %kw_in name  {% ([word, name, , on, , order]) => () => declare.orderedTag(word, name, on, order) %}
  | %kw_tag name %kw_on %kw_qp %kw_facing name  {% ([word, name, , on, , facing]) => () => declare.tag(word, name, build.name(on), facing) %}
  | %kw_short shape %colon name            {% ([word, shape, , operation]) => () => declare.short(word, shape, operation) %}
  | replacing %kw_guess name %colon choosing        {% ([replace, word, name, , how]) => () => declare.guess(replace, word, name, how) %}
  | replacing %kw_operation head %colon alternative {% ([replace, word, head, , body]) => () => declare.operation(replace, word, head, [body]) %}
  | %kw_instead name %kw_with names ways    {% ([word, label, , tags, list]) => () => declare.instead(word, label, toArray(tags), toArray(list)) %}
  | %kw_drop %kw_instead names               {% ([word, , list]) => () => declare.dropInstead(word, toArray(list)) %}
  | %kw_drop %kw_operation dropped           {% ([word, , list]) => () => declare.drop(word, toArray(list)) %}
  | replacing %kw_operation head alternatives       {% ([replace, word, head, list]) => () => declare.operation(replace, word, head, toArray(list)) %}

test -> (%kw_acyclic | %kw_irreflexive | %kw_empty)  {% ([[test]]) => test %}
# herd7 lets an `in` stand behind a definition, where it means nothing.
closing -> null                            {% id %}
  | %kw_in                                 {% id %}
label -> %kw_as %name                      {% ([, name]) => build.name(name) %}
checked -> %not:? test expr label:?        {% ([sign, test, e, name]) => (prefix: Token | null) => build.axiom(prefix, sign, test, e, name) %}

tags -> %tag                               {% single %}
  | tags %oror %tag                        {% append %}
formals -> slot                            {% single %}
  | %lparen %rparen                        {% none %}
  | %lparen slots %rparen                  {% ([, slots]) => slots %}
actual -> argument                         {% ([e]) => [e] %}
  | %lparen %rparen                        {% () => [] %}
  | %lparen arguments %rparen              {% ([, args]) => toArray(args) %}

bindings -> binding                        {% single %}
  | bindings %kw_and binding               {% append %}
binding -> %name %equals whole             {% ([name, , e]) => build.binding(name, undefined, e) %}
  | %name %lparen slots %rparen %equals whole  {% ([name, , params, , , e]) => build.binding(name, toArray(params), e) %}
  | %name slot %equals whole               {% ([name, param, , e]) => build.binding(name, [param], e) %}
  | %lparen slots %rparen %equals whole    {% ([open, parts, , , e]) => build.pattern(open, toArray(parts), e) %}
  | slot %comma slots %equals whole        {% ([first, , rest, , e]) => build.pattern(first, [first, ...toArray(rest)], e) %}

# Where a value is bound: a name, or `_`, which drops the value.
slot -> name                               {% id %}
  | %universe                              {% ([sign]) => build.name(sign) %}
slots -> slot                              {% single %}
  | slots %comma slot                      {% append %}

# What may be all of a definition, or stand in parentheses: there, a tuple needs none of its own.
whole -> open                              {% id %}
  | expr                                   {% id %}
  | expr %comma arguments                  {% ([first, , rest]) => build.tuple(first, [first, ...toArray(rest)]) %}

# What goes on to the right as far as it can.
open -> %kw_let bindings %kw_in whole      {% ([word, list, , e]) => build.local(word, false, toArray(list), e) %}
  | %kw_let %kw_rec bindings %kw_in whole  {% ([word, , list, , e]) => build.local(word, true, toArray(list), e) %}
  | %kw_fun formals %arrow whole           {% ([word, params, , e]) => build.lambda(word, toArray(params), e) %}
  | %kw_try whole %kw_with whole           {% ([word, e, , other]) => build.attempt(word, e, other) %}
  | %kw_if condition %kw_then whole %kw_else whole  {% ([word, condition, , e, , other]) => build.conditional(word, condition, e, other) %}
  | %kw_match whole %kw_with %oror:? clauses %kw_end  {% ([word, of, , , clauses, end]) => build.match(word, of, toArray(clauses), end) %}

clauses -> clause                          {% single %}
  | clauses %oror clause                   {% append %}
clause -> shapeOf %arrow whole             {% ([pattern, , body]) => ({ pattern, body }) %}
shapeOf -> %tag                            {% ([tag]) => ({ kind: 'tag', ...build.tagName(tag) }) %}
  | %universe                              {% () => ({ kind: 'any' }) %}
  | %lbrace %rbrace                        {% () => ({ kind: 'none' }) %}
  | slot %plusplus slot                    {% ([element, , rest]) => ({ kind: 'one', element, rest }) %}

# Conditions are decided when the model is loaded.
condition -> expr %equals expr             {% ([left, , right]) => ({ kind: 'equal', left, right }) %}
  | expr %kw_subset expr                   {% ([left, , right]) => ({ kind: 'subset', left, right }) %}
  | expr %kw_in expr                       {% ([left, , right]) => ({ kind: 'in', left, right }) %}
  | variant                                {% id %}
variant -> conjunct                        {% id %}
  | variant %oror conjunct                 {% ([left, , right]) => ({ kind: 'or', left, right }) %}
conjunct -> flagged                        {% id %}
  | conjunct %andand flagged               {% ([left, , right]) => ({ kind: 'and', left, right }) %}
flagged -> %kw_variant:? %string           {% ([, text]) => ({ kind: 'flag', text: build.unquote(text) }) %}
  | %kw_not flagged                        {% ([, of]) => ({ kind: 'not', of }) %}
  | %lparen variant %rparen                {% ([, of]) => of %}

names -> name                              {% single %}
  | names %comma name                      {% append %}
name -> %name                              {% ([name]) => build.name(name) %}

expr -> union                              {% id %}
union -> addition                          {% id %}
  | union %bar addition                    {% ([a, , b]) => build.binary('union', a, b) %}
addition -> sequence                       {% id %}
  | sequence %plusplus addition            {% ([a, , b]) => build.adding(a, b) %}
sequence -> difference                     {% id %}
  | sequence %semi difference              {% ([a, , b]) => build.binary('seq', a, b) %}
difference -> intersection                 {% id %}
  | difference %backslash intersection     {% ([a, , b]) => build.binary('diff', a, b) %}
intersection -> product                    {% id %}
  | intersection %amp product              {% ([a, , b]) => build.binary('inter', a, b) %}
product -> complement                      {% id %}
  | product %times complement              {% ([a, , b]) => build.binary('product', a, b) %}
complement -> postfix                      {% id %}
  | %tilde complement                      {% ([sign, e]) => build.complement(sign, e) %}
postfix -> primary                         {% id %}
  | postfix %plus                          {% ([e, sign]) => build.postfix('plus', e, sign) %}
  | postfix %star                          {% ([e, sign]) => build.postfix('star', e, sign) %}
  | postfix %question                      {% ([e, sign]) => build.postfix('opt', e, sign) %}
  | postfix %inverse                       {% ([e, sign]) => build.postfix('inverse', e, sign) %}

primary -> applied                         {% id %}
  | closed                                 {% id %}
  | %lparen whole %rparen                  {% ([open, e, close]) => build.group(open, e, close) %}
applied -> %name                           {% ([name]) => build.reference(name) %}
  | applied argument                       {% ([f, e]) => build.call(f, [e], e) %}
  | applied %lparen arguments %rparen      {% ([f, , args, close]) => build.call(f, toArray(args), close) %}
  | applied %lparen open %rparen           {% ([f, , e, close]) => build.call(f, [e], close) %}
closed -> %zero                            {% ([sign]) => build.atom('zero', sign) %}
  | %universe                              {% ([sign]) => build.atom('universe', sign) %}
  | %tag                                   {% ([tag]) => build.tag(tag) %}
  | %lbracket expr %rbracket               {% ([open, e, close]) => build.identity(open, e, close) %}
  | %lbrace %rbrace                        {% ([open, close]) => build.braces(open, [], close) %}
  | %lbrace arguments %rbrace              {% ([open, list, close]) => build.braces(open, toArray(list), close) %}
  | %kw_begin whole %kw_end                {% ([open, e, close]) => build.group(open, e, close) %}

# A function may stand before its one argument without parentheses.
argument -> %name                          {% ([name]) => build.reference(name) %}
  | closed                                 {% id %}
arguments -> expr                          {% single %}
  | arguments %comma expr                  {% append %}

# Declarations: events, operations and guesses (docs/instructions.md).
dropped -> operationName                   {% single %}
  | dropped %comma operationName           {% append %}
ways -> %bar way                           {% ([, one]) => single([one]) %}
  | ways %bar way                          {% append %}
way -> name                                {% ([label]) => ({ label, without: [] }) %}
  | name %kw_without names                 {% ([label, , list]) => ({ label, without: toArray(list) }) %}
operationName -> name form                 {% ([name, tag]) => ({ name, tag }) %}
replacing -> null                          {% () => null %}
  | %kw_replace                            {% id %}
performer -> null                          {% () => undefined %}
  | %kw_by name                            {% ([, by]) => by %}
labels -> stamp                            {% single %}
  | labels %comma stamp                    {% append %}
stamp -> name                              {% ([name]) => ({ name, span: name.span }) %}
  | name %lparen name %rparen              {% ([name, , index, close]) => declare.stamp(name, index, close) %}
properties -> property                     {% single %}
  | properties %comma property             {% append %}
property -> %name                          {% (words) => words %}
  | %kw_on %name                           {% (words) => words %}
  | %name %name %name                      {% (words) => words %}
queue -> null                              {% () => undefined %}
  | %kw_on %kw_qp                          {% ([, qp]) => qp %}
occasions -> null                          {% () => [] %}
  | %kw_with names                         {% ([, names]) => toArray(names) %}

shape -> name                              {% ([right]) => ({ right }) %}
  | name %assign name                      {% ([left, , right]) => ({ left, right }) %}

choosing -> (%kw_either | %kw_total) expr  {% ([[word], pairs]) => declare.pairwise(word, pairs) %}
  | %kw_kth expr performer %kw_to %kw_kth expr performer %kw_in expr %kw_unordered:?  {% ([, from, fromBy, , , to, toBy, , within, unordered]) => declare.kth({ of: from, by: fromBy }, { of: to, by: toBy }, within, unordered) %}
  | %kw_one expr %kw_to %kw_each expr %kw_in expr       {% ([word, from, , , to, , within]) => declare.one(word, from, to, within) %}

head -> name form %lparen parameters %rparen into queuePair workName performer result  {% ([name, tag, , parameters, , into, on, work, by, result]) => ({ name, tag, parameters: toArray(parameters), into, on, work, by, result }) %}
form -> null                               {% () => undefined %}
  | %lbracket name %rbracket               {% ([, name]) => name %}
parameters -> null                         {% none %}
  | several                                {% id %}
several -> parameter                       {% single %}
  | several %comma parameter               {% append %}
parameter -> name name                     {% ([kind, name]) => ({ kind, name }) %}
  | (%kw_work | %kw_object) name           {% ([[kind], name]) => ({ kind: build.name(kind), name }) %}
into -> null                               {% () => undefined %}
  | %kw_into parameter                     {% ([, place]) => place %}
queuePair -> null                          {% () => undefined %}
  | %kw_on name                            {% ([, of]) => ({ of, isPlace: false }) %}
  | %kw_on %kw_qp %lparen name %rparen     {% ([, , , of]) => ({ of, isPlace: true }) %}
workName -> null                           {% () => undefined %}
  | %kw_work name                          {% ([, name]) => name %}
result -> null                             {% () => undefined %}
  | %equals name                           {% ([, name]) => name %}

alternatives -> %bar alternative           {% ([, one]) => single([one]) %}
  | alternatives %bar alternative          {% append %}
alternative -> outcome body                {% ([outcome, body]) => ({ ...outcome, body }) %}
  | outcome body %kw_when value            {% ([outcome, body, , when]) => ({ ...outcome, body, when }) %}
outcome -> null                            {% () => undefined %}
  | %equals value %colon                   {% ([, result]) => ({ result }) %}
  | %equals value %kw_by name %colon       {% ([, result, , by]) => ({ result, by }) %}
body -> beside                             {% id %}
  | body %semi beside                      {% ([first, , next]) => declare.joined('then', first, next) %}
beside -> step                             {% id %}
  | beside %comma step                     {% ([first, , next]) => declare.joined('beside', first, next) %}
step -> name towards place                 {% ([label, index, place]) => declare.happening(label, index, place) %}
  | %kw_for name %kw_in nodeSet %lbrace body %rbrace  {% ([, name, , of, , body]) => ({ kind: 'for', name, of, body }) %}
  | %kw_if value %lbrace body %rbrace      {% ([, condition, , body]) => ({ kind: 'if', condition, body }) %}
  | %lparen body %rparen                   {% ([, body]) => body %}
towards -> null                            {% () => undefined %}
  | %lparen node %rparen                   {% ([, node]) => node %}
place -> reading writing                   {% ([reads, writes]) => ({ reads, writes }) %}
  | %kw_at cell                            {% ([, at]) => ({ at }) %}
reading -> null                            {% () => undefined %}
  | %kw_reads cell %kw_as name             {% ([, place, , as]) => ({ place, as }) %}
writing -> null                            {% () => undefined %}
  | %kw_writes cell %assign value          {% ([, place, , value]) => ({ place, value }) %}

# One place of an object, and nodes.
cell -> name                               {% ([name]) => ({ name }) %}
  | (%kw_to | %kw_from) %lparen name %rparen  {% ([[word], , name]) => ({ name, wire: build.name(word) }) %}
  | name %lbracket node %rbracket          {% ([name, , node]) => ({ name, node }) %}
node -> name                               {% ([name]) => ({ name }) %}
  | name %lparen name %rparen              {% ([word, , of]) => ({ name: of, word }) %}
nodeSet -> nodesOf                         {% id %}
  | nodeSet %backslash nodesOf             {% ([left, , right]) => ({ kind: 'minus', left, right }) %}
nodesOf -> name                            {% ([name]) => ({ kind: 'named', name }) %}
  | name %lparen name %rparen              {% ([word, , role]) => ({ kind: 'role', word, role }) %}
  | %lbrace %rbrace                        {% () => ({ kind: 'set', nodes: [] }) %}
  | %lbrace nodeList %rbrace               {% ([, list]) => ({ kind: 'set', nodes: toArray(list) }) %}
  | %lparen nodeSet %rparen                {% ([, set]) => set %}
nodeList -> node                           {% single %}
  | nodeList %comma node                   {% append %}

# Values, with the precedences of litmus files.
value -> conjunction                       {% id %}
  | value %oror conjunction                {% declare.binary %}
conjunction -> equality                    {% id %}
  | conjunction %andand equality           {% declare.binary %}
equality -> order                          {% id %}
  | equality (%equals | %ne) order         {% declare.binary %}
order -> sum                               {% id %}
  | order (%lt | %le | %gt | %ge) sum      {% declare.binary %}
sum -> factors                             {% id %}
  | sum (%plus | %minus) factors           {% declare.binary %}
factors -> signed                          {% id %}
  | factors (%times | %star | %div | %mod) signed  {% declare.binary %}
signed -> operand                          {% id %}
  | (%minus | %bang) signed                {% declare.unary %}
operand -> %int                            {% declare.int %}
  | name                                   {% ([name]) => ({ kind: 'name', ...name }) %}
  | name %lparen name %rparen              {% ([word, , of, close]) => declare.sum(word, of, close) %}
  | %lparen value %rparen                  {% ([, value]) => value %}
