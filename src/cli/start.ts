/** The first thing that runs: it loads the command line, or what asks a server to run the command. */
import { start } from '../node/bundle.js';
import { chooseServer } from './serve/choice.js';
import type { askServer } from './serve/client.js';

/** What asks a server, in a script of its own (scripts/bundler.js). */
interface Client {
  readonly askServer: typeof askServer;
}

/**
 * @param bundle where the bundle is
 * @param client where the script is that asks a server
 * @param build tells the build of both
 */
export async function startCommand(bundle: URL, client: URL, build: string): Promise<void> {
  const [node, script, ...given] = process.argv;
  const { words, server } = chooseServer(given, process.env['REMORA_SERVER']);
  if (server !== undefined) {
    const loaded = (await import(client.href)) as Client;
    if ((await loaded.askServer(words, server, build)) === 'done') return;
  }
  process.argv = [node, script, ...words];
  start(bundle, 'cli/main');
}
