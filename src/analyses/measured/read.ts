/** Reads what the programs of `remora emit` write (docs/cards.md): what a card showed. */
import type { Result, SourceFile, Span } from '../../parse/diagnostics/index.js';
import { fail, ok, position } from '../../parse/diagnostics/index.js';
import type { JsonObject, JsonString, PlacedJson } from '../../parse/json.js';
import { placeInString, readJsonLine } from '../../parse/json.js';
import { LENGTH } from '../../parse/values.js';
import type { FinalState } from '../../program/final.js';
import { stateKey } from '../../program/final.js';
import type { Test } from '../../program/program.js';
import { observedSubjects, subjectName } from '../../program/subjects.js';

/** The first line: a card, the machine that it is in, and how tests ran on it. */
export interface Card {
  readonly card: string;
  readonly vendor: number;
  readonly part: number;
  readonly firmware: string;
  readonly driver: string;
  readonly cpu: string;
  readonly link: string;
  /** 1: all nodes in one process, on one card. */
  readonly processes: number;
  /** All memory is registered with relaxed ordering, but what is strict. */
  readonly relaxed: boolean;
  readonly pinned: boolean;
  readonly rounds: number;
  readonly seed: number;
}

/** What was seen of one test. */
export interface TestResults {
  readonly test: Test;
  /** Its text. */
  readonly program: string;
  /** The rounds that were counted, and those that were not. */
  readonly rounds: number;
  readonly dropped: number;
  /** Why the card cannot run it. */
  readonly leftOut?: string;
  readonly seen: readonly SeenState[];
}

export interface SeenState {
  readonly state: FinalState;
  readonly times: number;
}

export interface Results {
  readonly file: string;
  readonly card: Card;
  readonly tests: readonly TestResults[];
}

/** The format that is read. */
const FORMAT = '1';

