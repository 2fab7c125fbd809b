import type { CatItem } from '../parse/cat-ast.js';
import type { Span } from '../parse/diagnostics/index.js';
import type { ImplementationFile } from '../parse/implementation-ast.js';
import type { LitmusFile } from '../parse/litmus-ast.js';
import { languageOf } from './language.js';
import type { NamedKind, Named } from '../parse/links.js';
import type { Workspace } from './workspace.js';

/** Something that a file has, for its outline. */
export interface DocumentSymbol {
  readonly kind: NamedKind | 'query' | 'include';
  readonly name: string;
  /** A few words after the name. */
  readonly detail?: string;
  /** Where its name is. */
  readonly at: Span;
  readonly whole: Span;
  readonly inside?: readonly DocumentSymbol[];
}

/** The outline of a file, in order of place. For a file with mistakes, it has the parts that could be read. */
export function symbolsOf(path: string, workspace: Workspace): readonly DocumentSymbol[] {
  const symbols = unordered(path, workspace);
  return [...symbols].sort((a, b) => a.whole.start - b.whole.start);
}

/** More than these are not looked through by anybody. */
const MOST = 256;

/** What has a name in the files of a workspace, and whose name has these letters, of either case. */
export function symbolsNamed(letters: string, workspace: Workspace): readonly DocumentSymbol[] {
  const wanted = letters.toLowerCase();
  const found: DocumentSymbol[] = [];
  for (const path of workspace.listed()) {
    const symbols = symbolsOf(path, workspace).flatMap((one) => [one, ...(one.inside ?? [])]);
    found.push(
      ...symbols.filter(
        ({ kind, name }) => kind !== 'include' && name.toLowerCase().includes(wanted),
      ),
    );
    if (found.length >= MOST) return found.slice(0, MOST);
  }
  return found;
}

function unordered(path: string, workspace: Workspace): readonly DocumentSymbol[] {
  switch (languageOf(path)) {
    case 'cat':
      return (workspace.tree(path, 'cat')?.items ?? []).flatMap(ofItem);
    case 'litmus':
      return ofTest(workspace.tree(path, 'litmus'), workspace.source(path)?.text ?? '');
    case 'implementation':
      return ofImplementation(workspace.tree(path, 'implementation'));
    case undefined:
      return [];
  }
}

const symbol = (
  kind: DocumentSymbol['kind'],
  { text, span }: Named,
  whole: Span,
  rest: Pick<DocumentSymbol, 'detail' | 'inside'> = {},
): DocumentSymbol => ({ kind, name: text, at: span, whole, ...rest });

function ofItem(item: CatItem): readonly DocumentSymbol[] {
  switch (item.kind) {
    case 'include':
      return [symbol('include', item.path, item.span)];
    case 'let':
      return item.bindings.flatMap(({ names, params, span, words }) =>
        names.map((name) =>
          symbol(params === undefined ? 'relation' : 'function', name, span, { detail: words }),
        ),
      );
    case 'axiom': {
      const name = item.name ?? { text: item.test, span: item.span };
      return [symbol('axiom', name, item.span, { detail: item.flag ? 'flag' : item.test })];
    }
    case 'event':
      return item.labels.map(({ name }) =>
        symbol('event', name, item.span, { detail: item.words }),
      );
    case 'operation':
    case 'guess':
    case 'tag':
      return [symbol(item.kind, item.name, item.span, { detail: item.words })];
    case 'library':
      return [symbol(item.kind, item.name, item.span, { detail: item.title })];
    case 'object':
    case 'role':
      return [symbol(item.kind, item.name, item.span)];
    case 'conditional':
      return [...item.items, ...item.otherwise].flatMap(ofItem);
    case 'from':
      return [symbol('relation', item.name, item.span)];
    case 'procedure':
      return [symbol('function', item.name, item.span)];
    case 'enum':
    case 'call':
    case 'forall':
    case 'aside':
    case 'show':
    case 'unshow':
    case 'showAs':
    case 'initial':
    case 'drop':
    case 'instead':
    case 'dropInstead':
    case 'short':
      return [];
  }
}

function ofTest(file: LitmusFile | undefined, text: string): readonly DocumentSymbol[] {
  if (file === undefined) return [];
  return [
    ...file.nodes.map(({ node, locations, span }) =>
      symbol('node', node, span, {
        inside: locations.map(({ name, value, span }) =>
          symbol('location', name, span, { detail: `= ${value}` }),
        ),
      }),
    ),
    ...file.objects.map(({ name, library, span }) =>
      symbol('object', name, span, { detail: library.text }),
    ),
    ...file.ghosts.map(({ name, span }) => symbol('ghost', name, span)),
    ...file.threads.map(({ name, node, span }) =>
      symbol('thread', name, span, { detail: `on ${node.text}` }),
    ),
    ...file.queries.map(({ label, span }) => {
      const asked = text.slice(span.start, span.end).replace(/\s+/g, ' ');
      return symbol('query', { text: asked, span }, span, { detail: label });
    }),
  ];
}

function ofImplementation(file: ImplementationFile | undefined): readonly DocumentSymbol[] {
  if (file === undefined) return [];
  return [
    ...file.parameters.map(({ name, value, span }) =>
      symbol('parameter', name, span, { detail: `= ${value}` }),
    ),
    ...file.methods.map(({ name, span }) => symbol('method', name, span)),
  ];
}
