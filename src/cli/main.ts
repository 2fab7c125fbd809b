import { runCommand } from './program.js';
import { watchOutput } from './print/terminal.js';

watchOutput();
void runCommand(process.argv.slice(2)).then((code) => (process.exitCode = code));
