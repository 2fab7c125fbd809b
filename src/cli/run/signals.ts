/** The signals by which people and systems end a command. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals that do not end the process, for a command that ends by itself soon after a signal. */
export interface Heeded {
  /** Lets waiting signals be delivered, and says whether there was one. */
  interrupted(): Promise<boolean>;
  /** From now on, a signal ends the process. */
  release(): void;
}

/** Heeds signals until they are released. */
export function heedSignals(): Heeded {
  let signalled = false;
  const heed = (): void => void (signalled = true);
  for (const signal of SIGNALS) process.on(signal, heed);
  return {
    async interrupted() {
      await new Promise((resolve) => setImmediate(resolve));
      return signalled;
    },
    release() {
      for (const signal of SIGNALS) process.removeListener(signal, heed);
    },
  };
}
