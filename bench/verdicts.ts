/**
 * What is known of the growing programs, by name: the verdict on the query of each, as a function of its size, in words such as `forbidden up to 3`.
 *
 * Why, under RDMA^TSO:
 * - sbring: a poll of a put says only that the put was issued, so all puts may still be under way
 *   when the reads are done
 * - sbringget: a get comes after the puts before it on the same queue pair, so a polled get means that the
 *   put has arrived; and of the polls followed by reads, one comes last
 * - mpchain: the data is in memory before the first put is, since a NIC reads and writes behind the
 *   thread's own store buffer; each put follows the read of the one before; the get comes last
 * - getsputs: a put may overtake the gets before it on the same queue pair, which then read late
 * - putrace: the 2 of the thread that puts 1 and 2 arrives after the 1
 * - iriw: a get that is polled is done, so a reader that sees one write and not the other has them in
 *   memory in that order; two readers would have them in both
 * - waitflag: puts of one queue pair arrive in order, and the read that ends the loop comes before that of
 *   the data; the thread counts, so that runs with more iterations than the bound are left open
 * - ringbuffer: a message arrives before the head that announces it, and its slot is put again only
 *   after the tail says that it was read, which is put after the read
 * - spin: a CAS takes the lock for one thread, and the write that releases it comes behind the count; the threads count
 *   their tries
 * - sharedgets: a poll takes the next completion of the queue pair, whose it is; who polls last has seen all, and so its
 *   own gets are done
 * - messages: the put comes before the first message on its queue pair, and a completion of a receive covers all before it
 * - mix: what is asked for is left by an interleaving, in which every instruction has its effects at once
 */
export const VERDICTS: Readonly<Record<string, (k: number) => string>> = {
  sbring: () => 'allowed',
  sbringget: () => 'forbidden',
  mpchain: () => 'forbidden',
  getsputs: () => 'allowed',
  putrace: () => 'forbidden',
  iriw: () => 'forbidden',
  waitflag: (k) => `forbidden up to ${k}`,
  ringbuffer: () => 'forbidden',
  spin: (k) => `forbidden up to ${k}`,
  sharedgets: () => 'forbidden',
  messages: () => 'forbidden',
  mix3: () => 'allowed',
  mix4: () => 'allowed',
};
