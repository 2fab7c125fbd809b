import {
  isBlock,
  isClass,
  classIn,
  hasBody,
  isOfObject,
  isMaking,
  isMethod,
  functionIn,
  functionOf,
  innermost,
  nameOf,
  nameIn,
  referencesOf,
  noteNames,
  atomicIn,
} from './cpp-nodes.js';
import type { Part } from './made.js';
import { Made, arrow, called, pointer, word } from './made.js';
import type { CNode } from './tree.js';
import { fieldOf, fieldsOf, partOf, partsOf } from './tree.js';

/**
 * Trees of C++ as trees of C, as far as C has what they say. Methods are functions with a parameter `this`, members are its fields, and
 * references are pointers that are followed. Each node stands where that of C++ stands. What C has nothing for stays, and is refused.
 */

/** A class: its fields, and its methods, each with which of its parameters are references. */
interface Class {
  readonly fields: Set<string>;
  readonly methods: Map<string, readonly boolean[]>;
  /** Whether something is done where an object of it begins or ends. */
  isMade: boolean;
}

/** What a name means in a function. */
interface Scope {
  readonly inside?: string;
  readonly references: ReadonlySet<string>;
  readonly locals: ReadonlySet<string>;
}

const NOWHERE: Scope = { references: new Set(), locals: new Set() };

/** Methods of `std::atomic`, as functions of C. The second one of two arguments of a comparison is a reference. */
const ATOMICS: ReadonlyMap<string, string> = new Map(
  [
    ...['load', 'store', 'exchange', 'fetch_add', 'fetch_sub'],
    ...['compare_exchange_strong', 'compare_exchange_weak'],
  ].map((name) => [name, `atomic_${name}_explicit`]),
);
const CASTS = /^(static|reinterpret|const)_cast$/;
/** What declares nothing that is read. */
const DROPPED =
  /^(template_declaration|using_declaration|alias_declaration|access_specifier|friend_declaration|static_assert_declaration|field_initializer_list)$/;

export const asC = (root: CNode): CNode => new Translation().file(root);

class Translation {
  private readonly classes = new Map<string, Class>();
  private readonly functions = new Map<string, readonly boolean[]>();

  file(root: CNode): CNode {
    this.collect(root);
    return remade(root, this.items(root));
  }

  /** Notes classes and functions. */
  private collect(node: CNode): void {
    for (const one of partsOf(node)) {
      if (isBlock(one) || one.type.startsWith('preproc_if'))
        this.collect(fieldOf(one, 'body') ?? one);
      if (one.type === 'declaration' || isClass(one)) this.collectClass(classIn(one));
      if (one.type !== 'function_definition') continue;
      const declarator = functionOf(one);
      const [inside, name] = nameOf(declarator);
      const references = referencesOf(declarator);
      if (inside === undefined) this.functions.set(name, references);
      else {
        const known = this.classOf(inside);
        known.methods.set(name, references);
        known.isMade ||= isMaking(one, name, inside);
      }
    }
  }

  private collectClass(node: CNode | undefined): void {
    const body = node && fieldOf(node, 'body');
    const name = node && fieldOf(node, 'name')?.text;
    if (body === undefined || name === undefined) return;
    const found = this.classOf(name);
    for (const one of partsOf(body)) {
      for (const declarator of fieldsOf(one, 'declarator')) {
        const method = functionIn(declarator);
        if (method === undefined) found.fields.add(innermost(declarator).text);
        else {
          const own = innermost(method).text;
          found.methods.set(own, referencesOf(method));
          found.isMade ||= isMaking(one, own, name);
        }
      }
      found.isMade ||= fieldOf(one, 'default_value') !== undefined;
    }
  }

  private classOf(name: string): Class {
    const known = this.classes.get(name) ?? {
      fields: new Set(),
      methods: new Map(),
      isMade: false,
    };
    this.classes.set(name, known);
    return known;
  }

  /** What stands at file level, and what methods stand in classes there. */
  private items(node: CNode): readonly Part[] {
    return node.children.flatMap((one): readonly Part[] => {
      if (one === null) return [];
      if (isBlock(one)) return this.items(fieldOf(one, 'body') ?? one);
      if (one.type === 'function_definition' && hasBody(one)) return [{ node: this.define(one) }];
      const known = isClass(one) || one.type === 'declaration' ? classIn(one) : undefined;
      const body = known && fieldOf(known, 'body');
      const methods =
        body === undefined ? [] : partsOf(body).filter((part) => isMethod(part) && hasBody(part));
      const inside = known && fieldOf(known, 'name')?.text;
      return [
        { field: one.field, node: this.node(one, NOWHERE) },
        ...methods.map((method) => ({ node: this.define(method, inside) })),
      ];
    });
  }

