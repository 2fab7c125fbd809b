import type { Report } from '../parse/diagnostics/index.js';
import type { Library } from '../model/instructions/set.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { NameRecorder } from '../parse/links.js';
import type { Ident, LitmusFile, ObjectDecl, RoleDecl } from '../parse/litmus-ast.js';
import { NONE, WORDS, tupleCode } from '../parse/values.js';
import type { LibraryObject, Location, LocationId, ObjectId } from './program.js';
import { checkNode } from './report.js';

/** The objects of libraries that a file declares, by index and by name. */
export interface Objects {
  readonly objects: readonly LibraryObject[];
  readonly byName: ReadonlyMap<string, ObjectId>;
  /** The libraries that were already reported as not used. */
  readonly unused: Set<string>;
}

/** What is needed to resolve declarations of objects. */
interface Around {
  readonly libraries: readonly Library[];
  readonly nodes: readonly string[];
  readonly threads: readonly string[];
  /** The locations of the program. Cells are added here. */
  readonly locations: Location[];
  readonly declared: ReadonlyMap<string, LocationId>;
  readonly names?: NameRecorder;
}

/** Resolves the declarations of objects: `sv x`, `msw x on 1 of 2 words`, `rbl x (writer T1; reader T2)`. */
export function declareObjects(file: LitmusFile, around: Around, report: Report): Objects {
  const objects: LibraryObject[] = [];
  const byName = new Map<string, ObjectId>();
  const unused = new Set<string>();
  for (const declared of file.objects) {
    const { name } = declared;
    if (around.names !== undefined) recordObject(declared, around.names);
    const library = libraryOf(declared.library, around.libraries, unused, report);
    if (byName.has(name.text)) report(name.span, `object '${name.text}' is declared twice`);
    if (around.declared.has(name.text)) {
      report(name.span, `'${name.text}' is a location, and cannot be an object too`);
    }
    if (library === undefined || byName.has(name.text)) continue;
    byName.set(name.text, objects.length);
    objects.push(new ObjectResolver(declared, library, around, report).resolve(objects.length));
  }
  return { objects, byName, unused };
}

function recordObject({ library, name, node, roles, span }: ObjectDecl, names: NameRecorder): void {
  names.useOutside(library, 'library');
  names.define(name, 'object', span, 'shared');
  if (node) names.use(node, ['node']);
  for (const { threads } of roles) threads.forEach((thread) => names.use(thread, ['thread']));
}

/** The library that a name is meant for; undefined after reporting. */
export function libraryOf(
  { text, span }: Ident,
  libraries: readonly Library[],
  unused: Set<string>,
  report: Report,
): Library | undefined {
  const found = libraries.find(({ name }) => name === text);
  if (found !== undefined || unused.has(text)) return found;
  unused.add(text);
  const guess = didYouMean(
    text,
    // A plain library has no objects, and is called without its name.
    libraries.flatMap(({ name, plain }) => (plain ? [] : [name])),
  );
  report(span, `library '${text}' is not used here`, guess ?? `write: uses ${text}`);
  return undefined;
}

/** Reports that a name which is used in another way is an object. */
export function reportObject(
  { objects, byName }: Objects,
  { text, span }: Ident,
  report: Report,
  called = '…',
): boolean {
  const object = byName.get(text);
  if (object === undefined) return false;
  const { library } = objects[object];
  const message = `'${text}' is an object of library ${library}`;
  report(span, message, `call an operation on it: ${library}.${called}(${text})`);
  return true;
}

class ObjectResolver {
  constructor(
    private readonly declared: ObjectDecl,
    private readonly library: Library,
    private readonly around: Around,
    private readonly report: Report,
  ) {}

  resolve(id: ObjectId): LibraryObject {
    const { name, span } = this.declared;
    const words = this.words();
    const cells = this.cells(id, words);
    return { name: name.text, library: this.library.name, cells, roles: this.roles(), words, span };
  }

  private words(): number | undefined {
    const { words, name, span } = this.declared;
    const { name: library, object } = this.library;
    if (object?.sized !== true) {
      if (words !== undefined) this.report(span, `objects of ${library} have no number of words`);
      return undefined;
    }
    if (words === undefined) {
      const { node } = this.declared;
      const on = node?.text ?? this.around.nodes[0] ?? '1';
      const hint = `write: ${library} ${name.text}${object.cells === 'one' ? ` on ${on}` : ''} of 2 words`;
      this.report(span, `of how many words is '${name.text}'?`, hint);
    } else if (words < 1 || words > WORDS) {
      this.report(span, `an object has 1 to ${WORDS} words, not ${words}`);
    }
    return words ?? 1;
  }

