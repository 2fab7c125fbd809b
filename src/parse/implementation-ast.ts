import type { Span } from './diagnostics/index.js';
import type { LitmusExpr, ForEach, Ident, RoleDecl, Statement } from './litmus-ast.js';

/**
 * The syntax tree of an implementation of a library. Names are not looked up, and loops over nodes are not written out.
 */
export interface ImplementationFile {
  readonly file: string;
  readonly name: Ident;
  readonly title?: string;
  readonly source?: string;
  readonly notes: readonly string[];
  /** The library that it implements: each of its methods is an operation of this one. */
  readonly implements: Ident;
  /** The libraries that its methods call. */
  readonly over: readonly Ident[];
  readonly parameters: readonly ParameterDecl[];
  /** What is declared once for each object of the library. */
  readonly perObject: readonly PerObject[];
  /** What is declared once, and shared by all objects. */
  readonly once: readonly Held[];
  readonly methods: readonly Method[];
}

/** `parameter S = 4` */
export interface ParameterDecl {
  readonly name: Ident;
  readonly value: number;
  readonly span: Span;
}

/** `for object x { … }` */
export interface PerObject {
  readonly object: Ident;
  readonly held: readonly Held[];
  readonly span: Span;
}

/** What an implementation declares: objects of the libraries below, locations, or these for each member of a set. */
export type Held = HeldObjects | HeldLocations | ForEach<Held>;

/** `sv cell[0 .. S - 1], head` */
export interface HeldObjects {
  readonly kind: 'objects';
  readonly library: Ident;
  readonly names: readonly HeldName[];
  readonly node?: Ident;
  readonly words?: number;
  readonly roles: readonly RoleDecl[];
  readonly span: Span;
}

/** `node n { copy[n] = 0 }`: locations on the node n; or on each node, if `n` is not the name of one. */
export interface HeldLocations {
  readonly kind: 'locations';
  readonly node: Ident;
  readonly locations: readonly { readonly name: HeldName; readonly value: number }[];
  readonly span: Span;
}

/** `head`, `count[t]`, or a family, `cell[0 .. S - 1]`. */
export interface HeldName {
  readonly name: Ident;
  readonly index?: LitmusExpr;
  /** In a family, its last index; `index` is the first one then. */
  readonly to?: LitmusExpr;
  readonly span: Span;
}

/**
 * `put(x) into y work d { … }`: how a call of an operation is carried out. `into` is the place to the left of `:=`, and
 * `work` the work identifier that `:=^` gives.
 */
export interface Method {
  readonly name: Ident;
  readonly parameters: readonly Ident[];
  readonly into?: Ident;
  readonly work?: Ident;
  readonly body: readonly Statement[];
  /** The text of the head, and never of the body: messages about a method point at its head. */
  readonly span: Span;
}
