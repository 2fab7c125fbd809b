import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** What the bundle is: a function that gives the modules that can be started, by their names. */
type Bundle = (
  require: NodeJS.Require,
  /** Its own URL: modules find the package's files by it. */
  url: string,
) => Readonly<Record<string, () => unknown>>;

/** Bytes of a digest. */
const DIGEST = 32;

/**
 * Compiles the bundle, which is a script that `npm run build` leaves at a URL. V8's code for it is taken from the build,
 * if it is of this text and of this version of Node.
 */
export function compileBundle(bundle: URL): Script {
  const filename = fileURLToPath(bundle);
  const text = readFileSync(filename);
  return new Script(text.toString(), { filename, cachedData: keptCode(bundle, text) });
}

/** Starts a module of the bundle, and gives what it exports. */
export function start(bundle: URL, name: string, script = compileBundle(bundle)): unknown {
  const run = script.runInThisContext() as Bundle;
  return run(createRequire(bundle), bundle.href)[name]();
}

/** Leaves V8's code for all functions of the bundle that have run so far, beside it. */
export function keepCode(bundle: URL, script: Script): void {
  const code = script.createCachedData();
  const digest = digestOf(readFileSync(bundle), code);
  writeFileSync(codeFile(bundle), Buffer.concat([digest, code]));
}

function keptCode(bundle: URL, text: Buffer): Buffer | undefined {
  let kept: Buffer;
  try {
    kept = readFileSync(codeFile(bundle));
  } catch {
    return undefined;
  }
  const code = kept.subarray(DIGEST);
  return kept.subarray(0, DIGEST).equals(digestOf(text, code)) ? code : undefined;
}

const codeFile = (bundle: URL): URL => new URL('remora.code', bundle);

/** V8 itself looks at its version, its flags and the length of the text: it would take code that is damaged, or of another text. */
function digestOf(text: Buffer, code: Buffer): Buffer {
  const { version, platform, arch } = process;
  return createHash('sha256')
    .update(`${version} ${platform} ${arch} `)
    .update(text)
    .update(code)
    .digest();
}
