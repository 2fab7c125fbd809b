import type { Change } from './mutant.js';
import { filesOf, shippedText } from './text.js';

/**
 * Mutants of what the instructions of RDMA programs are: the events of operations, the order and the guards of
 * these events, and what is guessed. They change instructions.cat, on which every model rests, and what messages.cat
 * and rmw.cat add to it and say again.
 */

type Declared = readonly [name: string, what: string, from: string, to: string];

const PUT = 'nlR reads x as v ; nrW writes y := v';
const GET = 'nrR reads y as v ; nlW writes x := v';
const NFO = 'guess nfo : either (nlR * nlW | nrR * nrW) & sqp';
const PF = 'guess pf : kth polled-by \\ shared to kth P \\ shared in sqp';
const WF = 'let wf = po & wid & ((completes \\ unsignalled) * WT)';
const FAILED = 'F ; lR reads x as v when v != old';
const SWAP = 'CAS reads x as v writes x := new when v = old';
const FAA = 'FAA reads x as v writes x := v + e';
const XCHG = 'XCHG reads x as v writes x := e';
const COMPLETES = 'let completes = nlW | (nrW \\ range(rmw)) | nS';
const RAO = 'guess rao : either (nAR * nAR) & sn \\ id';
const RMW = 'let rmw = same & (nAR * nrW)';
const PERFORMS = 'nAR reads x as v ; nlW writes a := v ; ';
const RCAS = `${PERFORMS}if v = old { nrW writes x := new }`;
const RFAA = `${PERFORMS}nrW writes x := v + e`;
const RXCHG = `${PERFORMS}nrW writes x := e`;

/** The parts of an atomic, `body`, beside each other; and with the response last. */
const beside = (body: string): string => body.replace(' ;', ' ,').replace(' ;', ' ,');
function answeredLast(body: string): string {
  const [read, response, write] = body.split(' ; ');
  return `${read} ; ${write} ; ${response}`;
}

