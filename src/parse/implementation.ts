import type { Diagnostic, Parsed, SourceFile, Span } from './diagnostics/index.js';
import { mistakesInOrder } from './diagnostics/index.js';
import { DEPTH, tooDeep } from './depth.js';
import type {
  Held,
  ImplementationFile,
  Method,
  ParameterDecl,
  PerObject,
} from './implementation-ast.js';
import { withImplementationWords } from './implementation-words.js';
import type { AnyItem } from './implementation-build.js';
import type { LitmusItem } from './litmus-build.js';
import { litmusLanguage } from './litmus-language.js';
import { litmusLexer } from './litmus-lexer.js';
import { withWordKeywords } from './litmus-words.js';
import { parseTokens } from './recover.js';
import type { SnocList } from './snoc-list.js';
import { toArray } from './snoc-list.js';
import { tokenize } from './tokens.js';

const SKIPPED = new Set(['blank', 'comment']);

/**
 * Parses one implementation of a library.
 *
 * @returns the tree of the items that can be read. There is none without the head of the file, or if the file is nested
 *   too deep. The errors are those of syntax; or, without any, items that are missing, repeated, or of another kind of
 *   file
 */
export function parseImplementation(source: SourceFile): Parsed<ImplementationFile> {
  const lexed = tokenize(litmusLexer, source, SKIPPED);
  const tokens = withWordKeywords(withImplementationWords(lexed));
  const { value, errors } = parseTokens<SnocList<AnyItem>>(litmusLanguage, tokens, source);
  const broken = mistakesInOrder(errors);
  if (value === undefined) return { value, errors: broken };
  const items = toArray(value);
  const deep = tokens.length > DEPTH ? tooDeep(items) : undefined;
  if (deep !== undefined) return { value: undefined, errors: broken.length > 0 ? broken : [deep] };
  const assembly = new Assembly(source);
  for (const item of items) assembly.add(item);
  const file = assembly.file();
  return { value: file, errors: broken.length > 0 ? broken : mistakesInOrder(assembly.errors) };
}

type Of<Kind extends AnyItem['item']> = Extract<AnyItem, { item: Kind }>;

/** Puts the items of the file together. */
class Assembly {
  readonly errors: Diagnostic[] = [];

  private head: Of<'implementation'> | undefined;
  private about: Of<'implements'> | undefined;
  private source: string | undefined;
  private readonly notes: string[] = [];
  private readonly parameters: ParameterDecl[] = [];
  private readonly perObject: PerObject[] = [];
  private readonly once: Held[] = [];
  private readonly methods: Method[] = [];

  constructor(private readonly text: SourceFile) {}

  add(item: AnyItem): void {
    switch (item.item) {
      case 'implementation':
        return void (this.head = item);
      case 'implements':
        if (this.about === undefined) this.about = item;
        else this.report(item.span, 'a second `implements`: one library to a file');
        return;
      case 'meta':
        return this.addMeta(item);
      case 'parameter':
        return this.addNamed(this.parameters, item.parameter, 'parameter');
      case 'eachObject':
        return void this.perObject.push(item.each);
      case 'once':
        return void this.once.push(item.held);
      case 'method':
        return this.addNamed(this.methods, item.method, 'method');
      case 'header':
      case 'bound':
      case 'node':
      case 'thread':
      case 'table':
      case 'query':
      case 'uses':
      case 'objects':
      case 'ghost':
      case 'symmetric':
      case 'queuePair':
      case 'completionQueue':
      case 'filter':
      case 'listed':
      case 'expectation':
      case 'observation':
        return this.refuse(item);
    }
  }

  /** The tree; undefined if the file does not say what it implements. */
  file(): ImplementationFile | undefined {
    const { head, about, source, notes, parameters, perObject, once, methods } = this;
    const start = { file: this.text.path, start: 0, end: 0 };
    if (head === undefined) {
      this.report(start, 'an implementation begins with `implementation` and its name');
    } else if (about === undefined) {
      const hint = 'implements bal over sv';
      this.report(head.span, 'it is not said which library this implements', hint);
    }
    if (head === undefined || about === undefined) return undefined;
    if (methods.length === 0) this.report(head.span, 'there is no method in this implementation');
    return {
      file: this.text.path,
      name: head.name,
      title: head.title,
      source,
      notes,
      implements: about.library,
      over: about.over,
      parameters,
      perObject,
      once,
      methods,
    };
  }

  private addMeta({ key, text, span }: Of<'meta'>): void {
    if (key === 'note') this.notes.push(text);
    else if (key === 'question')
      this.report(span, 'an implementation asks nothing', 'write a note');
    else if (this.source !== undefined) this.report(span, 'a second `source`');
    else this.source = text;
  }

  private addNamed<T extends ParameterDecl | Method>(list: T[], one: T, what: string): void {
    const { text, span } = one.name;
    if (list.some(({ name }) => name.text === text)) {
      this.report(span, `${what} '${text}' is declared twice`);
    } else list.push(one);
  }

  private refuse({ span }: LitmusItem): void {
    const hint = 'threads, queries and expectations are in the litmus files of its clients';
    this.report(span, 'an implementation has objects, locations and methods only', hint);
  }

  private report(span: Span, message: string, hint?: string): void {
    this.errors.push({ span, message, hint });
  }
}