  /** Adds the cells of the object, and returns them by node. */
  private cells(object: ObjectId, words: number | undefined): Readonly<Record<string, LocationId>> {
    const { name, node, span } = this.declared;
    const { name: library, object: kind } = this.library;
    const { locations, nodes } = this.around;
    if (kind === undefined) {
      this.report(this.declared.library.span, `library ${library} has no objects`);
      return {};
    }
    if (node !== undefined && kind.cells !== 'one') {
      this.report(node.span, `objects of ${library} are on no node of their own`);
    } else if (node !== undefined) checkNode({ nodes }, node, this.report);
    if (kind.cells === 'one' && node === undefined) {
      const size = words === undefined ? '' : ` of ${words} words`;
      const hint = `write: ${library} ${name.text} on ${nodes[0] ?? 1}${size}`;
      this.report(span, `'${name.text}' is on no node`, hint);
    }
    const on = kind.cells === 'copies' ? nodes : kind.cells === 'one' ? [node?.text ?? '1'] : [];
    const initial = words === undefined ? 0 : (tupleCode(Array<number>(words).fill(0)) ?? 0);
    return Object.fromEntries(
      on.map((at) => {
        const called = kind.cells === 'one' ? name.text : `${name.text}[${at}]`;
        const cell = { name: called, node: at, initial, object, span };
        // A cell to which nothing was written has no value.
        const made = kind.empty ? { ...cell, initial: NONE, empty: true } : cell;
        return [at, locations.push(made) - 1];
      }),
    );
  }

  private roles(): LibraryObject['roles'] {
    const { roles, name } = this.declared;
    const { name: library, roles: known } = this.library;
    for (const { role } of roles) {
      if (known.some((one) => one.name === role.text)) continue;
      const names = known.map((one) => one.name);
      const hint =
        didYouMean(role.text, names) ??
        (names.length > 0 ? `there is ${names.join(', ')}` : undefined);
      this.report(role.span, `library ${library} has no role '${role.text}'`, hint);
    }
    const missing = known.filter((one) => !roles.some(({ role }) => role.text === one.name));
    // A misspelt role would also be reported as missing.
    const misspelt = roles.some(({ role }) => !known.some((one) => one.name === role.text));
    if (missing.length > 0 && !misspelt) {
      const without = missing.map((role) => role.name).join(' and no ');
      this.report(name.span, `'${name.text}' has no ${without}`, this.rolesHint());
    }
    return Object.fromEntries(
      known.map(({ name: role, many }) => {
        const given = roles.filter((one) => one.role.text === role);
        for (const { role: again } of given.slice(1)) {
          this.report(again.span, `'${role}' is given twice`);
        }
        return [role, given.length === 0 ? [] : this.threads(given[0], many)];
      }),
    );
  }

  /** The hint: a declaration of the object with all roles. */
  private rolesHint(): string {
    const { roles, name } = this.declared;
    const all = this.library.roles.map((role) => {
      const given = roles.find((one) => one.role.text === role.name)?.threads ?? [];
      const threads = given.map(({ text }) => text).join(', ');
      return `${role.name} ${threads === '' ? (this.around.threads[0] ?? 'T1') : threads}`;
    });
    return `write: ${this.library.name} ${name.text} (${all.join('; ')})`;
  }

  private threads({ role, threads }: RoleDecl, many: boolean): readonly number[] {
    const { threads: names } = this.around;
    const found: number[] = [];
    for (const { text, span } of threads) {
      const index = names.indexOf(text);
      if (index < 0) {
        const hint = () => didYouMean(text, names) ?? `there are ${names.join(', ')}`;
        this.report(span, `unknown thread '${text}'`, hint);
      } else if (found.includes(index)) this.report(span, `${text} is named twice`);
      else found.push(index);
    }
    if (!many && threads.length > 1) {
      this.report(role.span, `'${role.text}' is one thread, not ${threads.length}`);
    }
    return found;
  }
}
