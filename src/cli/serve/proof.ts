/**
 * Each side proves to the other that it has the token, and neither says it: who listens in, or waits at a port that a server
 * has left, does not learn it. Both send a challenge, and answer that of the other (HMAC-SHA-256 of their role and both).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

type Role = 'server' | 'client';

const BYTES = 32;

export interface Prover {
  /** What the other side is to answer. */
  readonly challenge: Buffer;
  /** The answer to a challenge. */
  answer(challenge: Buffer): Buffer;
  /** Does the other side have the token? In constant time. */
  accepts(challenge: Buffer, answer: Buffer): boolean;
}

export function createProver(token: string, role: Role): Prover {
  const own = randomBytes(BYTES);
  const proof = (by: Role, other: Buffer): Buffer => {
    const [server, client] = role === 'server' ? [own, other] : [other, own];
    return createHmac('sha256', token)
      .update(`remora ${by}\0`)
      .update(server)
      .update(client)
      .digest();
  };
  const others = role === 'server' ? 'client' : 'server';
  return {
    challenge: own,
    answer: (challenge) => proof(role, challenge),
    accepts(challenge, answer) {
      const right = proof(others, challenge);
      return (
        challenge.length === BYTES &&
        answer.length === right.length &&
        timingSafeEqual(answer, right)
      );
    },
  };
}