/** Ends the reading at a mistake. */
class Mistake extends Error {
  constructor(
    readonly span: Span,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/**
 * The results in a file, or the first mistake in it. What is cut off is a mistake, since what is missing may be what matters.
 *
 * @param readProgram reads the text of a program; the name is that of the file
 */
export function readResults(
  source: SourceFile,
  readProgram: (text: string, file: string) => Result<Test>,
): Result<Results> {
  try {
    return ok(new ResultsReader(source, readProgram).read());
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const { span, message, hint } = error;
    return fail([{ span, message, hint }]);
  }
}

class ResultsReader {
  private at = 0;

  constructor(
    private readonly source: SourceFile,
    private readonly readProgram: (text: string, file: string) => Result<Test>,
  ) {}

  read(): Results {
    const card = this.card();
    const tests: TestResults[] = [];
    for (;;) {
      const line = this.line();
      if (line.fields.has('tests')) {
        this.end(line, tests.length);
        return { file: this.source.path, card, tests };
      }
      if (!line.fields.has('test')) {
        const message = line.fields.has('remora')
          ? 'a second card: a file has the results of one'
          : 'this is no line of results: a line about a test should stand here';
        this.refuse(line, message);
      }
      tests.push(this.test(line));
    }
  }

  private card(): Card {
    const line = this.first();
    const format = line.fields.get('remora');
    const [, version] = /^results (\d+)$/.exec(format?.kind === 'string' ? format.value : '') ?? [];
    if (format === undefined || version === undefined) this.refuse(format ?? line, NO_RESULTS);
    if (version !== FORMAT) {
      const message = `results in format ${version}, and this version of Remora reads format ${FORMAT}`;
      this.refuse(format, message);
    }
    return {
      card: this.text(line, 'card').value,
      vendor: this.count(line, 'vendor'),
      part: this.count(line, 'part'),
      firmware: this.text(line, 'firmware').value,
      driver: this.text(line, 'driver').value,
      cpu: this.text(line, 'cpu').value,
      link: this.text(line, 'link').value,
      processes: this.count(line, 'processes'),
      relaxed: this.truth(line, 'relaxed'),
      pinned: this.truth(line, 'pinned'),
      rounds: this.count(line, 'rounds'),
      seed: this.count(line, 'seed'),
    };
  }

  /** The first line; whatever is none is a file of something else. */
  private first(): JsonObject {
    const { text, path: file } = this.source;
    const end = this.endOfLine();
    const value = readJsonLine(text, file, 0, end);
    if (value.ok && value.value.kind === 'object') {
      this.at = end + 1;
      return value.value;
    }
    const isBegun = text.startsWith('{"remora":"results ') && end === text.length;
    return isBegun ? this.cut() : this.refuse({ start: 0, end }, NO_RESULTS);
  }

  private test(line: JsonObject): TestResults {
    const all = this.count(line, 'rounds');
    const dropped = this.count(line, 'dropped');
    if (dropped > all) this.refuse(line.fields.get('dropped')!, 'there were not so many rounds');
    const program = this.text(line, 'program');
    const test = this.program(program);
    const leftOut = line.fields.has('leftOut') ? this.text(line, 'leftOut').value : undefined;
    const seen = this.states(test);
    const rounds = all - dropped;
    const counted = seen.reduce((sum, { times }) => sum + times, 0);
    if (counted !== rounds) {
      const message = `${rounds} rounds were counted, and the final states below are ${counted}`;
      this.refuse(line.fields.get('rounds')!, message);
    }
    if (leftOut !== undefined && all > 0) {
      this.refuse(line.fields.get('leftOut')!, 'this test is left out, and has rounds');
    }
    return { test, program: program.value, rounds, dropped, leftOut, seen };
  }

  private program(text: JsonString): Test {
    const read = this.readProgram(text.value, this.source.path);
    if (!read.ok) {
      const [{ span, message, hint }] = read.errors;
      const { line, column } = position(text.value, span.start);
      const inside = (offset: number): number =>
        placeInString(this.source.text, text, Math.min(offset, text.value.length));
      const place = { start: inside(span.start), end: inside(Math.max(span.end, span.start + 1)) };
      this.refuse(place, `line ${line}, column ${column} of this program: ${message}`, hint);
    }
    if (read.value.models !== undefined) {
      this.refuse(text, 'this program is a client of libraries, and these run on no card');
    }
    return read.value;
  }

  /** The lines with the final states of a test. */
  private states(test: Test): readonly SeenState[] {
    const names = observedSubjects(test).map(
      (s) => [subjectName(test.program, s, true), subjectName(test.program, s)] as const,
    );
    const found: SeenState[] = [];
    const known = new Set<string>();
    for (;;) {
      const before = this.at;
      const line = this.line();
      const seen = line.fields.get('seen');
      if (seen === undefined) {
        this.at = before;
        return found;
      }
      if (seen.kind !== 'object') this.refuse(seen, 'here a final state should stand');
      const state = this.state(seen, names);
      const key = stateKey(state);
      if (known.has(key)) this.refuse(seen, 'this final state is there twice');
      known.add(key);
      const times = this.count(line, 'times');
      if (times === 0)
        this.refuse(line.fields.get('times')!, 'what was seen was seen at least once');
      found.push({ state, times });
    }
  }

  private state(
    seen: JsonObject,
    names: readonly (readonly [qualified: string, name: string])[],
  ): FinalState {
    const strange = [...seen.fields].find(([name]) => !names.some(([known]) => known === name));
    if (strange !== undefined) {
      this.refuse(strange[1], `the program asks for no value of ${strange[0]}`);
    }
    return Object.fromEntries(
      names.map(([qualified, name]) => {
        const value = this.field(seen, qualified);
        const isNumber = value.kind === 'number' && Number.isInteger(value.value);
        if (!isNumber) return this.refuse(value, 'here an integer should stand');
        if (Math.abs(value.value) >= LENGTH) this.refuse(value, 'this number is too large');
        return [name, value.value];
      }),
    );
  }

  private end(line: JsonObject, tests: number): void {
    const said = this.count(line, 'tests');
    if (said !== tests) {
      const message = `the last line says that there are ${said} tests, and there are ${tests}`;
      this.refuse(line.fields.get('tests')!, message);
    }
    const { text } = this.source;
    const rest = text.slice(this.at).search(/\S/);
    if (rest >= 0) {
      const start = this.at + rest;
      this.refuse({ start, end: start + 1 }, 'nothing can stand here, behind the last line');
    }
  }

  /** The next line. */
  private line(): JsonObject {
    const { text, path: file } = this.source;
    if (this.at >= text.length) this.cut();
    const end = this.endOfLine();
    const value = readJsonLine(text, file, this.at, end);
    if (!value.ok && end === text.length) this.cut();
    if (!value.ok) {
      const [{ span, message }] = value.errors;
      return this.refuse(span, message);
    }
    if (value.value.kind !== 'object') this.refuse(value.value, 'this is no line of results');
    this.at = end + 1;
    return value.value;
  }

  private endOfLine(): number {
    const end = this.source.text.indexOf('\n', this.at);
    return end < 0 ? this.source.text.length : end;
  }

  private cut(): never {
    const end = this.source.text.trimEnd().length;
    const message = 'cut off: the last line, with the number of tests, is missing';
    const hint = 'nothing of this file is counted';
    return this.refuse({ start: Math.max(0, end - 1), end }, message, hint);
  }

  private field(line: JsonObject, name: string): PlacedJson {
    const value = line.fields.get(name);
    return value ?? this.refuse(line, `"${name}" is missing here`);
  }

  private text(line: JsonObject, name: string): JsonString {
    const value = this.field(line, name);
    return value.kind === 'string' ? value : this.refuse(value, 'here a text should stand');
  }

  private truth(line: JsonObject, name: string): boolean {
    const value = this.field(line, name);
    if (value.kind === 'word' && value.value !== null) return value.value;
    return this.refuse(value, 'here true or false should stand');
  }

  private count(line: JsonObject, name: string): number {
    const value = this.field(line, name);
    const isCount = value.kind === 'number' && Number.isInteger(value.value) && value.value >= 0;
    if (!isCount) return this.refuse(value, 'here a whole number should stand, from 0');
    if (!Number.isSafeInteger(value.value)) this.refuse(value, 'this number is too large');
    return value.value;
  }

  private refuse(
    { start, end }: { readonly start: number; readonly end: number },
    message: string,
    hint?: string,
  ): never {
    throw new Mistake({ file: this.source.path, start, end }, message, hint);
  }
}

const NO_RESULTS =
  'no results of a card: the first line should begin with {"remora":"results 1", as programs of remora emit write it';
