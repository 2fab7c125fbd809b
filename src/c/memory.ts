import type { Statement } from '../parse/litmus-ast.js';
import { isLoad } from './accesses.js';
import { isTrue, namesIn } from './arithmetic.js';
import { int } from './calls.js';
import { isKept, keepCopies } from './copies.js';
import { cut, isTooWide, limitsOf } from './cuts.js';
import { ZEROED, forgetIn, isPart, keepIn, knownIn, overwritten, prefixesOf } from './known.js';
import { bitsIn, converted, fits, isKnown } from './numbers.js';
import { keyOfPath } from './paths.js';
import { ANY } from './ranges.js';
import type { Place, Region, Typed, Value } from './state.js';
import type { At, CNode } from './tree.js';
import type { Type } from './types.js';
import { UNKNOWN } from './types.js';
import { Ways } from './ways.js';

/** What variables and words hold: reads and writes of places. */
export abstract class Memory extends Ways {
  /** What the head says of a path. */
  abstract boundTo(text: string): Value | undefined;
  /** What it says of the address of a path. */
  abstract boundAt(text: string): Value | undefined;
  /** The other members of a union, by the key of each of them. */
  protected readonly besides = new Map<string, readonly string[]>();

  read(place: Place, node: CNode): Typed {
    const { type } = place;
    switch (place.kind) {
      case 'word': {
        const { region, offset } = place;
        if (type.kind === 'array') return { value: { kind: 'address', region, offset }, type };
        if (type.kind === 'struct')
          return this.refuse(node, 'a whole structure is not read from memory at once');
        const expr = this.refExpr(this.wordIn(place, node), node);
        const isCut = type.kind === 'int' && type.isBool !== true;
        const held = isCut ? cut(expr, type) : expr;
        return { value: { kind: 'runtime', expr: held, reads: true }, type };
      }
      case 'variable': {
        if (type.kind === 'struct' || type.kind === 'array')
          return { value: { kind: 'parts', key: place.key }, type };
        this.mustBeLast(place.key, node);
        const value = this.partAt(place.key);
        this.mustBeKnown(value, node);
        if (value !== undefined) return { value, type };
        return this.refuse(node, `${node.text} is read, and nothing was written to it`);
      }
      case 'path': {
        const key = keyOfPath(place.text);
        const written = knownIn(this.state.values, key);
        this.mustBeKnown(written, node);
        if (written?.kind === 'int' && type.kind === 'struct') {
          return { value: { kind: 'parts', key }, type };
        }
        if (written !== undefined) return { value: written, type };
        const bound = this.boundTo(place.text);
        if (bound === undefined) this.mustBePlaced(place, node);
        return { value: bound ?? { kind: 'path', text: place.text }, type };
      }
    }
  }

  /** What ways that have met do not agree on is known on each of them alone. */
  mustBeKnown(value: Value | undefined, node: At): void {
    if (value?.kind !== 'nothing' || value.isForgotten !== true) return;
    this.refuse(node, 'what this is depends on the way that leads here');
  }

  write(place: Place, written: Value, node: At): void {
    const given = this.fitted(written, place.type, node);
    if (given.kind === 'path' && given.made !== undefined && this.christen(place, given.made))
      return;
    switch (place.kind) {
      case 'word':
        return this.assign(this.wordIn(place, node), this.exprOf(given, node), node);
      case 'variable':
        if (place.key.startsWith('global ')) this.noteChanged(place.key.slice('global '.length));
        this.overwrite(place.key);
        return this.store(place.key, given, node);
      case 'path':
        this.mustBePlaced(place, node);
        this.noteChanged(place.text);
        keepIn(this.state.values, keyOfPath(place.text), this.settled(given, node));
    }
  }

  /** Notes which members of unions are no more what was written to them. */
  private overwrite(key: string): void {
    const { values } = this.state;
    for (const one of prefixesOf(key)) {
      const besides = this.besides.get(one) ?? [];
      if (besides.length > 0) values.delete(overwritten(one));
      for (const other of besides) values.set(overwritten(other), int(1));
    }
  }

  private mustBeLast(key: string, node: CNode): void {
    if (!prefixesOf(key).some((one) => this.state.values.has(overwritten(one)))) return;
    const message = `${node.text} is read, and another member of its union was written last`;
    this.refuse(node, message, 'read the member that was written');
  }

  /** What is known of a place is kept by this; of a word, nothing is. */
  keyOf(place: Place): string | undefined {
    return place.kind === 'word'
      ? undefined
      : place.kind === 'path'
        ? keyOfPath(place.text)
        : place.key;
  }

  /** A value as a variable has it. A number has to fit: one that loses bits is seldom meant. */
  fitted(given: Value, type: Type, node: At): Value {
    if (isKnown(given) && !fits(given, type)) {
      const text = given.kind === 'int' ? given.value : given.digits;
      const size = type.kind === 'int' ? bitsIn(type) : 64;
      this.refuse(node, `${text} does not fit into ${size} bits`);
    }
    if (given.kind === 'runtime' && type.kind === 'int' && isTooWide(type)) {
      const range = limitsOf(type) ?? ANY;
      this.promise(given.expr, range, `this fits into ${bitsIn(type)} bits`, node);
    }
    return this.asType(given, type);
  }

