import { elementNames } from './pieces.js';
import { FURTHER, VERBS } from './structures.js';
import type { CNode } from './tree.js';
import { fieldOf, fieldsOf, isSaid, partOf, partsOf } from './tree.js';

/** Types of C, as far as sizes and fields matter. Sizes are in bytes. */
export type Type =
  | {
      readonly kind: 'int';
      readonly size: number;
      readonly isAtomic?: boolean;
      readonly isUnsigned?: boolean;
      readonly isBool?: boolean;
      /** So many bits of a structure. Where they lie, nothing says. */
      readonly bits?: number;
    }
  | { readonly kind: 'pointer'; readonly to: Type }
  | { readonly kind: 'struct'; readonly name: string }
  | { readonly kind: 'array'; readonly of: Type; readonly count?: number }
  | {
      readonly kind: 'unknown';
      /** Its numbers have fractions. */
      readonly isFloat?: boolean;
    };

export const UNKNOWN: Type = { kind: 'unknown' };
export const FLOAT: Type = { kind: 'unknown', isFloat: true };
export type Integer = Extract<Type, { kind: 'int' }>;
export const INT: Integer = { kind: 'int', size: 4 };
export const UINT: Integer = { kind: 'int', size: 4, isUnsigned: true };
export const WORD: Integer = { kind: 'int', size: 8 };
export const UNSIGNED: Integer = { kind: 'int', size: 8, isUnsigned: true };

const atomic = (type: Type): Type => (type.kind === 'int' ? { ...type, isAtomic: true } : type);

/** A type of so many bytes, by its name. */
const integer = (name: string, size: number): Type => ({
  ...{ kind: 'int', size },
  ...(/^(uint|ulong|ushort|u_char|u\d|__(u|be|le)\d|size_t|uintptr_t|bool|_Bool|atomic_(u|size|bool))/.test(
    name,
  ) && {
    isUnsigned: true,
  }),
  ...(/^(atomic_bool|bool|_Bool)$/.test(name) && { isBool: true }),
});

/** A type that is written as several words, in any order: `long unsigned int`. */
function sizedOf(text: string): Type {
  const words = text.split(/\s+/);
  if (words.includes('double')) return FLOAT;
  const size = words.includes('char')
    ? 1
    : words.includes('short')
      ? 2
      : words.includes('long')
        ? 8
        : 4;
  return { kind: 'int', size, ...(words.includes('unsigned') && { isUnsigned: true }) };
}

const SIZES: ReadonlyMap<string, number> = new Map([
  ...(['void', 'char', 'bool', '_Bool', 'u_char', 'atomic_bool'] as const).map(
    (n) => [n, 1] as const,
  ),
  ...[['ushort', 2] as const, ['int', 4] as const, ['uint', 4] as const, ['ulong', 8] as const],
  ...(
    [
      'size_t',
      'ssize_t',
      'uintptr_t',
      'intptr_t',
      'ptrdiff_t',
      'off_t',
      'atomic_ullong',
      'atomic_llong',
    ] as const
  ).map((n) => [n, 8] as const),
  ...[8, 16, 32, 64].flatMap((bits) =>
    [
      `int${bits}_t`,
      `uint${bits}_t`,
      `u${bits}`,
      `s${bits}`,
      `__u${bits}`,
      `__be${bits}`,
      `__le${bits}`,
    ].map((n) => [n, bits / 8] as const),
  ),
  ...(['atomic_int', 'atomic_uint'] as const).map((n) => [n, 4] as const),
  ...(['atomic_long', 'atomic_ulong', 'atomic_size_t', 'atomic_uint64_t'] as const).map(
    (n) => [n, 8] as const,
  ),
]);

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** The unnamed union that it is a member of. */
  readonly union?: string;
}

/** The names of types and structures that a file has, and those of verbs. */
export class Types {
  /** `lengthOf`: the value of a constant expression. */
  constructor(private readonly lengthOf: (node: CNode) => number | undefined) {}

