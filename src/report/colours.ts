import { createColors } from 'picocolors';

export type Colours = ReturnType<typeof createColors>;

/** The globals of Node.js that matter here. A browser has none of them, and gets no colours. */
interface NodeGlobals {
  readonly process?: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stdout: { readonly isTTY?: boolean };
  };
}

const COLOURED = createColors(true);

/** None, for texts that are not for a terminal. */
export const PLAIN: Colours = createColors(false);

/**
 * Colours, on a terminal or with FORCE_COLOR; never with NO_COLOR. Each text goes by how things are when it is made: one
 * process may run a command for a terminal, and then one for a file (cli/call.ts).
 */
export const COLOURS: Colours = new Proxy(PLAIN, {
  get: (_, name: keyof Colours) => (areWanted() ? COLOURED : PLAIN)[name],
});

function areWanted(): boolean {
  const { env = {}, stdout } = (globalThis as NodeGlobals).process ?? {};
  return !env['NO_COLOR'] && (Boolean(env['FORCE_COLOR']) || stdout?.isTTY === true);
}
