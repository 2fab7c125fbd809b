import type { Span } from './diagnostics/index.js';
import type { LitmusExpr, ForEach, Ident, RoleDecl, Statement } from './litmus-ast.js';

/** The tree of an implementation of a library. Names are not resolved. */
export interface ImplementationFile {
  readonly file: string;
  readonly name: Ident;
  readonly title?: string;
  readonly source?: string;
  readonly notes: readonly string[];
  /** The library whose methods it has. */
  readonly implements: Ident;
  /** The libraries that it calls. */
  readonly over: readonly Ident[];
  readonly parameters: readonly ParameterDecl[];
  /** What there is for each object of the library. */
  readonly perObject: readonly PerObject[];
  /** What there is once. */
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

/** Objects of lower libraries, locations, and those of all members of a set. */
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

/** `node n { copy[n] = 0 }`: on node n, or on each where `n` is no name yet. */
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
  /** The last index of a family. */
  readonly to?: LitmusExpr;
  readonly span: Span;
}

/** `put(x) into y work d { … }`: parameters, the place left of `:=`, and the identifier that `:=^` gives. */
export interface Method {
  readonly name: Ident;
  readonly parameters: readonly Ident[];
  readonly into?: Ident;
  readonly work?: Ident;
  readonly body: readonly Statement[];
  /** Without the body. */
  readonly span: Span;
}