  private readonly structs = new Map<string, readonly Field[]>(VERBS);
  private readonly names = new Map<string, Type>();
  private readonly unions = new Set<string>();
  /** Where structures are defined. */
  private readonly places = new Map<string, number>();
  /** The structures of which all members are known. */
  private readonly whole = new Set(VERBS.map(([name]) => name));
  /** By structure: to how many bytes its parts are aligned at most. 1: it has no gaps. */
  private readonly packed = new Map<string, number>();
  /** Those whose alignment is said. */
  private readonly aligned = new Set<string>();
  /** As `#pragma pack` says it for all that come behind it; those behind `push` are the last ones. */
  readonly packing: number[] = [Infinity];

  /** The type that the specifiers of a declaration name. Structures in it are noted. */
  specified(declaration: CNode): Type {
    const type = fieldOf(declaration, 'type');
    if (type === undefined) return UNKNOWN;
    const found = this.named(type);
    // As the kernel writes it: `struct s { … } __packed;`
    const isPacked = fieldsOf(declaration, 'declarator').some(({ text }) => text === '__packed');
    if (isPacked) this.packed.set(fieldOf(type, 'name')?.text ?? '', 1);
    return isSaid(declaration, '_Atomic') ? atomic(found) : found;
  }

  /** The type that a name in parentheses is: only the file can tell it from a variable, as in `sizeof(slot_t)`. */
  inParentheses(node: CNode): Type | undefined {
    const [inner] = node.type === 'parenthesized_expression' ? partsOf(node) : [];
    return inner?.type === 'identifier' ? this.called(inner.text) : undefined;
  }

  private called(name: string): Type | undefined {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const size = SIZES.get(name);
    if (size === undefined) return undefined;
    const type = integer(name, size);
    return name.startsWith('atomic_') ? atomic(type) : type;
  }

  /** In C++, the name of a structure is one of a type. */
  private tagged(name: string): Type {
    return this.structs.has(name) ? { kind: 'struct', name } : UNKNOWN;
  }

  named(node: CNode): Type {
    switch (node.type) {
      case 'sized_type_specifier':
        return sizedOf(node.text);
      case 'primitive_type': {
        if (/^(float|double)$/.test(node.text)) return FLOAT;
        const size = SIZES.get(node.text);
        return size === undefined ? UNKNOWN : integer(node.text, size);
      }
      // An argument of a macro, as of `container_of`, is read as an expression.
      case 'identifier':
      case 'type_identifier':
        return this.called(node.text) ?? this.tagged(node.text);
      case 'struct_specifier':
      case 'union_specifier':
        return this.structure(node);
      case 'enum_specifier':
        return INT;
      case 'type_descriptor': {
        const base = this.specified(node);
        const declarator = fieldOf(node, 'declarator');
        return declarator === undefined ? base : this.declared(base, declarator).type;
      }
      default:
        return UNKNOWN;
    }
  }

  isUnion(name: string): boolean {
    return this.unions.has(name);
  }

