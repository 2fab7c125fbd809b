import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Language, Parser } from 'web-tree-sitter';
import { plainTree } from '../c/plain.js';
import { readC } from '../c/said.js';
import { setCParser } from '../c/tree.js';
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
  setInterfaces(interfaceTables());
  setCReader(readC);
}
