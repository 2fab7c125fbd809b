/** All commands. The modules of a command are loaded when it is needed, since commands share few of them. */
import type { Command } from 'commander';

type Load = () => Promise<Command>;

/** The commands below their headings, as the general help lists them. */
const HEADINGS: { readonly [heading: string]: { readonly [name: string]: Load } } = {
  'Programs:': {
    check: async () => (await import('./check/check.js')).checkCommand(),
    outcomes: async () => (await import('./outcomes.js')).outcomesCommand(),
    explain: async () => (await import('./explain/command.js')).explainCommand(),
    explore: async () => (await import('./explore/command.js')).exploreCommand(),
    fabrics: async () => (await import('./fabrics.js')).fabricsCommand(),
    tidy: async () => (await import('./tidy.js')).tidyCommand(),
    robust: async () => (await import('./robust/command.js')).robustCommand(),
    distribute: async () => (await import('./distribute.js')).distributeCommand(),
    c: async () => (await import('./c.js')).cCommand(),
    fmt: async () => (await import('./fmt.js')).fmtCommand(),
  },
  'Cards:': {
    run: async () => (await import('./run.js')).runCommand(),
    emit: async () => (await import('./emit.js')).emitCommand(),
    measured: async () => (await import('./measured.js')).measuredCommand(),
  },
  'Models and libraries:': {
    compare: async () => (await import('./compare.js')).compareCommand(),
    distinguish: async () => (await import('./distinguish/command.js')).distinguishCommand(),
    synthesise: async () => (await import('./synthesise/command.js')).synthesiseCommand(),
    refine: async () => (await import('./refine/command.js')).refineCommand(),
    instructions: async () => (await import('./instructions.js')).instructionsCommand(),
    machine: async () => (await import('./machine.js')).machineCommand(),
  },
  'Corpora:': {
    test: async () => (await import('./check/test.js')).testCommand(),
    report: async () => (await import('./report/command.js')).reportCommand(),
    merge: async () => (await import('./merge/command.js')).mergeCommand(),
    campaign: async () => (await import('./campaign/command.js')).campaignCommand(),
  },
  'Second opinions:': {
    agree: async () => (await import('./agree/command.js')).agreeCommand(),
    verify: async () => (await import('./verify.js')).verifyCommand(),
    export: async () => (await import('./export/command.js')).exportCommand(),
  },
  'Editors and shells:': {
    lsp: async () => (await import('./lsp.js')).lspCommand(),
    completion: async () => (await import('./completion/command.js')).completionCommand(),
  },
};

export const COMMAND_NAMES: readonly string[] = Object.values(HEADINGS).flatMap(Object.keys);

/**
 * Makes some commands, in the order of the general help. Each command line needs new ones, since commander keeps what
 * it has read.
 */
export async function makeCommands(
  isWanted: (name: string) => boolean,
): Promise<readonly Command[]> {
  const made: Command[] = [];
  for (const [heading, commands] of Object.entries(HEADINGS)) {
    for (const [name, load] of Object.entries(commands)) {
      if (isWanted(name)) made.push((await load()).helpGroup(heading));
    }
  }
  return made;
}