  /** What a type makes of a value. */
  asType(given: Value, type: Type): Value {
    // Numbers with fractions are not computed: nobody knows them.
    if (type.kind === 'unknown' && type.isFloat && (isKnown(given) || given.kind === 'runtime')) {
      return { kind: 'path', text: 'a number with a fraction', isNew: true };
    }
    if (isKnown(given)) return converted(given, type);
    // An array is a pointer to its first element wherever one is expected.
    if (given.kind === 'parts' && (type.kind === 'pointer' || type.kind === 'int')) {
      return { kind: 'pointer', key: `${given.key}[0]` };
    }
    if (given.kind !== 'runtime' || type.kind !== 'int') return given;
    return { ...given, expr: type.isBool === true ? isTrue(given.expr) : cut(given.expr, type) };
  }

  /** Something new is called as the place that it is put into: one that the head can name. */
  private christen(place: Place, fields: Readonly<Record<string, Value>>): boolean {
    if (place.kind === 'word') return false;
    const { values } = this.state;
    let text: string;
    if (place.kind === 'path') ({ text } = place);
    else {
      const [, name] = /^(?:0:|global )(.*)$/.exec(place.key) ?? [];
      if (name === undefined) return false;
      text = name.replace(/#\d+/, '');
    }
    this.forget(this.keyOf(place)!);
    if (place.kind === 'variable') values.set(place.key, { kind: 'path', text });
    for (const [field, value] of Object.entries(fields)) {
      values.set(keyOfPath(`${text}->${field}`), value);
    }
    return true;
  }

  private noteChanged(text: string): void {
    const [name] = /[A-Za-z_]\w*/.exec(text) ?? [];
    if (name !== undefined) this.changed.add(name);
  }

  /** What is known of a variable, or of a part of one. Undefined: nothing was written to it. */
  partAt(key: string): Value | undefined {
    const { values } = this.state;
    const isThere = (one: string): boolean => isPart(one, key) && !one.endsWith(ZEROED);
    if (!values.has(key) && [...values.keys()].some(isThere)) return { kind: 'parts', key };
    return knownIn(values, key);
  }

  /** Forgets a variable with all of its parts. */
  protected forget(key: string): void {
    forgetIn(this.state.values, key);
  }

  /** A variable with all of its parts is zero. */
  zero(key: string): void {
    this.forget(key);
    this.state.values.set(`${key}${ZEROED}`, int(0));
  }

  /** What is computed when the program runs goes to a register, and so does what a query asks for. */
  protected store(key: string, given: Value, node: At): void {
    const { values } = this.state;
    const isKnown = given.kind !== 'runtime';
    if (!isKnown || (given.kind === 'int' && this.isObserved(key))) {
      const register = this.registerOf(key);
      const load = this.loadOf(given);
      keepCopies(this, register, key, this, node);
      if (load === undefined) this.assign(register, this.exprOf(given, node), node);
      else this.out.push({ ...load, target: this.refTo(register, node) });
      if (!isKnown) {
        const expr = this.refExpr(register, node);
        return keepIn(values, key, { kind: 'runtime', expr, reads: false });
      }
    }
    keepIn(values, key, given);
  }

  /** Takes back the call that has just read a value, if nothing else has that: it can read into the register at once. */
  private loadOf(given: Value): Extract<Statement, { kind: 'call' }> | undefined {
    const last = this.out.at(-1);
    if (last?.kind !== 'call' || last.target === undefined || !isLoad(last)) return undefined;
    const { text } = last.target.name;
    const isIt = given.kind === 'runtime' && given.expr.kind === 'ref';
    if (!isIt || namesIn(given.expr)[0] !== text || isKept(this.state, text)) return undefined;
    this.out.pop();
    return last;
  }

  /** The word of a region at an offset, which the thread's CPU can access. */
  wordIn({ region, offset, type }: Place & { kind: 'word' }, node: At): string {
    const [{ location: name, size = 0 }] = this.wordsIn(region, offset, 1, node);
    if (type.kind === 'int' && type.size < size) {
      this.remark('assumed', `this part of ${name} is all of it`, node);
    }
    const own = this.thread.node.text;
    if (region.node !== undefined && region.node !== own) {
      this.refuse(node, `${name} is on node ${region.node}, and this thread on ${own}`);
    }
    return name;
  }

  /** The words that begin within so many bytes. There is one at the first of them. */
  wordsIn({ places }: Region, offset: number, length: number, node: At): Region['places'] {
    const inside = places.filter(({ at }) => at >= offset && at < offset + Math.max(length, 1));
    if (inside.length > 0 && inside[0].at === offset) return inside;
    const names = places.map(({ location, at }) => `${location} at ${at}`).join(', ');
    return this.refuse(node, `no word begins ${offset} bytes from there: there is ${names}`);
  }

  /** What a pointer to numbers leads to is memory, of which the head says where it is. */
  private mustBePlaced(place: Extract<Place, { kind: 'path' }>, node: At): void {
    const { text, type, isInside } = place;
    if (isInside === true || type.kind !== 'int') return;
    const [, pointer, index = 0] = /^\*(.*)$/.exec(text) ?? /^(.*)\[(\d+)\]$/.exec(text) ?? [];
    const offset = Number(index) * type.size;
    if (pointer !== undefined) this.unplaced(offset ? `${pointer} + ${offset}` : pointer, node);
  }
}

export const pointed = (type: Type): Type =>
  type.kind === 'pointer' ? type.to : type.kind === 'array' ? type.of : UNKNOWN;
