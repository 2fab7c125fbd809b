import { setFlagsFromString } from 'node:v8';

declare global {
  interface ImportMeta {
    /** Leaves V8's code to later starts, if that is due (see `bundle.ts`). The build puts it in; modules by themselves have none. */
    readonly leaveCode?: () => void;
  }
}

/** Is called before flags of V8 change, here or in a worker: they are the same in all threads, and V8 takes code only under the flags that it was made with. */
export const beforeFlags = (): void => import.meta.leaveCode?.();

/** Sets flags of V8. */
export function setFlags(flags: readonly string[]): void {
  beforeFlags();
  flags.forEach((flag) => setFlagsFromString(flag));
}
