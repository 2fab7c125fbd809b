import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { explain } from '../../src/analyses/explain/explain.js';
import { drawSvg } from '../../src/report/picture/index.js';
import { adapted, modelOf, newSolver } from '../support/checker.js';
import { litmus } from '../support/litmus.js';
import { overlap, seen, wellFormed } from '../support/pictures.js';

/** Pictures of what `explain` finds: executions that are admitted, and candidates with a cycle. */

const FILES = [
  ['cells/oppo-nlR-nrW-wide', 'rdma-tso'],
  ['events/choices', 'rdma-tso'],
  ['events/cas', 'rdma-tso'],
  ['field/nccl-flush-get', 'rdma-tso'],
  ['field/put-signal-two-nodes', 'sc'],
  ['robustness/R6c', 'sc'],
  ['tso/GFP1', 'rdma-tso'],
  ['tso/IRIW1', 'rdma-tso'],
  ['tso/IRIW2', 'rdma-wait'],
  ['tso/LB3bis', 'rdma-sc'],
  ['tso/MP3bis', 'rdma-tso'],
  ['tso/CPU-SB', 'x86-tso'],
  ['tso/SB3bis', 'sc'],
] as const;

function graphsOf(file: string, modelName: string) {
  const model = modelOf(modelName);
  const written = litmus(readFileSync(`corpus/${file}.litmus`, 'utf8'));
  const { models } = explain(
    { test: written, programs: [adapted(written, model).program], notes: [undefined], query: 0 },
    { models: [model], newSolver, acyclicity: 'elimination', deadline: Infinity },
  );
  return models.flatMap(({ admitted, refuted }) => [
    ...(admitted === undefined ? [] : [admitted.graph]),
    ...(refuted?.ways?.shapes ?? []).slice(0, 2).map(({ way }) => way.graph),
  ]);
}

describe.each(FILES)('%s under %s', (file, model) => {
  test('is drawn in full, and nothing covers anything', () => {
    const graphs = graphsOf(file, model);
    expect(graphs.length).toBeGreaterThan(0);
    for (const graph of graphs) {
      const svg = drawSvg(graph, { title: `${file} under ${model}` });
      expect(wellFormed(svg)).toBe(true);
      const { boxes, labels } = seen(svg);
      expect(boxes.size).toBe(graph.events.length);
      expect(new Set(labels.keys())).toEqual(
        new Set(graph.edges.map((e) => `e${e.from}-e${e.to}`)),
      );
      const all = [...labels.values()];
      const hidden = all.filter(
        (a, i) =>
          [...boxes.values()].some((b) => overlap(a, b)) ||
          all.slice(0, i).some((b) => overlap(a, b)),
      );
      expect(hidden).toEqual([]);
    }
  });
});