/** Remote atomics, and those of CPUs. */
const ATOMIC: readonly Declared[] = [
  ['rcas-unordered', 'the parts of an rcas in no order', RCAS, beside(RCAS)],
  ['rcas-answers-last', 'the response of an rcas after its write', RCAS, answeredLast(RCAS)],
  [
    'rcas-succeeds-wrongly',
    'an rcas writes where it fails',
    RCAS,
    RCAS.replace('v = old', 'v != old'),
  ],
  [
    'rcas-always',
    'an rcas writes the new value where it fails, too',
    RCAS,
    `${PERFORMS}nrW writes x := new`,
  ],
  ['rcas-writes-old', 'an rcas writes what it read', RCAS, RCAS.replace(':= new', ':= v')],
  ['rcas-never', 'an rcas writes nothing', RCAS, PERFORMS.slice(0, -3)],
  [
    'rcas-answers-new',
    'an rcas answers with the new value',
    RCAS,
    RCAS.replace('a := v', 'a := new'),
  ],
  ['rfaa-unordered', 'the parts of an rfaa in no order', RFAA, beside(RFAA)],
  ['rfaa-answers-last', 'the response of an rfaa after its write', RFAA, answeredLast(RFAA)],
  ['rfaa-swaps', 'an rfaa writes its operand', RFAA, RFAA.replace('v + e', 'e')],
  ['rfaa-writes-old', 'an rfaa writes what it read', RFAA, RFAA.replace('v + e', 'v')],
  ['rfaa-answers-sum', 'an rfaa answers with the sum', RFAA, RFAA.replace('a := v', 'a := v + e')],
  ['rxchg-unordered', 'the parts of an rxchg in no order', RXCHG, beside(RXCHG)],
  ['rxchg-answers-last', 'the response of an rxchg after its write', RXCHG, answeredLast(RXCHG)],
  ['rxchg-adds', 'an rxchg adds its operand', RXCHG, RFAA],
  ['rxchg-writes-old', 'an rxchg writes what it read', RXCHG, RXCHG.replace(':= e', ':= v')],
  [
    'rxchg-answers-new',
    'an rxchg answers with the new value',
    RXCHG,
    RXCHG.replace('a := v', 'a := e'),
  ],
  [
    'atomics-off-queue-pair',
    'the read part of an atomic is on no queue pair',
    'event nAR by nic on qp',
    'event nAR by nic',
  ],
  [
    'completes-parts',
    'the write part of an atomic completes, too',
    COMPLETES,
    'let completes = nlW | nrW | nS',
  ],
  [
    'completes-writes',
    'an atomic completes by its write part',
    COMPLETES,
    'let completes = (nlW \\ range(resp)) | nrW | nS',
  ],
  [
    'completes-no-atomics',
    'an atomic has no completion',
    COMPLETES,
    'let completes = (nlW \\ range(resp)) | (nrW \\ range(rmw)) | nS',
  ],
  ['rao-of-all', 'one atomic unit for all nodes', RAO, RAO.replace(' & sn', '')],
  ['rao-of-location', 'an atomic unit for each location', RAO, RAO.replace('sn', 'loc')],
  ['rao-of-thread', 'an atomic unit for each thread', RAO, RAO.replace('sn', 'sn & sthd')],
  ['rao-of-others', 'no rao within a thread', RAO, RAO.replace('sn', 'sn \\ sthd')],
  ['rao-of-queue-pair', 'an atomic unit for each queue pair', RAO, RAO.replace('sn', 'sn & sqp')],
  [
    'rmw-of-later',
    'every later write of a queue pair as a write part',
    RMW,
    RMW.replace('same', 'po & sqp'),
  ],
  ['rmw-none', 'nothing is a write part', RMW, 'let rmw = 0 & (nAR * nrW)'],
  ['faa-swaps', 'faa writes its operand', FAA, FAA.replace('v + e', 'e')],
  ['faa-writes-old', 'faa writes what it read', FAA, FAA.replace('v + e', 'v')],
  ['faa-apart', 'faa reads and writes apart', FAA, 'lR reads x as v ; lW writes x := v + e'],
  ['xchg-writes-old', 'xchg writes what it read', XCHG, XCHG.replace(':= e', ':= v')],
  ['xchg-apart', 'xchg reads and writes apart', XCHG, 'lR reads x as v ; lW writes x := e'],
];

/** For models that know polls, or waits: all that is not about either. */
const COMMON: readonly Declared[] = [
  ['put-unordered', 'the write of a put is not after its read', PUT, PUT.replace(' ;', ' ,')],
  ['get-unordered', 'the write of a get is not after its read', GET, GET.replace(' ;', ' ,')],
  ['put-of-one', 'a put writes 1', PUT, PUT.replace(':= v', ':= 1')],
  ['get-of-one', 'a get writes 1', GET, GET.replace(':= v', ':= 1')],
  ['cas-fails-without-fence', 'a CAS that fails is no fence', FAILED, FAILED.replace('F ; ', '')],
  [
    'cas-fails-fence-late',
    'a CAS that fails reads before its fence',
    FAILED,
    'lR reads x as v ; F when v != old',
  ],
  [
    'cas-fails-fence-beside',
    'a CAS that fails reads beside its fence',
    FAILED,
    FAILED.replace(' ;', ' ,'),
  ],
  [
    'cas-writes-nothing',
    'a CAS that succeeds writes nothing',
    SWAP,
    SWAP.replace(' writes x := new', ''),
  ],
  [
    'cas-writes-old',
    'a CAS that succeeds writes what it read',
    SWAP,
    SWAP.replace(':= new', ':= v'),
  ],
  [
    'cas-succeeds-wrongly',
    'a CAS writes where it reads another value',
    SWAP,
    SWAP.replace('v = old', 'v != old'),
  ],
  [
    'cas-fails-wrongly',
    'a CAS that reads the old value may fail',
    FAILED,
    FAILED.replace(' when v != old', ''),
  ],
  ['cas-fails-only', 'a CAS fails where it reads the old value', FAILED, FAILED.replace('!=', '=')],
  ['nfo-local-only', 'no nfo of remote reads and writes', NFO, NFO.replace(' | nrR * nrW', '')],
  ['nfo-remote-only', 'no nfo of local reads and writes', NFO, NFO.replace('nlR * nlW | ', '')],
  ['nfo-of-thread', 'nfo between queue pairs', NFO, NFO.replace('sqp', 'sthd')],
  ['nfo-with-po', 'nfo of pairs whose read comes first', NFO, `${NFO} & po`],
  [
    'fence-off-queue-pair',
    'a remote fence is on no queue pair',
    'event nF by nic on qp',
    'event nF by nic',
  ],
  [
    'fence-by-cpu',
    'a remote fence is a memory fence',
    'operation rfence(peer q) on q : PW ; nF',
    'operation rfence(peer q) on q : F',
  ],
];

