// Compiles the nearley grammars to TypeScript. The output is generated code: it is not type-checked.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const nearleyc = createRequire(import.meta.url).resolve('nearley/bin/nearleyc.js');
for (const language of ['cat', 'litmus']) {
  const grammar = `src/parse/${language}`;
  const code = execFileSync(process.execPath, [nearleyc, `${grammar}.ne`], { encoding: 'utf8' });
  writeFileSync(`${grammar}.grammar.ts`, `// @ts-nocheck\n${code}`);
}
