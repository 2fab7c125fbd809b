import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { Language, Parser } from 'web-tree-sitter';
import { plainTree } from '../c/plain.js';
import { readC } from '../c/said.js';
import { asC } from '../c/cpp.js';
import { setCParser, setCppParser } from '../c/tree.js';
import { setInterfaces } from '../c/interfaces.js';
import { interfaceTables } from './interfaces.js';
import { setCReader } from '../program/read.js';

/** The grammar of C, which the build puts there. */
const GRAMMAR = new URL('../grammars/tree-sitter-c.wasm.gz', import.meta.url);

/** Starts tree-sitter with the grammar of C, and has C files read. */
export async function startC(): Promise<void> {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(gunzipSync(readFileSync(GRAMMAR))));
  setCParser((text) => plainTree(parser.parse(text)!.rootNode, text));
  await startCpp();
  setInterfaces(interfaceTables());
  setCReader(readC);
}

/** Has C++ read, if its grammar is installed beside this package. */
async function startCpp(): Promise<void> {
  let file: string;
  try {
    file = createRequire(import.meta.url).resolve('tree-sitter-cpp/tree-sitter-cpp.wasm');
  } catch {
    return;
  }
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(file)));
  setCppParser((text) => asC(plainTree(parser.parse(text)!.rootNode, text)));
}
