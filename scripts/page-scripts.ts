// Bundles the scripts of pages of `remora report` to text, which is in the sources that make the pages.
import { writeFileSync } from 'node:fs';
import { buildSync } from 'esbuild';

const FOLDER = 'src/report/site';

/** The scripts, by the names of their texts. */
const SCRIPTS = {
  TEST_SCRIPT: 'test-page',
  INDEX_SCRIPT: 'index-page',
};

/** Writes `scripts.bundle.ts`. */
export function writePageScripts(): void {
  const lines = Object.entries(SCRIPTS).map(
    ([name, script]) => `export const ${name} = ${JSON.stringify(textOf(script))};\n`,
  );
  writeFileSync(`${FOLDER}/scripts.bundle.ts`, lines.join(''));
}

/** Plain scripts, no modules: pages are opened as files, too. */
function textOf(script: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [`${FOLDER}/browser/${script}.ts`],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2018',
    write: false,
  });
  return outputFiles[0].text;
}
