import { Inflate, deflateSync, strFromU8, strToU8 } from 'fflate';
import type { Question } from './question.js';

/** Longer links are refused, and texts that a link would unpack to beyond this. */
const LONGEST = 100_000;
const LARGEST = 200_000;

/** A question as the part of an address behind `#`: JSON, packed, in letters that addresses take. */
export function toLink({ litmus, models }: Question): string {
  const data = [
    1,
    litmus,
    ...models.map(({ name, text }) => (text === undefined ? name : [name, text])),
  ];
  const packed = deflateSync(strToU8(JSON.stringify(data)), { level: 9 });
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The question in a link, or what is wrong with it. */
export function fromLink(link: string): Question | { readonly wrong: string } {
  if (link.length > LONGEST) return { wrong: 'This link is too long.' };
  if (!/^[\w-]*$/.test(link)) return BROKEN;
  try {
    const binary = atob(link.replaceAll('-', '+').replaceAll('_', '/'));
    const text = unpacked(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
    if (text === undefined)
      return { wrong: 'This link holds more than a program and a few models.' };
    return questionIn(JSON.parse(text)) ?? BROKEN;
  } catch {
    return BROKEN;
  }
}

const BROKEN = { wrong: 'This link is broken: it may have been cut off.' };

/** Undefined where it would be too much: a short link can unpack to gigabytes. */
function unpacked(packed: Uint8Array): string | undefined {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const inflate = new Inflate((chunk) => {
    length += chunk.length;
    if (length <= LARGEST) chunks.push(chunk);
  });
  // A little at a time, so that what is too large is noticed early.
  for (let at = 0; at < packed.length && length <= LARGEST; at += 1024) {
    inflate.push(packed.subarray(at, at + 1024), at + 1024 >= packed.length);
  }
  if (length > LARGEST) return undefined;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return strFromU8(all);
}

/** Reads what was packed; anything else is refused. */
function questionIn(data: unknown): Question | undefined {
  if (!Array.isArray(data) || data[0] !== 1 || typeof data[1] !== 'string') return undefined;
  const models = data.slice(2).map((model: unknown) => {
    if (typeof model === 'string') return { name: model };
    const isOwn =
      Array.isArray(model) && model.length === 2 && model.every((s) => typeof s === 'string');
    return isOwn ? { name: model[0] as string, text: model[1] as string } : undefined;
  });
  const known = models.filter((model) => model !== undefined);
  return known.length === models.length && known.length <= MODELS
    ? { litmus: data[1], models: known }
    : undefined;
}

/** More models than this no link has. */
const MODELS = 20;
