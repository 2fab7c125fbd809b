import type { Change } from './mutant.js';
import type { Said } from './said.js';
import { changed, none, without } from './said.js';

/**
 * Mutants of messages, of queue pairs and completion queues that several share, and of completions that are events: what
 * messages.cat, rmw.cat and rdma.cat say of them. Only programs that use these have their events.
 */

const SEND = 'PW ; nlR reads x as v ; nS writes to(q) := v ; nC';
const IMMEDIATE = 'nI writes to(y) := 0 ; nrW writes y := v ; nC';
const RECEIVE = 'PR at from(q) ; nRV reads from(q) as v ; nRW writes b := v ; nRC';
const MSG = 'guess msg : kth PR by rpost to kth arrival by mo in loc';
const PFR = 'guess pfr : kth arrival by mo to kth RP by rtake in loc';
const FLUSHES = ' | (nrR * nRW) & ends';
const RECEIVED = 'let received = [nrW] ; (qpo | same | filled^-1) ; (pfr | arrived)';
const COMPLETED =
  'empty (domain(msg) & queued) \\ domain(same & (PR * nRC)) | nRC \\ range(arrived) as receives';
const COMPLETES = ' ; (pfr | arrived)';
const IN_TURN = 'let received = received | [nRC] ; same ; rpost ; same ; [nRC]\n';
const ENTRIES = 'let entries = nC \\ unsignalled | broken | nRC & queued';
const CAME_IN = 'let came-in = nRV | nRW | nRC';
const ISSUED_TO = '  | qpo & ((nlR | nrW) * arrival)';
const OBSERVED_TO = '  | po & (CPU * arrival)\n';
const PLACED = ' | qpo ; filled | filled^-1 ; qpo | filled^-1 ; qpo ; filled';
const ISSUED_ALL = '  | same & (nI * nrW) | filled | received\n';
const OBSERVED_ALL = '  | msg | received\n';
const QUEUES = '  | post | cqo | take | rpost | rtake';
const BROUGHT =
  'empty (domain(msg ; [nS]) \\ domain(brought)) | (nRV \\ range(brought)) as messages';

const MESSAGES: readonly Said[] = [
  [
    'send-unordered',
    'a message may be sent before its data is read',
    SEND,
    SEND.replace('v ; nS', 'v , nS'),
  ],
  [
    'send-completes-early',
    'a send may complete before it arrives',
    SEND,
    SEND.replace('v ; nC', 'v , nC'),
  ],
  ['send-of-one', 'a message brings 1', SEND, SEND.replace(':= v', ':= 1')],
  [
    'imm-late',
    'an immediate arrives after the data',
    IMMEDIATE,
    IMMEDIATE.replace(/^(.*) ; (.*) ; nC$/, '$2 ; $1 ; nC'),
  ],
  [
    'recv-unordered',
    'what a receive writes does not wait for the message',
    RECEIVE,
    RECEIVE.replace('v ; nRW', 'v , nRW'),
  ],
  [
    'recv-early',
    'a receive may be filled before it is posted',
    RECEIVE,
    RECEIVE.replace('from(q) ; nRV', 'from(q) , nRV'),
  ],
  ['recv-of-one', 'a receive writes 1', RECEIVE, RECEIVE.replace(':= v', ':= 1')],
  ['sends-only', 'immediates take no receives', MSG, MSG.replace('arrival', 'nS')],
  ['immediates-only', 'sends take no receives', MSG, MSG.replace('arrival', 'nI')],
  [
    'receives-of-all',
    'one queue of receives for all connections',
    MSG,
    MSG.replace('in loc', 'in _ * _'),
  ],
  ['completes-sends', 'a poll of receives is for sends only', PFR, PFR.replace('arrival', 'nS')],
  [
    'completes-immediates',
    'a poll of receives is for immediates only',
    PFR,
    PFR.replace('arrival', 'nI'),
  ],
  ['flush-messages', 'reads of gets flush no messages', FLUSHES, ''],
  [
    'flush-others',
    'reads of other connections flush messages, too',
    FLUSHES,
    FLUSHES.replace('ends', 'nloc'),
  ],
  none('received', 'a completion of a receive says nothing', RECEIVED, 'let received = '),
  ...without('received', RECEIVED, ['qpo', 'same', 'filled^-1']),
  [
    'received-all',
    'it says that answers are in memory, too',
    RECEIVED,
    RECEIVED.replace('nrW', 'nW'),
  ],
  ...without('issued-to', ISSUED_TO, ['nlR', 'nrW']),
  ['observed-to-CPU', 'an inlined message waits for nothing of the CPU', OBSERVED_TO, ''],
  [
    'observed-to-nrW',
    'a message waits for puts to be in memory',
    OBSERVED_ALL,
    `${OBSERVED_ALL}  | qpo & (nrW * arrival)\n`,
  ],
  ...without('placed', PLACED, ['qpo ; filled', 'filled^-1 ; qpo', 'filled^-1 ; qpo ; filled']),
  // Receives that complete to a queue with others.
  [
    'completes-unsaid',
    'the completion of a receive in a queue says nothing of data',
    COMPLETES,
    ' ; pfr',
  ],
  ['completes-out-of-turn', 'receives complete in any order', IN_TURN, ''],
  [
    'completes-as-work',
    'receives complete in the order of posted work',
    CAME_IN,
    CAME_IN.replace(' | nRC', ''),
  ],
  [
    'completes-to-none',
    'no poll is for a receive',
    ENTRIES,
    ENTRIES.replace(' | nRC & queued', ''),
  ],
  [
    'completes-perhaps',
    'a receive may be taken and not complete',
    COMPLETED,
    COMPLETED.replace('(domain(msg) & queued) \\ domain(same & (PR * nRC)) | ', ''),
  ],
  [
    'completes-untaken',
    'a receive may complete that no message takes',
    COMPLETED,
    COMPLETED.replace(' | nRC \\ range(arrived)', ''),
  ],
  [
    'completes-elsewhere',
    'polls of a queue pair are for receives, too',
    ENTRIES,
    ENTRIES.replace(' & queued', ''),
  ],
  ...without('issued', ISSUED_ALL, ['same & (nI * nrW)', 'filled', 'received']),
  ...without('observed', OBSERVED_ALL, ['msg', 'received']),
  [
    'brought-none',
    'a message need not fill its receive',
    BROUGHT,
    BROUGHT.replace('(domain(msg ; [nS]) \\ domain(brought)) | ', ''),
  ],
  [
    'brought-more',
    'a receive may be filled without a message',
    BROUGHT,
    BROUGHT.replace(' | (nRV \\ range(brought))', ''),
  ],
  ['completes', 'a wait is for no send', 'range(rmw)) | nS', 'range(rmw))'],
];

