import type { Question } from './question.js';

/** Longer links are refused, and texts that a link would unpack to beyond this. */
const LONGEST = 100_000;
const LARGEST = 200_000;

/** What browsers pack and unpack by themselves, with the fewest bytes around it. */
const PACKED = 'deflate-raw';

/** What a link begins with: what is asked. */
const UNDER_MODELS = 1;
const ON_FABRICS = 2;

/** A question as the part of an address behind `#`: JSON, packed, in letters that addresses take. */
export async function toLink({ litmus, models, onFabrics = false }: Question): Promise<string> {
  const data = [
    onFabrics ? ON_FABRICS : UNDER_MODELS,
    litmus,
    ...models.map(({ name, text }) => (text === undefined ? name : [name, text])),
  ];
  const packing = new Blob([JSON.stringify(data)])
    .stream()
    .pipeThrough(new CompressionStream(PACKED));
  let binary = '';
  for (const byte of new Uint8Array(await new Response(packing).arrayBuffer()))
    binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The question in a link, or what is wrong with it. */
export async function fromLink(link: string): Promise<Question | { readonly wrong: string }> {
  if (link.length > LONGEST) return { wrong: 'This link is too long.' };
  if (!/^[\w-]*$/.test(link)) return BROKEN;
  try {
    const binary = atob(link.replaceAll('-', '+').replaceAll('_', '/'));
    const text = await unpacked(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
    if (text === undefined)
      return { wrong: 'This link holds more than a program and a few models.' };
    return questionIn(JSON.parse(text)) ?? BROKEN;
  } catch {
    return BROKEN;
  }
}

const BROKEN = { wrong: 'This link is broken: it may have been cut off.' };

/** Undefined where it would be too much: a short link can unpack to gigabytes. */
async function unpacked(packed: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  // It unpacks a little at a time, and goes on when that is read.
  const reader = new Blob([packed])
    .stream()
    .pipeThrough(new DecompressionStream(PACKED))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > LARGEST) {
      await reader.cancel();
      return undefined;
    }
  }
}

/** Reads what was packed; anything else is refused. */
function questionIn(data: unknown): Question | undefined {
  if (!Array.isArray(data) || typeof data[1] !== 'string') return undefined;
  const onFabrics = data[0] === ON_FABRICS;
  if (!onFabrics && data[0] !== UNDER_MODELS) return undefined;
  const models = data.slice(2).map((model: unknown) => {
    if (typeof model === 'string') return { name: model };
    const isOwn =
      Array.isArray(model) && model.length === 2 && model.every((s) => typeof s === 'string');
    return isOwn ? { name: model[0] as string, text: model[1] as string } : undefined;
  });
  const known = models.filter((model) => model !== undefined);
  return known.length === models.length && known.length <= MODELS
    ? { litmus: data[1], models: known, ...(onFabrics && { onFabrics }) }
    : undefined;
}

/** More models than this no link has. */
const MODELS = 20;
