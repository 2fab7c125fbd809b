import type { EventStructure } from '../../program/events/structure.js';
import { finalState } from '../../program/final.js';
import type { Test } from '../../program/program.js';
import { observedSubjects } from '../../program/subjects.js';
import type { Shape, Way, Ways } from './explanation.js';
import { timelineOfCycle } from '../timeline/from-execution.js';
import type { Failure, Failures } from './failures.js';
import type { Showing } from './graph.js';
import { graphOf } from './graph.js';
import { edgesOf } from './violation.js';

/** Failures as they are told: one of each shape. */
export function oneOfEachShape(
  test: Test,
  structure: EventStructure,
  { shapes, incomplete }: Failures,
  showing: Showing,
): Ways {
  const someAreAsked = shapes.flat().some(({ asked }) => asked.length > 0);
  const beside = ({ asked }: Failure): boolean => someAreAsked && asked.length === 0;
  return {
    count: shapes.flat().length,
    incomplete,
    shapes: shapes.map((alike): Shape => ({
      ways: alike.length,
      way: wayOf(test, structure, showing, alike[0], beside(alike[0])),
    })),
  };
}

function wayOf(
  test: Test,
  structure: EventStructure,
  showing: Showing,
  { verified, judgement, chosen, asked, others }: Failure,
  beside: boolean,
): Way {
  const subjects = observedSubjects(test);
  const violation = chosen.told();
  return {
    state: finalState(test.program, subjects, verified.run.final),
    graph: graphOf(
      structure,
      { ...verified, judgement },
      showing,
      edgesOf(violation.steps, showing),
    ),
    timeline:
      showing.timelines === true && violation.kind === 'cycle'
        ? timelineOfCycle({ structure, verified, source: showing.source }, violation.steps)
        : undefined,
    violation,
    asked,
    beside,
    others: others.map((b) => b.told()),
  };
}