  /** A function. A method has its object as its first parameter. */
  private define(node: CNode, within?: string): CNode {
    const declarator = functionOf(node);
    const [inside = within, name] = nameOf(declarator);
    const list = partOf(declarator, 'parameters');
    const names = new Set<string>();
    const references = new Set<string>();
    noteNames(list, names, references);
    noteNames(partOf(node, 'body'), names, references);
    const scope: Scope = { references, locals: names, ...(inside !== undefined && { inside }) };
    const parameters = partsOf(list).map((one) => ({ node: this.node(one, scope) }));
    const self: readonly Part[] = inside === undefined ? [] : [{ node: selfOf(list, inside) }];
    const called_ = new Made('function_declarator', declarator, declarator.text, [
      {
        field: 'declarator',
        node: word(declarator, inside === undefined ? name : `${inside}::${name}`),
      },
      {
        field: 'parameters',
        node: new Made('parameter_list', list, list.text, [...self, ...parameters]),
      },
    ]);
    const type = fieldOf(node, 'type');
    return new Made('function_definition', node, node.text, [
      ...(type === undefined ? [] : [{ field: 'type', node: this.node(type, scope) }]),
      { field: 'declarator', node: called_ },
      { field: 'body', node: this.node(partOf(node, 'body'), scope) },
    ]);
  }

  private node(node: CNode, scope: Scope): CNode {
    if (DROPPED.test(node.type)) return new Made('comment', node, node.text);
    switch (node.type) {
      case 'this':
        return word(node, 'this');
      case 'identifier':
        return this.name(node, scope);
      case 'qualified_identifier':
        return this.qualified(node, scope);
      case 'placeholder_type_specifier':
      case 'template_type':
        return new Made('type_identifier', node, fieldOf(node, 'name')?.text ?? 'auto');
      case 'class_specifier':
      case 'struct_specifier':
        return this.structure(node, scope);
      case 'condition_clause':
        return this.rebuilt('parenthesized_expression', node, scope);
      case 'raw_string_literal':
        return new Made('string_literal', node, node.text);
      case 'throw_statement':
        return new Made('expression_statement', node, node.text, [
          { node: called(node, 'abort', []) },
        ]);
      case 'declaration':
      case 'field_declaration':
      case 'parameter_declaration':
      case 'type_descriptor':
        return this.declaration(node, scope);
      case 'init_declarator':
        return this.initialised(node, scope);
      case 'call_expression':
        return this.call(node, scope);
      default:
        return this.rebuilt(node.type, node, scope);
    }
  }

  /** The same with its parts as those of C. */
  private rebuilt(type: string, node: CNode, scope: Scope): CNode {
    if (node.children.length === 0 && type === node.type) return node;
    const parts = node.children.flatMap((one): readonly Part[] =>
      one === null ? [] : [{ field: one.field, node: this.node(one, scope) }],
    );
    return remade(node, parts, type);
  }

  private name(node: CNode, { references, locals, inside }: Scope): CNode {
    const { text } = node;
    if (references.has(text)) return pointer('*', word(node, text));
    const isField = inside !== undefined && this.classes.get(inside)?.fields.has(text) === true;
    return isField && !locals.has(text) ? arrow(node, word(node, 'this'), text) : node;
  }

  /** A name of a namespace is the name alone; one of a class has the class before it. */
  private qualified(node: CNode, scope: Scope): CNode {
    const [inside, name] = nameIn(node);
    const last = partOf(node, 'name');
    if (last.type === 'template_type' || last.type === 'type_identifier') {
      return last.type === 'type_identifier' ? last : this.node(last, scope);
    }
    const isOwn = inside !== undefined && this.classes.has(inside);
    return word(node, isOwn ? `${inside}::${name}` : name);
  }

  private structure(node: CNode, scope: Scope): CNode {
    const name = fieldOf(node, 'name');
    const body = fieldOf(node, 'body');
    const members = body === undefined ? [] : partsOf(body);
    return new Made('struct_specifier', node, node.text, [
      ...(name === undefined ? [] : [{ field: 'name', node: name }]),
      ...(body === undefined
        ? []
        : [
            {
              field: 'body',
              node: new Made(
                'field_declaration_list',
                body,
                body.text,
                // That there are methods says that not all members are fields.
                members.map((one) => ({
                  node: isMethod(one) ? new Made('method', one, one.text) : this.node(one, scope),
                })),
              ),
            },
          ]),
    ]);
  }