const POLLED = 'let polled-by = entries | completes \\ domain(same & (_ * (nC | broken)))';
const PFS = 'guess pfs : kth entries & shared by cqo to kth P & shared by take in scq';
const WORK = 'event nC by nic on qp with unsignalled, shared, fallible';
const POSTED = ' | (same ; post ; same) & (NIC * NIC)';

const SHARED: readonly Said[] = [
  [
    'entries-all',
    'unsignalled work has entries, too',
    ENTRIES,
    ENTRIES.replace(' \\ unsignalled', ''),
  ],
  [
    'polled-twice',
    'an operation is polled by its write and by its entry',
    POLLED,
    POLLED.replace(' \\ domain(same & (_ * (nC | broken)))', ''),
  ],
  ['polled-entries', 'only entries are polled', POLLED, 'let polled-by = entries'],
  [
    'polls-of-queue-pair',
    'polls are of a queue pair, not of its completion queue',
    PFS,
    PFS.replace('scq', 'sqp'),
  ],
  ['polls-of-all', 'polls are of all completion queues', PFS, PFS.replace('in scq', 'in _ * _')],
  none('posted', 'posts of several threads are in no order', POSTED, ' | '),
  ['posted-later', 'only what is posted is in the order of posts', POSTED, ' | post'],
  ['completion-late', 'a completion waits for nothing', '  | qpo & (NIC * nC)\n', ''],
  ['completion-early', 'a completion does not wait for answers', '  | qpo & (nlW * nC)\n', ''],
  [
    'completions-observed',
    'puts are in memory when they complete',
    '  | qpo & (nlW * nC)\n',
    '  | qpo & (nW * nC)\n',
  ],
  ...without('queues', QUEUES, ['post', 'cqo', 'take', 'rpost', 'rtake']),
  [
    'events-shared',
    'completions are events only where a queue is shared',
    WORK,
    WORK.replace('unsignalled, ', ''),
  ],
];

/** What RDMA^TSO does not tell, by a model that does. */
const TOLD_BY: Readonly<Record<string, string>> = {
  'messages-flush-messages': 'rdma-ro',
  'messages-received-qpo': 'rdma-ro',
  'messages-issued-received': 'rdma-nics',
  'shared-queues-rtake': 'rdma-ro-recvown',
};

/** Each of one model: the others say the same. */
export function messageChanges(model: string): readonly Change[] {
  const told = (prefix: string, list: readonly Said[]): readonly Change[] =>
    changed(
      model,
      prefix,
      list.filter(([name]) => (TOLD_BY[`${prefix}-${name}`] ?? 'rdma-tso') === model),
    );
  return [...told('messages', MESSAGES), ...told('shared', SHARED)];
}