const POLLS: readonly Declared[] = [
  ['polls-of-gets', 'polls count gets only', PF, PF.replace('polled-by', 'nlW')],
  ['polls-of-puts', 'polls count puts only', PF, PF.replace('polled-by', 'nrW')],
  [
    'polls-of-thread',
    'polls count the operations of all queue pairs',
    PF,
    PF.replace('in sqp', 'in sthd'),
  ],
  [
    'polls-of-reads',
    'a poll is for the read of an operation',
    PF,
    PF.replace('polled-by', '(nlR | nrR)'),
  ],
  ['polls-unordered', 'a poll may come before its operation', PF, `${PF} unordered`],
  [
    'polls-off-by-one',
    'the k-th poll is for the operation after the k-th',
    PF,
    PF.replace('polled-by', '(polled-by & range([polled-by] ; (po & sqp)))'),
  ],
  [
    'polls-one-idle',
    'the first poll is for nothing',
    PF,
    PF.replace('kth P', 'kth (P & range([P] ; (po & sqp)))'),
  ],
  ['polls-off-queue-pair', 'polls are on no queue pair', 'event P by cpu on qp', 'event P by cpu'],
];

const WAITS: readonly Declared[] = [
  ['waits-of-gets', 'a wait is for gets only', WF, WF.replace('completes', 'nlW')],
  ['waits-of-puts', 'a wait is for puts only', WF, WF.replace('completes', 'nrW')],
  [
    'waits-of-reads',
    'a wait is for the read of an operation',
    WF,
    WF.replace('completes', '(nlR | nrR)'),
  ],
  ['waits-of-any', 'a wait is for all earlier operations', WF, WF.replace(' & wid', '')],
  [
    'waits-of-parts',
    'a wait is for write parts of atomics, too',
    COMPLETES,
    'let completes = nlW | nrW | nS',
  ],
  [
    'waits-not-of-atomics',
    'no wait is for atomics',
    COMPLETES,
    'let completes = (nlW \\ range(resp)) | (nrW \\ range(rmw)) | nS',
  ],
  ['waits-of-later', 'a wait is for later operations, too', WF, WF.replace('po & ', '')],
];

/** What a tag is for the other end of a connection. */
const FACING: readonly Declared[] = ['A', 'B'].map((nic) => {
  const own = `tag near${nic} on qp`;
  const what = `messages and what is sent to them do not go by the NIC ${nic} of the other end`;
  return [`facing-${nic}`, what, `${own} facing far${nic}`, own];
});

const DECLARED: Readonly<Record<string, readonly Declared[]>> = {
  'rdma-tso': [...COMMON, ...ATOMIC, ...POLLS],
  'rdma-wait': WAITS,
  'rdma-nics': FACING,
};

/** Of one model with polls and of one with waits, and of those that are about more: the others have the same instructions. */
export function declarationChanges(model: string): readonly Change[] {
  const { [model]: declared = [] } = DECLARED;
  return declared.map(([name, what, from, to]) => ({
    name: `declared-${name}`,
    what,
    edits: [{ file: lastWith(model, from), from, to }],
    direction: 'other',
  }));
}

/** The file that says it last: what it says holds. */
const lastWith = (model: string, text: string): string => {
  const files = filesOf(`${model}.cat`).filter((file) => shippedText(file).includes(text));
  return ['rmw.cat', 'messages.cat', 'instructions.cat'].find((file) => files.includes(file))!;
};
