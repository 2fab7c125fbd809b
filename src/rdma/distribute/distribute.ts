import type { Diagnostic, Result } from '../../parse/diagnostics/index.js';
import { fail, ok } from '../../parse/diagnostics/index.js';
import type { Location, Program, Test } from '../../program/program.js';
import { printTest } from '../../program/print.js';
import type { Coverage } from '../coverage.js';
import { notCoveredBy } from '../coverage.js';
import { createClient } from './client.js';

/**
 * Turns a program of several threads over shared memory into an RDMA program of a star (robustness paper, section 5.3).
 * The thread number `server` (from 1) stays on the node of the memory. Every other thread moves to a node of its own,
 * so that thread k is on node k.
 *
 * A load becomes a get with a remote fence after it. It is polled before its value is used. A store becomes a put,
 * which takes its value from a private location of its own. An atomic becomes a remote one, which the paper does not
 * have, and is polled at once. Polls come in the order of the operations, so puts before a get are polled with it.
 * Everything is polled before and at the end of branches and loops.
 *
 * @returns the program as litmus text, with the head and the queries of the test, but without the verdicts that it
 *   expects. Fails if the program has several nodes or remote operations, or if there is no such server
 */
export function distribute(test: Test, server: number): Result<string> {
  const { program } = test;
  const errors = refusals(test, server);
  if (errors.length > 0) return fail(errors);

  const nodes = program.threads.map((_, i) => String(i + 1));
  const at = String(server);
  const locations: Location[] = program.locations.map((l) => ({ ...l, node: at }));
  const threads = program.threads.map((thread, index) => {
    const node = nodes[index];
    if (node === at) return { ...thread, node };
    return createClient(thread, index, { program, node, server: at, locations });
  });
  const star: Program = { ...program, nodes, locations, threads };
  const note = `over RDMA, with the memory at node ${at}`;
  return ok(printTest({ ...test, name: `${test.name}-star`, notes: [note], program: star }));
}

const onNetwork = () => ({ message: 'only programs over shared memory are distributed' });

/** The instructions that can be distributed. */
const OVER_SHARED_MEMORY: Coverage = {
  theory: 'clients',
  loopBack: false,
  kinds: {
    assign: 'known',
    get: onNetwork,
    put: onNetwork,
    'remote-atomic': onNetwork,
    cas: 'known',
    faa: 'known',
    xchg: 'known',
    mfence: 'known',
    poll: onNetwork,
    rfence: onNetwork,
    wait: onNetwork,
    assume: 'known',
    if: 'known',
    loop: 'known',
    choose: 'known',
  },
};

function refusals(test: Test, server: number): readonly Diagnostic[] {
  const { program, file } = test;
  const whole = { file, start: 0, end: 0 };
  const count = program.threads.length;
  if (server > count) {
    const message = `there is no node ${server}: the ${count} threads become nodes 1 to ${count}`;
    return [{ span: whole, message }];
  }
  const nodes = new Set(program.threads.map((t) => t.node));
  if (nodes.size > 1) {
    const message = 'the threads are on several nodes already: only shared memory is distributed';
    return [{ span: whole, message }];
  }
  return notCoveredBy(OVER_SHARED_MEMORY, program);
}
