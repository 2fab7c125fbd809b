// What is measured, as bench/results.json keeps it.
import type { FamilyAgainst } from './against.js';
import type { BesideSpin } from './beside-spin.js';
import type { BySize } from './by-size.js';
import type { CommandTime } from './commands.js';
import type { FileAnswers } from './editor.js';
import type { Goals } from './goals.js';
import type { FamilyGrowth } from './growth.js';
import type { LargeLock } from './large-locks.js';
import type { LibraryTimes } from './libraries.js';
import type { FormatProofs } from './proofs.js';
import type { Robust } from './robust.js';
import type { SiteFound } from './site-run.js';
import type { FamilySizes } from './sizes.js';
import type { Stages } from './stages.js';

/** All parts. */
export interface Parts {
  readonly commands: readonly CommandTime[];
  readonly c: readonly CommandTime[];
  readonly bySize: BySize;
  readonly stages: Stages;
  readonly goals: Goals;
  readonly robust: Robust;
  readonly sizes: readonly FamilySizes[];
  readonly locks: readonly LargeLock[];
  readonly spin: BesideSpin;
  readonly libraries: LibraryTimes;
  readonly proofs: readonly FormatProofs[];
  readonly editor: readonly FileAnswers[];
  readonly site: SiteFound;
  readonly growth: readonly FamilyGrowth[];
  readonly against: readonly FamilyAgainst[];
}

export type PartName = keyof Parts;

/** When and where a part was measured, and how often. */
interface Stamp {
  readonly machine: string;
  readonly date: string;
  readonly runs: number;
}

/** The parts that were measured, some of them earlier than others. */
export interface Results extends Partial<Parts> {
  readonly node: string;
  readonly z3: string;
  readonly measured: Readonly<Partial<Record<PartName, Stamp>>>;
}
