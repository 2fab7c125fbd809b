/** Names that models written for herd7 or Dartagnan use: where they are defined here, or what is in their place. */

/** The files of `models/` and of its fabrics that are there to be included, with the names that hints tell of. */
export const PRELUDES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'herd.cat':
      'emptyset M FW po-loc rfe rfi coe coi fr fre fri co0 ca A Q L DMB DSB rmw amo fencerel MFENCE LFENCE ' +
      'SFENCE mfence lfence sfence toid noid imply nodetour singlestep',
    'filters.cat': 'A RR RW RM WR WW WM MR MW MM AA AP PA PP AM MA invrf atom',
    'instructions.cat':
      'lR lW CAS FAA XCHG F P WT nlR nrW nrR nlW nF relaxed strict literal inline nfo pf wf ' +
      'lRA lRQ lWL Fld Fst D Dld Dst ISB Frel Fsc a l al seq_cst locked sy ld st release ish osh PW nC nE nZ PE PZ broken PX atomicwrite unsignalled inorder fallible gpu nearA nearB farA farB',
    'messages.cat': 'PR RP nS nI nRV nRW nRC imm arrival rpost rtake msg pfr nfo',
    'rmw.cat':
      'nAR by-post rmw atomic resp rao completes entries polled-by post cqo take pfs told pf wf contract',
    'rdma.cat':
      'filled nrW nW rb fr qpo received flushed raw issr ippo oppo brought arrived came-in',
    'cpu/x86.cat': 'cpu-issued cpu-observed posted Buffered rfb rbb',
    'rdma-tso-base.cat': 'Inst',
    'rdma-tso-orders.cat': 'pf issued observed',
    'failures.cat': 'behind misread',
    'gb.cat': 'imm guaranteed buffered gb gb_tso',
    // No hint leads to these for `ib` and `ob`: other models have names that are spelt so.
    'rdma-axioms.cat': '',
    'manpage-orders.cat': '',
    'nics-base.cat': '',
    'relaxed.cat': '',
    'cos.cat': '',
    'stdlib.cat': '',
    'x86fences.cat': 'A',
  }).map(([file, names]) => [file, names.split(' ').filter((name) => name !== '')]),
);

/** Names without an equal here, and what to know of each. */
const ELSEWHERE: readonly (readonly [names: string, hint: string])[] = [
  [
    'dep addrdep datadep ctrldep idd addrDirect ctrlDirect ctrlcfence ctrlisync ctrlisb',
    "dependencies between instructions are 'data', 'addr' and 'ctrl' here",
  ],
  ['sb', "'sb' is 'po' here"],
  ['I', "the initial writes are 'IW' here"],
  ['RMW', "'CAS | FAA | XCHG' here: an atomic access of a CPU reads and writes in one event"],
  [
    'lxsx casdep',
    'there are no loads and stores in pairs; \'rmw\' is in herd.cat: include "herd.cat"',
  ],
  ['ppo com hb ghb prop obs', 'each model defines this for itself: no file to include has it'],
  [
    'Once Acquire Release Noreturn',
    "operations have these tags in capitals, 'ONCE, as newer versions of linux-kernel.bell do",
  ],
  ['B BR BRANCH', 'branches are no events here'],
  ['X ACQ REL RLX ACQ_REL Acq Rel AcqRel', 'accesses have no annotations here'],
  [
    'fence mb rmb wmb Mb Rmb Wmb dmb dsb isb sync lwsync eieio isync ISYNC SYNC LWSYNC',
    "fences are 'F', and those of Arm 'Fld', 'Fst' and 'ISB'; herd.cat has 'mfence' and 'DMB': include \"herd.cat\"",
  ],
  ['lock unlock', 'locks are no events here: a program takes one with CAS'],
  ['LKR LKW UL LF', 'these are events of the kernel\'s locks, in herd.cat: include "herd.cat"'],
  [
    'fold',
    'a function that goes through a set is `let rec f S = match S with || {} -> … || e ++ es -> … end`',
  ],
  [
    'partition linearisations map cross',
    'functions over sets of sets are in herd.cat: include "herd.cat"',
  ],
  [
    'tag2events tag2instrs tag2scope tag2level',
    'a tag is declared, `tag NAME on location`, and is the set of its events',
  ],
  [
    'si sm iico_data iico_ctrl iico_order rf-reg',
    'events inside of one instruction are not related here',
  ],
];

const HINTS: ReadonlyMap<string, string> = new Map([
  ...ELSEWHERE.flatMap(([names, hint]) => names.split(' ').map((name) => [name, hint] as const)),
  ...definedIn(),
]);

/** A hint for each name of the files to be included: there may be two that define it. */
function definedIn(): ReadonlyMap<string, string> {
  const hints = new Map<string, string>();
  for (const [file, names] of PRELUDES) {
    for (const name of names) {
      const earlier = hints.get(name);
      const here = `'${name}' is in ${file}: include "${file}"`;
      hints.set(name, earlier === undefined ? here : `${earlier}; or in ${file}`);
    }
  }
  return hints;
}

/** What a name that a model does not define may be: never another name that is only spelt alike. */
export const herdHint = (name: string): string | undefined => HINTS.get(name);

/** What herd7's standard library defines, in terms of what there is here. */
export const HERD_LIBRARY = 'herd.cat';
/** Its atomics. */
export const HERD_ATOMICS = 'herd/atomics.cat';

/** Files of herd7's library that are always ours, also where there is one beside the model. */
export const OURS: ReadonlySet<string> = new Set([
  'cross.cat',
  'ncross.cat',
  'stdlib.cat',
  'x86fences.cat',
  'aarch64deps.cat',
  'aarch64bbm.cat',
]);

/** Is a file one of herd7's library? A model that includes such a file is written for herd7. */
export const isHerdFile = (file: string): boolean =>
  /^(n?cos|n?cross|stdlib|filters|lock|.*fences|.*-defs|cos-.*|cosllh)\.cat$/.test(file);

/** herd7's own files for CPUs that Remora knows nothing of. */
const HERD_FILES = /^(.*fences|n?coscat|ncos|cos-.*|.*deps.*|.*-defs|c11_.*)\.cat$/;

/** A hint for a file of herd7's library that Remora does not have. */
export const herdFileHint = (file: string): string | undefined =>
  HERD_FILES.test(file)
    ? "it is in herd7's library: put the model beside the files that it includes, or say -I FOLDER"
    : undefined;
