import { deflateSync } from 'node:zlib';

/** A text as small as zlib makes it, in Base64: for what pages unpack in the browser. */
export const packed = (text: string): string => deflateSync(text, { level: 9 }).toString('base64');
