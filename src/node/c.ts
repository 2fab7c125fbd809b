import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Tree from 'web-tree-sitter';
import type { CNode } from '../c/tree.js';
import { hasCParser, setCParser } from '../c/tree.js';

/** The grammar of C, which the build puts there. */
const GRAMMAR = new URL('../grammars/tree-sitter-c.wasm', import.meta.url);

/** Starts the parser of C (some 40 ms), once. */
export async function loadC(): Promise<void> {
  if (hasCParser()) return;
  const require = createRequire(import.meta.url);
  const { Language, Parser } = require('web-tree-sitter') as typeof Tree;
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(fileURLToPath(GRAMMAR))));
  setCParser((text) => parser.parse(text)!.rootNode as CNode);
}