  /** `std::atomic<T>` is an atomic T. */
  private declaration(node: CNode, scope: Scope): CNode {
    const type = fieldOf(node, 'type');
    const inner = type && atomicIn(type);
    const isObject = fieldsOf(node, 'declarator').some(isOfObject);
    if (isObject && this.classes.get(type?.text ?? '')?.isMade === true) {
      return new Made('object_with_a_constructor', node, node.text);
    }
    const parts = node.children.flatMap((one): readonly Part[] => {
      if (one === null || one.field === 'default_value') return [];
      if (one.field === 'type' && inner !== undefined) {
        return [
          { node: new Made('type_qualifier', one, '_Atomic') },
          { field: 'type', node: this.node(inner, scope) },
        ];
      }
      const isDeclarator = one.field === 'declarator' && one.type !== 'init_declarator';
      const plain = isDeclarator ? this.declarator(one, scope) : this.node(one, scope);
      return [{ field: one.field, node: plain }];
    });
    return remade(node, parts);
  }

  /** `T &x = e` is a pointer to e, and `T x(e)` has the value e. */
  private initialised(node: CNode, scope: Scope): CNode {
    const declarator = partOf(node, 'declarator');
    const value = fieldOf(node, 'value');
    const isReference = declarator.type === 'reference_declarator';
    const given = value?.type === 'argument_list' ? partsOf(value)[0] : value;
    const plain = given && this.node(given, scope);
    return new Made('init_declarator', node, node.text, [
      { field: 'declarator', node: this.declarator(declarator, scope) },
      ...(plain === undefined
        ? []
        : [{ field: 'value', node: isReference ? pointer('&', plain) : plain }]),
    ]);
  }

  /** A declarator; the name in it is no use of that name. */
  private declarator(node: CNode, scope: Scope): CNode {
    if (node.type === 'identifier' || node.type === 'field_identifier') return node;
    const type = node.type === 'reference_declarator' ? 'pointer_declarator' : node.type;
    const parts = node.children.flatMap((one): readonly Part[] => {
      if (one === null) return [];
      const isInner = one.isNamed && (one.field === 'declarator' || one.field === null);
      return [
        {
          field: isInner ? 'declarator' : one.field,
          node: isInner ? this.declarator(one, scope) : this.node(one, scope),
        },
      ];
    });
    return remade(node, parts, type);
  }

  private call(node: CNode, scope: Scope): CNode {
    const called_ = partOf(node, 'function');
    const given = partsOf(partOf(node, 'arguments'));
    const arguments_ = (references: readonly boolean[] = []): readonly CNode[] =>
      given.map((one, i) => {
        const plain = this.node(one, scope);
        return references[i] ? pointer('&', plain) : plain;
      });
    if (called_.type === 'template_function' && CASTS.test(partOf(called_, 'name').text)) {
      const [type] = partsOf(partOf(called_, 'arguments'));
      return new Made('cast_expression', node, node.text, [
        { field: 'type', node: this.node(type, scope) },
        { field: 'value', node: arguments_()[0] },
      ]);
    }
    if (called_.type === 'field_expression') {
      const name = partOf(called_, 'field').text;
      const object = this.node(partOf(called_, 'argument'), scope);
      const self = called_.children.some((one) => one?.text === '->')
        ? object
        : pointer('&', object);
      const owners = [...this.classes].filter(([, { methods }]) => methods.has(name));
      if (owners.length === 1) {
        const [[owner, { methods }]] = owners;
        return called(node, `${owner}::${name}`, [self, ...arguments_(methods.get(name))]);
      }
      const atomic = owners.length === 0 ? ATOMICS.get(name) : undefined;
      if (atomic !== undefined) {
        return called(node, atomic, [self, ...arguments_([name.startsWith('compare')])]);
      }
      return this.rebuilt(node.type, node, scope);
    }
    const [inside = scope.inside, name] = nameIn(called_);
    const method = this.classes.get(inside ?? '')?.methods.get(name);
    if (method !== undefined && !scope.locals.has(name)) {
      return called(node, `${inside!}::${name}`, [word(node, 'this'), ...arguments_(method)]);
    }
    if (name === 'move' && called_.type === 'qualified_identifier') return arguments_()[0];
    return called(node, name, arguments_(this.functions.get(name)));
  }
}

const remade = (node: CNode, parts: readonly Part[], type = node.type): CNode =>
  new Made(type, node, node.text, parts, node.isNamed, node.field);

/** `struct C *this` */
const selfOf = (at: CNode, name: string): CNode =>
  new Made('parameter_declaration', at, `struct ${name} *this`, [
    {
      field: 'type',
      node: new Made('struct_specifier', at, name, [
        { field: 'name', node: new Made('type_identifier', at, name) },
      ]),
    },
    {
      field: 'declarator',
      node: new Made('pointer_declarator', at, '*this', [
        { field: 'declarator', node: word(at, 'this') },
      ]),
    },
  ]);
