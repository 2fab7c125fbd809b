import type { Edit } from '../../c/edit/insert.js';
import { edited, insertion } from '../../c/edit/insert.js';
import type { Place } from '../../c/edit/places.js';
import { offsetOf } from '../../c/edit/places.js';
import type { CSource } from '../../c/edit/source.js';
import type { Result } from '../../parse/diagnostics/index.js';
import type { Instruction, Program } from '../../program/program.js';
import type { Added } from './changes.js';
import { addedTo } from './changes.js';

/** A place of the program. */
export type Where = Pick<Added, 'thread' | 'place'>;

/** What reads a text as the program that it is, or says why it is none. */
export type ReadProgram = (text: string) => Result<Program>;

/** A fence of the CPU in C. */
export const FENCE = 'atomic_thread_fence(memory_order_seq_cst);';

/** Reads a C file with changes, to find out what they do. */
export class Probe {
  /** Why the last text was refused that was tried. */
  refused: string | undefined;
  private readonly effects = new Map<string, readonly Where[]>();

  constructor(
    readonly source: CSource,
    readonly program: Program,
    private readonly read: ReadProgram,
  ) {}

  /** The program with some edits; undefined: the file is none. */
  after(edits: readonly Edit[]): Program | undefined {
    const made = edited(this.source.text, edits);
    const read = made && this.read(made.text);
    if (read?.ok === false) this.refused = read.errors[0].message;
    return read?.ok === true ? read.value : undefined;
  }

  /** Which places of the program are at one of the C: a fence there is tried. */
  effectOf(place: Place): readonly Where[] {
    const at = `${offsetOf(place)} ${place.before === undefined}`;
    const known = this.effects.get(at);
    if (known !== undefined) return known;
    const edits = insertion(this.source, place, [FENCE]);
    const made = edited(this.source.text, edits);
    const after = this.after(edits);
    const ranges = [...(made?.ranges.values() ?? [])];
    const isProbe = ({ span: { start } }: Instruction): boolean =>
      ranges.some(([from, to]) => start >= from && start < to);
    const found = (after && addedTo(this.program, after, isProbe)) ?? [];
    this.effects.set(at, found);
    return found;
  }
}
