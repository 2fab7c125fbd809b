import type { SourceFile } from '../parse/diagnostics/index.js';
import { position } from '../parse/diagnostics/index.js';
import type { Program } from '../program/program.js';
import type { PerformedRun, Violation } from '../analyses/robust/result.js';
import type { Unordered } from '../rdma/conditions/conditions.js';
import { proves } from '../rdma/conditions/conditions.js';
import type { ThreadAccess } from '../rdma/conditions/topology.js';
import type { TreeFailure } from '../rdma/conditions/tree.js';
import { repairJson } from './fix.js';
import { jsonLine } from './json.js';
import { describePair } from './robust-static.js';
import type { RobustRecord, StaticResult } from './robust-record.js';
import { codeAt, theorem } from './robust-record.js';

/** The lines of `robust --json` for a record, one for each comparison (docs/robust.md). */
export function robustJson(record: RobustRecord): readonly string[] {
  const { test, model, note, untranslatable, results, conditions, repair, source } = record;
  const head = { file: test.file, test: test.name, model };
  if (untranslatable !== undefined) {
    return [jsonLine({ ...head, verdict: 'untranslatable', reason: untranslatable })];
  }
  return results.map(({ comparison, verdict, reason, violation, milliseconds, ...rest }) =>
    jsonLine({
      ...head,
      comparison,
      verdict,
      reason,
      upTo: rest.upTo,
      explored: rest.explored,
      hint: rest.hint,
      violation: violation && violationJson(violation, source),
      conditions: conditions && conditionsJson(conditions, source, test.program),
      repair: repair && repairJson(repair, source),
      note,
      milliseconds: Math.round(milliseconds * 100) / 100,
    }),
  );
}

function violationJson({ state, cycle, events, witness, order }: Violation, source: SourceFile) {
  const { rf, mo, guessed } = witness;
  return {
    state,
    cycle: cycle?.map(({ event, relation }) => ({ event: event.id, relation })),
    events: events.map((e) => eventJson(e, source)),
    order,
    rf,
    mo,
    ...guessed,
  };
}

function eventJson({ span, ...event }: PerformedRun, source: SourceFile) {
  return { ...event, ...(span !== undefined && whereJson(span, source)) };
}

function whereJson(span: NonNullable<PerformedRun['span']>, source: SourceFile) {
  return { code: codeAt(source, span), ...position(source.text, span.start) };
}

function conditionsJson(result: StaticResult, source: SourceFile, program: Program) {
  const { found } = result;
  if (found === undefined) return { unknown: true };
  const access = ({ thread, label, location, node, queuePair, span }: ThreadAccess) => ({
    thread: program.threads[thread].name,
    label,
    location: program.locations[location].name,
    node,
    queuePair: queuePair === node ? undefined : queuePair,
    ...whereJson(span, source),
  });
  const pair = ({
    earlier,
    later,
    cell,
    route,
  }: Omit<Unordered, 'route'> & Partial<Unordered>) => ({
    cell: cell.name,
    what: describePair(earlier, later),
    earlier: access(earlier),
    later: access(later),
    remedy: cell.remedy,
    route,
  });
  const tree = (failure: TreeFailure) => {
    const { property } = failure;
    switch (failure.property) {
      case '1':
        return { property, access: access(failure.access) };
      case '2':
      case 'tso':
        return { property, ...pair(failure) };
      case '3a':
        return { property, nodes: failure.nodes };
      case '3b':
      case '3c':
        return { property, first: access(failure.first), second: access(failure.second) };
    }
  };
  return {
    proves: proves(found),
    theorem: theorem(result),
    ldrf: found.ldrf.map(pair),
    fenced: found.fenced.map(pair),
    treeFenced: found.treeFenced.map(tree),
  };
}
