// Runs a command of a bundle, and leaves V8's code for it beside it: `node scripts/keep-code.js BUNDLE COMMAND`. It is JavaScript, as
// nothing may run in this process but what runs for users.
// @ts-check
import { pathToFileURL } from 'node:url';
import { compileBundle, start } from '../dist/node/bundle.js';
import { keepCode } from '../dist/node/kept-code.js';

const [node, script, file, ...command] = process.argv;
const bundle = pathToFileURL(file);
process.argv = [node, script, ...command];
const compiled = compileBundle(bundle);
process.on('exit', () => keepCode(compiled.built, compiled.script));
start(bundle, 'cli/main', compiled);
