import { refusalFor, tooLarge } from '../machine/accept.js';
import type { CallSite } from '../machine/calls.js';
import type { Calls, UseClasses } from '../machine/classes.js';
import { useClassesOf } from '../machine/classes.js';
import type { MachineLayers, Refusal } from '../machine/layers.js';
import { readLayers } from '../machine/layers.js';
import type { Asked } from '../machine/layout.js';
import { layoutOf } from '../machine/layout.js';
import { Machine } from '../machine/machine.js';
import { joinMessages } from '../machine/messages.js';
import { Orders } from '../machine/orders.js';
import { Queues } from '../machine/queues.js';
import { ModelRelations } from '../machine/relations.js';
import { Threads } from '../machine/threads.js';
import { waysOfUses } from '../machine/ways.js';
import type { InstructionSet } from '../model/instructions/set.js';
import type { Model } from '../model/term.js';
import type { Diagnostic, Span } from '../parse/diagnostics/index.js';
import { usesShared } from '../program/occasions.js';
import type { Program } from '../program/program.js';

/** A program as its machine runs it. */
export interface Prepared extends Asked {
  /** How often loops without a bound of their own go round at most; without it, any number of times. */
  readonly bound?: number | undefined;
  /** How many calls of a thread can be unfinished at a time, of those on one queue pair, and of those on none. */
  readonly room: number;
  /** May threads stay for ever before an iteration of the `loop` that they end with? */
  readonly resting: boolean;
}

const known = new WeakMap<MachineLayers, WeakMap<InstructionSet, ModelRelations>>();

/** What a model with these layers asks of calls, which is the same for all programs in the same instructions. */
export function relationsOf(
  model: Model,
  layers: MachineLayers,
  instructions: InstructionSet,
): ModelRelations {
  const own = known.get(layers) ?? new WeakMap<InstructionSet, ModelRelations>();
  known.set(layers, own);
  const relations = own.get(instructions) ?? new ModelRelations(model, layers, instructions);
  own.set(instructions, relations);
  return relations;
}

/** The machine that a model is, for a program in its instructions; or why it is none for this program. */
export function machineOf(program: Program, model: Model, asked: Prepared): Machine | Refusal {
  const { bound, resting } = asked;
  const flow = { resting, ...(bound !== undefined && { bound }) };
  const uses = waysOfUses(useClassesOf(program, flow), program);
  const judged = judgeCalls(uses, program, model);
  if ('message' in judged) return judged;
  const { calls, relations, ranked, beyond } = judged;
  const layout = layoutOf(program, calls, asked.room, asked, beyond);
  return new Machine(layout, relations, ranked, asked, beyond);
}

/** Why a model that is a machine is none for a program, and the call of which it shows. */
export function refusedCall(program: Program, model: Model): Diagnostic | undefined {
  const uses = waysOfUses(useClassesOf(program, { resting: false }), program);
  const judged = judgeCalls(uses, program, model);
  if (!('message' in judged) || judged.call === undefined) return undefined;
  const span = spanOf(judged.call, uses);
  if (span === undefined) return undefined;
  const { message, hint } = judged;
  return {
    span,
    message: `${model.name} is no machine for this program: ${message}`,
    ...(hint !== undefined && { hint }),
  };
}

/** The place of the first use that makes a call. */
function spanOf(call: CallSite, { flows, classAt, classes, variants }: Calls): Span | undefined {
  const of = classes.indexOf(call.message?.use ?? call);
  for (const [t, { steps }] of flows.entries()) {
    const step = steps[classAt[t].findIndex((one) => one >= 0 && variants[one].includes(of))];
    if (step?.kind === 'use') return step.use.span;
  }
  return undefined;
}

/** Has a model a machine for these calls? */
function judgeCalls(uses: Calls, program: Program, model: Model) {
  const { instructions } = program;
  const layers = layersFor(uses, program, model);
  if ('message' in layers) return layers;
  const large = tooLarge(uses.classes);
  if (large !== undefined) return large;
  const relations = relationsOf(model, layers, instructions);
  const calls = joinMessages(uses, program, relations);
  if ('message' in calls) return calls;
  const ranked = instructions.guesses.flatMap((guess) => (guess.how === 'kth' ? [guess.name] : []));
  const orders = new Orders(calls.classes, relations);
  const threads = new Threads(calls.classes, relations, ranked, orders);
  const counted = instructions.guesses.flatMap(({ how, name }) =>
    how === 'counted' ? [name] : [],
  );
  const refusal = refusalFor(calls.classes, relations, threads, [...ranked, ...counted]);
  if (refusal !== undefined) return refusal;
  const beyond = { orders, queues: new Queues(calls.classes, relations) };
  return { calls, relations, ranked, beyond };
}

/** The layers of a model that has a machine for what a program has. */
export const layersFor = (
  { flows }: UseClasses,
  program: Program,
  model: Model,
): MachineLayers | Refusal =>
  readLayers(model, {
    instructions: program.instructions,
    called: flows.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'use' ? [step.use.operation] : [])),
    ),
    shares: usesShared(program),
  });

/** Why nothing is known of a program, whose calls the machine of its model does not take. */
export const noMachineFor = ({ message }: Refusal): string =>
  `the model is no machine for this program: ${message}`;

/** Why nothing is known of who waits for ever. */
export const FORESEES =
  'a message can take one of several receives, and the machine chooses which before it has arrived: that does not tell who waits for ever';
