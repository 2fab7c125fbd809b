import { createColors } from 'picocolors';

export type Colours = ReturnType<typeof createColors>;

/** What Node has of this; a browser has nothing, and no colours. */
interface NodeGlobals {
  readonly process?: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stdout: { readonly isTTY?: boolean };
  };
}

const { env = {}, stdout } = (globalThis as NodeGlobals).process ?? {};

/** Colours where people watch or ask for them, and never with NO_COLOR. */
export const COLOURS: Colours = createColors(
  !env['NO_COLOR'] && (Boolean(env['FORCE_COLOR']) || stdout?.isTTY === true),
);
