/** What goes over a connection: frames, each of a kind (a byte), a length (four bytes, the highest first) and so many bytes. */

/** The kinds of frames, and who sends them. */
const KINDS = [
  // Both, before all else, where there is a token.
  'challenge',
  'proof',
  // The client.
  'request',
  'input',
  'inputEnd',
  'inputFailed',
  'signal',
  // The server.
  'stdout',
  'stderr',
  'wantsInput',
  'end',
  'refusal',
] as const;

export type FrameKind = (typeof KINDS)[number];

export interface Frame {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
}

const HEAD = 5;

/** The bytes of a frame. Its content is text, or bytes as they are. */
export function frame(kind: FrameKind, content: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(HEAD);
  head.writeUInt8(KINDS.indexOf(kind), 0);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Reads frames from bytes as they come. */
export interface FrameReader {
  /** The frames that are complete now; undefined if this is no frame, or one that is too large. */
  push(bytes: Buffer): readonly Frame[] | undefined;
}

/** @param largest how long the content of a frame may be */
export function createFrameReader(largest: number): FrameReader {
  let rest = Buffer.alloc(0);
  return {
    push(bytes) {
      rest = Buffer.concat([rest, bytes]);
      const frames: Frame[] = [];
      while (rest.length >= HEAD) {
        const kind = KINDS[rest.readUInt8(0)] as FrameKind | undefined;
        const length = rest.readUInt32BE(1);
        if (kind === undefined || length > largest) return undefined;
        if (rest.length < HEAD + length) break;
        frames.push({ kind, bytes: rest.subarray(HEAD, HEAD + length) });
        rest = rest.subarray(HEAD + length);
      }
      return frames;
    },
  };
}
