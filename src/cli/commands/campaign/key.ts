/** A key that those share who start, do and watch a campaign: what others put into Redis then counts for nothing. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { UsageError } from '../../command/usage.js';

/** The variable of the environment that has it: others can read command lines. */
export const KEY = 'REMORA_CAMPAIGN_KEY';

/** A shorter one could be guessed. */
const SHORTEST = 16;

/** Marks texts of one campaign: what each is, and the text. Without a key, nothing is marked. */
export interface Signer {
  /** Is there a key? */
  readonly keyed: boolean;
  /** The HMAC of a text; undefined without a key. */
  sign(...parts: readonly string[]): string | undefined;
}

/** Takes the key from the environment: it is not for the solvers that workers start. @throws UsageError */
export function takeKey(): string | undefined {
  const key = process.env[KEY];
  delete process.env[KEY];
  if (key !== undefined && key.length < SHORTEST) {
    throw new UsageError(`${KEY} needs ${SHORTEST} characters or more: openssl rand -hex 32`);
  }
  return key;
}

export function signer(key: string | undefined, name: string): Signer {
  return {
    keyed: key !== undefined,
    sign(...parts) {
      if (key === undefined) return undefined;
      const text = JSON.stringify(['remora campaign', name, ...parts]);
      return createHmac('sha256', key).update(text).digest('hex');
    },
  };
}

/** Are these the same mark? */
export const isSame = (a: string | undefined, b: unknown): boolean =>
  a === undefined ||
  (typeof b === 'string' &&
    a.length === b.length &&
    timingSafeEqual(Buffer.from(a), Buffer.from(b)));
