// Runs a command of a bundle, and leaves V8's code for it beside it: `node scripts/keep-code.js BUNDLE COMMAND`. It is JavaScript, as
// nothing may run in this process but what runs for users.
// @ts-check
import { pathToFileURL } from 'node:url';
import { compileBundle, keepCode, start } from '../dist/node/bundle.js';

const [node, script, file, ...command] = process.argv;
const bundle = pathToFileURL(file);
process.argv = [node, script, ...command];
const compiled = compileBundle(bundle);
process.on('exit', () => keepCode(bundle, compiled));
start(bundle, 'cli/main', compiled);
