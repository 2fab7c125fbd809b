/**
 * Mutants that change nothing. The arguments are in mutate/equivalent.md; a mutant that is
 * listed here and caught by a test is an error (main.ts), and so is one that is neither.
 */
export interface Equivalent {
  /** The section of mutate/equivalent.md with the argument. */
  readonly section: string;
  readonly models: readonly string[];
  /** Matches the whole of the mutants' names. */
  readonly names: RegExp;
}

const SC = ['rdma-sc', 'rdma-sc-no-ib'];
const TSO = ['rdma-tso', 'rdma-tso-4.4', 'rdma-tso-rec'];
const BUFFERED = [...TSO, 'rdma-tso-nopcie', 'rdma-wait'];
const PCIE = [...SC, ...TSO, 'rdma-wait'];
const RDMA = [...SC, ...BUFFERED];

/** Labels of the CPU; all but `lW` are in `Inst` under every model. */
const CPU = '(?:lR|lW|CAS|F|P|WT)';
const CPU_INST = '(?:lR|CAS|F|P|WT)';
const NIC = '(?:nlR|nrW|nrR|nAR|nlW|nF)';
const NIC_INST = '(?:nlR|nrR|nAR|nF)';
const DONE = '(?:P|WT)';
/** An entry of a poll's row may be narrowed to the poll's queue pair instead of being dropped. */
const LESS = '(?:-narrow)?';

const entry = (
  section: string,
  models: readonly string[],
  ...names: readonly string[]
): Equivalent => ({ section, models, names: new RegExp(`^(?:${names.join('|')})$`) });

