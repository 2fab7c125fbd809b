import type { Request } from './request.js';

/** What a server says to a process that runs commands for it. Signals go as signals. */
export type ToRunner =
  | { readonly kind: 'command'; readonly request: Request }
  | { readonly kind: 'input'; readonly bytes: Buffer }
  | { readonly kind: 'inputEnd' }
  | { readonly kind: 'inputFailed'; readonly code: string };

/** What such a process says. */
export type FromRunner =
  | { readonly kind: 'stdout' | 'stderr'; readonly bytes: Buffer }
  /** The command reads standard input: one message with a part of it, or its end, is wanted. */
  | { readonly kind: 'wantsInput' }
  /** The command has ended; `reusable`: whether the process is as good as new. */
  | { readonly kind: 'done'; readonly code: number; readonly reusable: boolean };
