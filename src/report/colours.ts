import { createColors } from 'picocolors';

export type Colours = ReturnType<typeof createColors>;

/** What is used of the globals of Node.js. A browser has none of them, and so gets no colours. */
interface NodeGlobals {
  readonly process?: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stdout: { readonly isTTY?: boolean };
  };
}

const COLOURED = createColors(true);

/** No colours: for texts that never go to a terminal. */
export const PLAIN: Colours = createColors(false);

/**
 * Colours on a terminal, or with FORCE_COLOR; never with NO_COLOR. This is decided anew for each text, because one
 * process may run a command for a terminal and then one for a file (cli/call.ts).
 */
export const COLOURS: Colours = new Proxy(PLAIN, {
  get: (_, name: keyof Colours) => (areWanted() ? COLOURED : PLAIN)[name],
});

function areWanted(): boolean {
  const { env = {}, stdout } = (globalThis as NodeGlobals).process ?? {};
  return !env['NO_COLOR'] && (Boolean(env['FORCE_COLOR']) || stdout?.isTTY === true);
}
