/**
 * A key that is the same for `start`, `work` and `watch` of a campaign: anything that others put into Redis is then
 * ignored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { UsageError } from '../../command/usage.js';

/** The environment variable with the key. It is no option, since others can read command lines. */
export const KEY = 'REMORA_CAMPAIGN_KEY';

/** A shorter one could be guessed. */
const SHORTEST = 16;

/** Signs texts of one campaign, each together with what it is. Without a key, nothing is signed. */
export interface Signer {
  /** Is there a key? */
  readonly keyed: boolean;
  /** The HMAC of a text; undefined without a key. */
  sign(...parts: readonly string[]): string | undefined;
}

/**
 * Reads the key and removes it from the environment, so that the solvers that workers start do not get it.
 *
 * @throws UsageError
 */
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

/** Is `b` the signature `a`? Without a key there is no `a`, and anything passes. They are compared in constant time. */
export const isSame = (a: string | undefined, b: unknown): boolean =>
  a === undefined ||
  (typeof b === 'string' &&
    a.length === b.length &&
    timingSafeEqual(Buffer.from(a), Buffer.from(b)));