  private structure(node: CNode): Type {
    const name = fieldOf(node, 'name')?.text ?? `at ${node.startIndex}`;
    const body = fieldOf(node, 'body');
    if (node.type === 'union_specifier') this.unions.add(name);
    const said = [node, ...partsOf(body ?? node)]
      .flatMap(partsOf)
      .map(({ type, text }) =>
        ['attribute_specifier', 'alignas_qualifier'].includes(type) ? text : '',
      );
    const isPacked = said.some((text) => /\bpacked\b|__packed__/.test(text));
    // A mention of a structure says nothing of how its parts lie.
    if (isPacked || body !== undefined) this.packed.set(name, isPacked ? 1 : this.packing.at(-1)!);
    // How far apart the parts of such a structure are is not worked out.
    if (said.some((text) => /align/.test(text))) this.aligned.add(name);
    if (body !== undefined) {
      const fields = partsOf(body)
        .filter(({ type }) => type === 'field_declaration')
        .flatMap((field) => {
          const base = this.specified(field);
          const declarators = fieldsOf(field, 'declarator');
          // An unnamed structure has its fields here.
          if (declarators.length === 0 && base.kind === 'struct') return this.unnamed(base);
          const clause = partsOf(field).find((one) => one.type === 'bitfield_clause');
          const of = clause === undefined ? base : this.bitsOf(base, clause);
          return declarators.map((one) => this.declared(of, one));
        });
      this.structs.set(name, fields);
      // Where a file has several of one name, as for several systems, nobody knows which one is meant.
      const { startIndex } = node;
      const isOnly = (this.places.get(name) ?? startIndex) === startIndex;
      this.places.set(name, startIndex);
      if (isOnly && this.isWhole(node, body)) this.whole.add(name);
      else this.whole.delete(name);
    }
    return { kind: 'struct', name };
  }

  /** Whether all members of a structure are plain declarations of its own. */
  private isWhole({ text }: CNode, body: CNode): boolean {
    const isDerived = text.slice(0, text.indexOf('{')).includes(':');
    return (
      !isDerived &&
      partsOf(body).every((one) => {
        if (one.type !== 'field_declaration') return false;
        const declarators = fieldsOf(one, 'declarator');
        if (declarators.length > 0) return true;
        const type = fieldOf(one, 'type');
        const inner = type && fieldOf(type, 'body');
        return type !== undefined && inner !== undefined && this.isWhole(type, inner);
      })
    );
  }

  /** The members of a structure that has none of this name; undefined: it has one, or not all of its members are known. */
  membersWithout(type: Type, name: string): readonly string[] | undefined {
    if (type.kind !== 'struct' || !this.whole.has(type.name)) return undefined;
    const fields = this.fieldsOf(type).map((one) => one.name);
    const known = [...fields, ...(FURTHER.get(type.name) ?? [])];
    return known.includes(name) ? undefined : known;
  }

  private unnamed(type: Type & { kind: 'struct' }): readonly Field[] {
    const fields = this.fieldsOf(type);
    return this.isUnion(type.name)
      ? fields.map((one) => ({ ...one, union: one.union ?? type.name }))
      : fields;
  }

  private bitsOf(type: Type, clause: CNode): Type {
    const bits = this.lengthOf(partsOf(clause)[0]);
    return bits === undefined || type.kind !== 'int' ? UNKNOWN : { ...type, bits };
  }

  /** The other members of a union, unnamed or not, that a field is a member of. */
  besides(type: Type, name: string): readonly string[] {
    const fields = this.fieldsOf(type);
    const union = fields.find((one) => one.name === name)?.union;
    const isAll = type.kind === 'struct' && this.isUnion(type.name);
    if (!isAll && union === undefined) return [];
    return fields
      .filter((one) => one.name !== name && (isAll || one.union === union))
      .map((one) => one.name);
  }

  /** The name and the type that a declarator gives. */
  declared(
    base: Type,
    declarator: CNode,
    lengthOf: (node: CNode) => number | undefined = this.lengthOf,
  ): Field {
    switch (declarator.type) {
      case 'pointer_declarator':
      case 'abstract_pointer_declarator': {
        const inner = fieldOf(declarator, 'declarator');
        const type: Type = { kind: 'pointer', to: base };
        return inner === undefined ? { name: '', type } : this.declared(type, inner, lengthOf);
      }
      case 'array_declarator':
      case 'abstract_array_declarator': {
        const inner = fieldOf(declarator, 'declarator');
        const size = fieldOf(declarator, 'size');
        const count = size && lengthOf(size);
        const type: Type = { kind: 'array', of: base, ...(count !== undefined && { count }) };
        return inner === undefined ? { name: '', type } : this.declared(type, inner, lengthOf);
      }
      case 'init_declarator':
        return this.declared(base, partOf(declarator, 'declarator'), lengthOf);
      case 'function_declarator':
        return { ...this.declared(base, partOf(declarator, 'declarator')), type: UNKNOWN };
      case 'parenthesized_declarator':
      case 'attributed_declarator': {
        const [inner] = partsOf(declarator);
        return this.declared(base, inner, lengthOf);
      }
      default:
        return { name: declarator.text, type: base };
    }
  }

