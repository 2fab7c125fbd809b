import type { Refusal } from '../machine/layers.js';
import type { LabelRules } from '../machine/rules.js';
import { machineRules } from '../machine/rules.js';
import { loadModel } from '../model/load.js';
import type { Model } from '../model/term.js';
import { machineLabelText } from '../report/machine.js';
import { touches } from './links.js';
import type { Workspace } from './workspace.js';

/** What was last found out: it takes a second, and is asked again and again about the same text. */
let last: { readonly text: string; readonly rules: readonly LabelRules[] | Refusal } | undefined;

/**
 * What the machine that a model file is does with the events of a label; and, at an axiom, whether there is a machine, or why there is none. As Markdown; nothing
 * elsewhere, and in files that are only included.
 */
export function machineAt(
  path: string,
  offset: number,
  word: string,
  workspace: Workspace,
): readonly string[] {
  const { model: loaded, sources } = loadModel(path, workspace.files);
  if (!loaded.ok || loaded.value.axioms.every(({ flag }) => flag)) return [];
  const model = loaded.value;
  const axiom = model.axioms.find(
    ({ span, flag }) => !flag && span.file === path && touches(span, offset),
  );
  const label = model.instructions.labels.find(({ name }) => name === word);
  if (axiom === undefined && label === undefined) return [];
  const rules = rulesOf(model, [...sources.values()].map(({ text }) => text).join());
  if ('message' in rules) return axiom === undefined ? [] : [noMachine(rules)];
  if (label === undefined) return ['This model is a machine: `remora machine` prints it.'];
  return [`Its machine:\n\n\`\`\`\n${machineLabelText({ model, rules }, label.name)}\n\`\`\``];
}

function rulesOf(model: Model, text: string): readonly LabelRules[] | Refusal {
  if (last?.text !== text) last = { text, rules: machineRules(model) };
  return last.rules;
}

const noMachine = ({ message, hint }: Refusal): string =>
  `This model is no machine: ${message}${hint === undefined ? '' : `; ${hint}`}.`;
