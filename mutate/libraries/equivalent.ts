/**
 * Changes of libraries and implementations that no client tells. The arguments are in mutate/equivalent.md; what is listed
 * here and caught is an error, and so is what is neither.
 */
interface Equivalent {
  /** The section of mutate/equivalent.md with the argument. */
  readonly section: string;
  /** The file, and where in it. */
  readonly where: string;
  readonly changes: readonly string[];
}

const inFile = (section: string, where: string, ...changes: readonly string[]): Equivalent => ({
  section,
  where,
  changes,
});

const SAME = 'Implementations: the same results';
const NO_END = 'Implementations: runs that have no end';
const FENCED = 'Implementations: who has the lock meanwhile';
const TABLE = 'Libraries: what the stamps say already';
const WAITS = 'Libraries: RDMA with waits';
const ONLY = 'Libraries: what there is nothing else of';

const READS_AGAIN = 'drop now := sv.read(serving) (2)';
const TOLD_LATE = 'swap sv.write(serving, now + 1) | sv.bcast(serving, _, nodes(user) \\ {here})';

export const EQUIVALENT: readonly Equivalent[] = [
  inFile(SAME, 'loco-bal/bar', 'swap sv.gf(nodes(party)) | v := sv.read(count[me])'),
  inFile(SAME, 'loco-bal-all/bar', 'swap sv.gf(nodes) | v := sv.read(count[me])'),
  inFile(
    SAME,
    'loco-ack/put',
    'swap y.word := cq.put(x.word, b.queue, id) | k.wanted[id % S] := id',
  ),
  inFile(
    SAME,
    'loco-ack/get',
    'swap x.word := cq.get(y.word, b.queue, id) | k.wanted[id % S] := id',
  ),
  inFile(SAME, 'loco-ack/wait', 'swap id := k.wanted[s] | last := b.over[s]'),
  ...['put', 'get', 'wait'].map((method) =>
    inFile(NO_END, `loco-ack/${method}`, 'drop last := b.over[s] (2)'),
  ),
  inFile(SAME, 'loco-bal-sst/bar', 'swap sv.gf(nodes) | count := ov.load(row[me])'),
  inFile(
    NO_END,
    'loco-bal-sst/bar',
    'drop w := ov.load(row[t]) (2)',
    'swap ov.store(row[me], count + 1) | ov.push(row[me], _, nodes(party) \\ {here})',
  ),
  ...['loco-bal', 'loco-bal-all', 'loco-bal-unfenced'].map((name) =>
    inFile(
      NO_END,
      `${name}/bar`,
      'drop w := sv.read(count[t]) (2)',
      'swap sv.write(count[me], v + 1) | sv.bcast(count[me], _, nodes(party) \\ {here})',
    ),
  ),
  inFile(SAME, 'loco-msw/write', 'swap w[0] := hash(v) | for i in 1 .. size(x)'),
  inFile(SAME, 'loco-msw/tryread', 'swap h := w[0] | for i in 1 .. size(x)'),
  inFile(SAME, 'loco-msw/put', 'swap y.w[0]^n :=^d x.w[0] | for i in 1 .. size(x)'),
  inFile(SAME, 'loco-msw/get', 'swap x.w[0] :=^d y.w[0]^n | for i in 1 .. size(x)'),
  inFile(
    SAME,
    'loco-rbl/submit',
    'swap sv.bcast(cell[h % S], _, nodes(reader) \\ {here}) | for i in 1 .. len(m)',
    'swap for i in 1 .. len(m) | sv.wait(d)',
  ),
  inFile(
    SAME,
    'loco-rbl/receive',
    'swap h := sv.read(tail[me]) | end := sv.read(head)',
    'swap if (h >= end) | n := sv.read(cell[h % S])',
    'swap sv.write(tail[me], h + n + 1) | if (node(writer) != here)',
  ),
  inFile(
    SAME,
    'mcs-lock/acquire',
    'swap next[me] := 0 | go[me] := 0',
    'swap go[me] := 0 | for n in {node(x)}',
    'swap for t in user | turn := go[me]',
  ),
  inFile(NO_END, 'mcs-lock/acquire', 'drop next[me] := 0', 'drop turn := go[me] (2)'),
  inFile(
    SAME,
    'alock/acquire',
    'swap next[me] := 0 | turn[me] := 0',
    'swap turn[me] := 0 | if (node(x) = here)',
    'swap for t in user | now := turn[me]',
    'swap left := 0 | if (before != 0)',
    'swap while (now = 0) | left := now - 1',
    'drop left := now - 1',
    'drop turn[me] := left + 1',
    'swap other := remotes | gives := victim',
    'swap other := remotes | gives := victim (2)',
    'swap seen :=^d victim^n | wait(d)',
    'drop wait(d) (3)',
  ),
  inFile(
    NO_END,
    'alock/acquire',
    'drop next[me] := 0',
    'drop now := turn[me] (2)',
    'drop other := remotes (2)',
    'drop gives := victim (2)',
    'drop seen :=^d victim^n',
    'drop waits := seen (2)',
    'drop if (waits != 0)',
  ),
  ...['mcs-lock', 'alock'].flatMap((name) => [
    inFile(SAME, `${name}/release`, 'drop assume(passed = 1)'),
    inFile(
      NO_END,
      `${name}/release`,
      'swap for n in {node(x)} | wait(d)',
      'drop wait(d)',
      'drop while (next[me] = 0)',
      'swap while (next[me] = 0) | behind := next[me]',
      'drop if (found != mine)',
    ),
  ]),
  inFile(NO_END, 'ticket-lock/acquire', READS_AGAIN),
  inFile(NO_END, 'ticket-lock/release', TOLD_LATE),
  inFile(NO_END, 'ticket-lock-fenced/acquire', READS_AGAIN),
  inFile(NO_END, 'ticket-lock-fenced/release', TOLD_LATE),
  inFile(SAME, 'ticket-lock-fenced/release', 'swap sv.gf(nodes) | now := sv.read(serving)'),
  inFile(
    SAME,
    'ticket-lock-home/acquire',
    'swap seen :=^d serving^n | wait(d)',
    'drop wait(d) (2)',
  ),
  inFile(NO_END, 'ticket-lock-home/release', 'swap mine[me] := mine[me] + 1 | for n in {node(x)}'),
  inFile(SAME, 'ticket-lock-local/acquire', 'swap mine := faa(next, 1) | now := serving'),
  inFile(NO_END, 'ticket-lock-local/acquire', 'drop now := serving (2)'),
  inFile(NO_END, 'rw-local/read', 'drop seen := word'),
  inFile(SAME, 'combining-lock/acquire', 'swap mine := faa(next[here], 1) | now := serving[here]'),
  inFile(NO_END, 'combining-lock/acquire', 'drop now := serving[here] (2)'),
  inFile(
    SAME,
    'combining-lock/release',
    'swap now := serving[here] | drawn := next[here]',
    'swap drawn := next[here] | passed := left[here]',
    'swap left[here] := 0 | for n in {node(x)}',
    'swap for n in {node(x)} | wait(d)',
    'drop wait(d)',
    'swap wait(d) | serving[here] := now + 1',
  ),
  inFile(NO_END, 'combining-lock/release', 'swap left[here] := more | serving[here] := now + 1'),
  inFile(
    SAME,
    'ring-queue/dequeue',
    'drop assume(done != 0)',
    'swap assume(done != 0) | if (done = 2)',
  ),
  inFile(
    SAME,
    'loco-kv/insert',
    'drop state[here] := 2 * c',
    'swap state[here] := 2 * c | value[here] := v',
    'swap value[here] := v | sum[here] := hash(v, c)',
    'swap index[here] := told | sent := rbl.submit(tracker[me], told)',
    'drop assume(sent = true)',
  ),
  inFile(NO_END, 'loco-kv/insert', 'drop seen := sv.read(done[w]) (2)'),
  inFile(FENCED, 'loco-kv/insert', 'swap sv.gf(nodes(user)) | lock.release(guard)'),
  inFile(
    SAME,
    'loco-kv/update',
    'swap value[here] := new | sum[here] := check',
    'swap value[n]^n := new | sum[n]^n := check',
  ),
  inFile(FENCED, 'loco-kv/update', 'swap sv.gf(nodes(user)) | lock.release(guard)'),
  inFile(
    SAME,
    'loco-kv/delete',
    'swap index[here] := told | sent := rbl.submit(tracker[me], told)',
    'drop assume(sent = true)',
  ),
  inFile(NO_END, 'loco-kv/delete', 'drop seen := sv.read(done[w]) (2)'),
  inFile(FENCED, 'loco-kv/delete', 'swap for n in nodes(user) | lock.release(guard)'),
  inFile(
    SAME,
    'loco-kv/lookup',
    'swap v := value[here] | s := state[here]',
    'swap s := state[here] | h := sum[here]',
    'swap gotvalue :=^d value[n]^n | gotstate :=^d state[n]^n',
    'swap gotstate :=^d state[n]^n | gotsum :=^d sum[n]^n',
    'swap assume(h = hash(v, s / 2 % C)) | if (s != 2 * c + 1)',
  ),
  inFile(SAME, 'loco-kv/track', 'swap index[here] := told | sv.write(done[me], told)'),
  inFile(
    NO_END,
    'loco-kv/track',
    'swap sv.write(done[me], told) | sv.bcast(done[me], _, {node(t)})',
  ),
  inFile(TABLE, 'ack.cat/poll', 'aCW for aWT'),
  inFile(TABLE, 'cq.cat/poll', 'aCW for aWT (2)'),
  inFile(TABLE, 'kv.cat/track', 'aCW for aWT'),
  inFile(TABLE, 'lock-home.cat/release', 'drop aCW', 'aWT for aCW'),
  inFile(TABLE, 'msw.cat/tryread', 'aCW for aWT'),
  inFile(
    TABLE,
    'stamps.cat/to',
    'drop aNRR * (aNLW | aRF | aGF) & sn',
    'drop aNLW',
    'drop aRF (2)',
    'drop aGF (2)',
    'drop aNLW (2)',
    'drop aNLW (3)',
    'drop aRF (3)',
    'drop aGF (4)',
    'drop aNLW (4)',
    'drop aRF (4)',
    'drop aGF (5)',
  ),
  inFile(ONLY, 'lock-so.cat/lo', 'drop acquire', 'drop aWT', 'drop acquire (2)', 'drop aWT (2)'),
  inFile(ONLY, 'lock-so.cat/after', 'drop [acquire | release]', 'drop [acquire | release] (2)'),
  inFile(ONLY, 'lock-so.cat/held', 'drop [release]'),
  inFile(ONLY, 'rw.cat/take', 'drop (read | write)', 'drop aWT'),
  inFile(ONLY, 'rw.cat/lo', 'drop (take * take)'),
  inFile(ONLY, 'rw.cat/after', 'drop [take | leave]', 'drop [take | leave] (2)'),
  inFile(ONLY, 'rbl-repaired.cat/rfe', 'drop [aCW]', 'drop [aCR]', 'drop rf'),
  inFile(TABLE, 'ring.cat/submit', 'aCW for aWT'),
  inFile(TABLE, 'queue.cat/enqueue', 'aCW for aWT (2)'),
  inFile(ONLY, 'ring.cat/W', 'drop submit', 'drop (aCW | aNRW)'),
  inFile(ONLY, 'ring.cat/F', 'drop receive'),
  inFile(ONLY, 'copies-so.cat/rb', 'drop id'),
  inFile(ONLY, 'copies-so.cat/rfe', 'drop [aCR]', 'drop rf'),
  inFile(TABLE, 'copies-so.cat/own-write-overlooked', 'drop [aCR]'),
  inFile(ONLY, 'rdma-parts.cat/rao', 'drop id'),
  inFile(ONLY, 'rdma-parts.cat/rfe', 'drop [aCR]', 'drop rf'),
  inFile(ONLY, 'rdma-parts.cat/iso', 'drop sn'),
  inFile(ONLY, 'rdma-parts.cat/issr', 'drop id'),
  ...['ack.cat', 'cq.cat', 'tso.cat'].map((file) => inFile(WAITS, `${file}/pfp`, 'drop [aNRW]')),
  inFile(WAITS, 'rdma-so.cat/pfp', 'drop domain(atomic)'),
  inFile(WAITS, 'rdma-parts.cat/raw', 'drop rao'),
  inFile(WAITS, 'rdma-parts.cat/ippo', 'drop aWT', 'drop aNRW'),
  inFile(WAITS, 'rdma-ib.cat/ib', 'drop rf', 'drop pfg', 'drop rao', 'drop rbi (2)', 'drop'),
  inFile(WAITS, 'rdma-ib.cat/so', 'drop iso'),
];

/** The section with the argument for a mutant, if it is listed. */
export const sectionOf = (name: string): string | undefined =>
  EQUIVALENT.find(({ where, changes }) => changes.some((change) => `${where}/${change}` === name))
    ?.section;