  typedef(node: CNode): void {
    const base = this.specified(node);
    for (const declarator of fieldsOf(node, 'declarator')) {
      const { name, type } = this.declared(base, declarator);
      this.names.set(name, type);
    }
  }

  fieldsOf(type: Type): readonly Field[] {
    return type.kind === 'struct' ? (this.structs.get(type.name) ?? []) : [];
  }

  fieldType(type: Type, name: string): Type {
    return this.fieldsOf(type).find((field) => field.name === name)?.type ?? UNKNOWN;
  }

  /** The numbers in a variable, and where each begins, in bytes. */
  wordsOf(type: Type, name: string): readonly { readonly name: string; readonly at: number }[] {
    switch (type.kind) {
      case 'array': {
        const size = this.sizeOf(type.of) ?? 8;
        return elementNames(name, type.count ?? 1).flatMap((one, i) =>
          this.wordsOf(type.of, one).map((word) => ({ ...word, at: word.at + size * i })),
        );
      }
      case 'struct':
        return this.fieldsOf(type).flatMap((field) => {
          const at = this.offsetOf(type, field.name);
          if (at === undefined || field.type.kind === 'pointer') return [];
          const words = this.wordsOf(field.type, `${name}_${field.name}`);
          return words.map((word) => ({ ...word, at: word.at + at }));
        });
      case 'int':
      case 'pointer':
      case 'unknown':
        return [{ name, at: 0 }];
    }
  }

  /** Undefined where it is not known. */
  sizeOf(type: Type): number | undefined {
    switch (type.kind) {
      case 'int':
        return type.bits === undefined ? type.size : undefined;
      case 'pointer':
        return 8;
      case 'array': {
        const one = this.sizeOf(type.of);
        return one === undefined || type.count === undefined ? undefined : one * type.count;
      }
      case 'struct': {
        const fields = this.fieldsOf(type);
        if (fields.length === 0) return undefined;
        return this.layout(type).size;
      }
      case 'unknown':
        return undefined;
    }
  }

  /** Where a field of a structure begins. */
  offsetOf(type: Type, name: string): number | undefined {
    return this.layout(type).at.get(name);
  }

  private layout(type: Type): { readonly size?: number; readonly at: ReadonlyMap<string, number> } {
    const at = new Map<string, number>();
    if (type.kind !== 'struct' || this.aligned.has(type.name)) return { at };
    let end = 0;
    let widest = 1;
    for (const field of this.fieldsOf(type)) {
      const size = this.sizeOf(field.type);
      // How the members of an unnamed union lie in what is around it is not worked out.
      if (size === undefined || field.union !== undefined) return { at };
      const align = this.alignIn(type, field);
      widest = Math.max(widest, align);
      const start = this.isUnion(type.name) ? 0 : Math.ceil(end / align) * align;
      at.set(field.name, start);
      end = this.isUnion(type.name) ? Math.max(end, size) : start + size;
    }
    return { size: Math.ceil(end / widest) * widest, at };
  }

  private alignOf(type: Type): number {
    if (type.kind === 'array') return this.alignOf(type.of);
    if (type.kind === 'struct') {
      return Math.max(1, ...this.fieldsOf(type).map((field) => this.alignIn(type, field)));
    }
    return this.sizeOf(type) ?? 8;
  }

  private alignIn({ name }: Extract<Type, { kind: 'struct' }>, field: Field): number {
    return Math.min(this.packed.get(name) ?? Infinity, this.alignOf(field.type));
  }
}
