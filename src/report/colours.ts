import { createColors } from 'picocolors';

export type Colours = ReturnType<typeof createColors>;

/** The globals of Node.js that matter here. A browser has none of them, and gets no colours. */
interface NodeGlobals {
  readonly process?: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stdout: { readonly isTTY?: boolean };
  };
}

const { env = {}, stdout } = (globalThis as NodeGlobals).process ?? {};

/** Colours, on a terminal or with FORCE_COLOR; never with NO_COLOR. */
export const COLOURS: Colours = createColors(
  !env['NO_COLOR'] && (Boolean(env['FORCE_COLOR']) || stdout?.isTTY === true),
);

/** None, for texts that are not for a terminal. */
export const PLAIN: Colours = createColors(false);
