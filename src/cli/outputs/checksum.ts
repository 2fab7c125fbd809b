/**
 * The line, or the PNG chunk, at the end of every file that Remora writes. It has the checksum of everything before it.
 * By this, Remora knows which files it wrote and nobody changed: only these may be replaced.
 */
import { crc32 } from 'node:zlib';
import { contentOf } from '../inputs/shard.js';

/** The formats of outputs. */
export type OutputKind =
  | 'litmus'
  // A litmus test of herd7.
  | 'herd'
  | 'markdown'
  | 'c'
  | 'dot'
  | 'svg'
  | 'png'
  | 'smt2'
  | 'pml'
  | 'proof'
  | 'cnf'
  | 'drat';

const MARK = 'written by Remora, sha256:';

/** How a comment begins and ends in each text format. */
const COMMENT = {
  litmus: ['# ', ''],
  herd: ['(* ', ' *)'],
  markdown: ['\n<!-- ', ' -->'],
  c: ['/* ', ' */'],
  proof: ['# ', ''],
  cnf: ['c ', ''],
  drat: ['c ', ''],
  dot: ['// ', ''],
  svg: ['<!-- ', ' -->'],
  smt2: ['; ', ''],
  pml: ['/* ', ' */'],
} as const;

const TEXTS = Object.keys(COMMENT) as (keyof typeof COMMENT)[];

/** The last chunk of every PNG. Nothing may follow it. */
const IEND = Buffer.from('0000000049454e44ae426082', 'hex');

/** The keyword of the text chunk with the checksum. */
const KEYWORD = 'Comment\0';
const CHUNK_HEAD = 8 + KEYWORD.length;

/** The bytes of an output, with its checksum. */
export function withChecksum(content: string | Uint8Array, kind: OutputKind): Buffer {
  const bytes = Buffer.from(content as Uint8Array);
  if (kind === 'png') return pngWithChecksum(bytes.subarray(0, bytes.length - IEND.length));
  const body = bytes.at(-1) === 0x0a ? bytes : Buffer.concat([bytes, Buffer.from('\n')]);
  const [open, close] = COMMENT[kind];
  return Buffer.concat([body, Buffer.from(`${open}${MARK}${contentOf(body)}${close}\n`)]);
}

/** Is this exactly a file that `withChecksum` made, of this kind, or of any? */
export function hasChecksum(file: Buffer, kind?: OutputKind): boolean {
  const at = file.lastIndexOf(MARK);
  if (at === -1) return false;
  const kinds = kind === undefined ? [...TEXTS, 'png' as const] : [kind];
  return kinds.some((one) => {
    const end = at - (one === 'png' ? CHUNK_HEAD : COMMENT[one][0].length);
    const body = file.subarray(0, Math.max(0, end));
    return (one === 'png' ? pngWithChecksum(body) : withChecksum(body, one)).equals(file);
  });
}

/** A PNG, given without its last chunk. */
function pngWithChecksum(body: Buffer): Buffer {
  const text = Buffer.from(`tEXt${KEYWORD}${MARK}${contentOf(body)}`, 'latin1');
  const number = (n: number): Buffer => {
    const four = Buffer.alloc(4);
    four.writeUInt32BE(n);
    return four;
  };
  return Buffer.concat([body, number(text.length - 4), text, number(crc32(text)), IEND]);
}
