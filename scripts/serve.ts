// Serves static files to this machine.
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sirv from 'sirv';

/** The names of this machine. A page elsewhere that has its own name lead here is told nothing. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

export interface Served {
  readonly server: Server;
  readonly address: string;
}

/** Serves a folder as it is now, on this machine, and to nobody else. Pages are isolated, as hosts should have them. */
export function serve(folder: string, port = 0): Promise<Served> {
  const files = sirv(folder, {
    setHeaders(response: ServerResponse, path: string) {
      // Their names change with what is in them.
      if (path.includes('/parts/'))
        response.setHeader('cache-control', 'max-age=31536000, immutable');
      response.setHeader('cross-origin-opener-policy', 'same-origin');
      response.setHeader('cross-origin-embedder-policy', 'require-corp');
    },
  });
  const server = createServer((request, response) => {
    if (!LOOPBACK.test(request.headers.host ?? '')) {
      response.writeHead(403).end('This is served under the names of this machine alone.');
      return;
    }
    files(request, response, () => {
      response.writeHead(404).end('There is no such page.');
    });
  });
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      done({ server, address: `http://127.0.0.1:${port}/` });
    });
  });
}