export const EQUIVALENT: readonly Equivalent[] = [
  entry(
    'One table implies the other',
    RDMA,
    `ippo-${CPU_INST}-${CPU_INST}`,
    `ippo-${CPU_INST}-${NIC_INST}${LESS}`,
    'ippo-nlR-(nlR|nrR|nAR|nF)',
    'ippo-nrR-nF',
    'ippo-nAR-(nrR|nAR|nF)',
    `ippo-nF-${NIC_INST}`,
    `oppo-${CPU_INST}-${CPU}`,
    `oppo-${CPU_INST}-${NIC}${LESS}`,
    `oppo-nlR-${NIC}`,
    'oppo-nrR-(nlW|nF)',
    'oppo-nAR-(nrW|nrR|nAR|nlW|nF)',
    `oppo-nF-${NIC}`,
  ),
  entry(
    'One table implies the other',
    ['rdma-tso'],
    'failures-issued-(called|nlW|nC|broken)',
    'failures-observed-(nC|broken)',
  ),
  entry(
    'One table implies the other',
    SC,
    `ippo-lW-${CPU}`,
    `ippo-${CPU_INST}-lW`,
    `ippo-lW-${NIC_INST}`,
    `oppo-lW-${CPU}`,
    `oppo-lW-${NIC}`,
  ),
  entry('One table implies the other', ['rdma-tso-getfirst'], '(ippo|oppo)-overtakes'),
  entry(
    'Two halves of one operation',
    RDMA,
    `(ippo|oppo|both)-(${CPU}|nF)-nlW${LESS}`,
    `ippo-(${CPU}|nF)-nrW${LESS}`,
    `(ippo|oppo|both)-nlR-nlW`,
    'both-nlR-(nrR|nAR|nF)',
    'both-nrR-nF',
    'both-nAR-nF',
    'ippo-nrW-nlW',
  ),
  entry('Two halves of one operation', PCIE, '(oppo|both)-nrW-nlW'),
  entry(
    'Events that are not memory accesses',
    RDMA,
    `both-${CPU_INST}-(F|P|WT)`,
    'both-F-(lW|CAS|nlR|nrW|nrR|nAR)',
    `both-${CPU}-nF${LESS}`,
    'oppo-lW-nF',
    'both-nF-nF',
  ),
  entry('Events that are not memory accesses', SC, `both-lW-(F|${DONE})`, 'both-F-lR', 'cpu-F'),
  entry(
    'Steps to and from buffered writes',
    BUFFERED,
    'ippo-lW-(lW|CAS|F|P|WT|nlR|nrR|nAR|nF)',
    'ippo-(CAS|F|P|WT)-lW',
  ),
  entry('Steps to and from buffered writes', RDMA, 'ippo-nrW-nF'),
  entry(
    'Steps to and from buffered writes',
    PCIE,
    'ippo-nrW-(nrW|nrR|nAR)',
    'oppo-nrW-nrR',
    'ippo-nlW-nlW',
    'ippo-(nrR|nAR)-nlW',
  ),
  entry('Steps to and from buffered writes', [...SC, ...TSO], 'ippo-nAR-nrW'),
  entry(
    'NIC flush order',
    PCIE,
    'nfo-ib-without-(nlW-nlR|nrW-nrR)',
    'nfo-ob-without-(nlR-nlW|nrR-nrW)',
    'nfo-both-reversed',
  ),
  entry('NIC flush order', ['rdma-tso-nopcie'], '(ib|ob)-add-nfo'),
  entry('Polls and waits', RDMA, 'pf-older', 'pf-older-gets', 'pf-later'),
  entry('Polls and waits', ['rdma-wait'], 'wf-first', 'declared-waits-of-parts'),
  entry('Polls and waits', ['rdma-tso'], 'declared-polls-unordered'),
  entry('Shared queues', ['rdma-srd'], 'polls-of-queue-pair'),
  entry('Messages', ['rdma-tso'], 'messages-recv-(unordered|early)'),
  entry(
    'Receives that complete to a queue',
    ['rdma-tso'],
    'messages-completes-(out-of-turn|perhaps)',
  ),
  entry('Inst', RDMA, `inst-(${CPU_INST}|nF)`),
  entry('Inst', [...SC, ...TSO], 'inst-nAR'),
  entry('Inst', SC, 'inst-lW'),
  entry(
    'The axiom on ib',
    ['rdma-sc', 'rdma-tso', 'rdma-tso-rec', 'rdma-tso-nopcie', 'rdma-wait'],
    'axiom-ib',
  ),
  entry(
    'The order of remote atomics',
    RDMA,
    'ib-drop-rao',
    'ib-rao-(both-parts|write-part)',
    'ob-raw-write-part',
    'ob-add-issr',
  ),
  entry('The order of remote atomics', [...TSO, 'rdma-wait'], 'ib-issr-nfo'),
  entry('The order of remote atomics', PCIE, 'ib-issr-with-id'),
  entry('The order of remote atomics', ['rdma-tso-nopcie'], 'ib-issr-not-atomics'),
  entry('Answered late', ['rdma-tso-late'], 'ib-early'),
  entry('Parts as one', ['sc', 'rdma-tso-glob'], 'contract-(before|after)'),
  entry(
    'Parts as one',
    ['rdma-tso-glob'],
    'part-buffered',
    'ib-apart',
    'ob-apart-(oppo|rf|pf|nfo|rb|mo)',
  ),
  entry(
    'Relaxed ordering',
    ['rdma-ro', 'rdma-ro-recvown', 'rdma-ro-tagged', 'rdma-ro-manpage', 'rdma-unordered'],
    'part-passes',
  ),
  entry('Relaxed ordering', ['rdma-unordered'], 'strict-read'),
  entry('Three definitions of RDMA^TSO', ['rdma-tso-4.4'], 'inst-maybe-(ob|ib)'),
  entry('Three definitions of RDMA^TSO', ['rdma-tso-rec'], 'ib-drop-ob-inst', 'ob-drop-inst-ib'),
  entry('RDMA^SC', SC, 'ib-drop-rf', 'ib-add-rbb', 'ob-rf-not-own'),
  entry(
    'x86-TSO',
    ['x86-tso-textbook'],
    'coherence-drop-mo',
    'nic-(nlR|nrW|nrR|nlW)',
    'ppo-(lR|CAS|F)-F',
    'ppo-F-(lW|CAS)',
  ),
];

/** The entry for a mutant, if it is listed. */
export const equivalentOf = (model: string, name: string): Equivalent | undefined =>
  EQUIVALENT.find((e) => e.models.includes(model) && e.names.test(name));
