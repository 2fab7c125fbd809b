import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../scripts/serve.js';

/** What `npm run site -- --open` serves, to whom, and what it withstands. */

const folder = mkdtempSync(join(tmpdir(), 'remora-served-'));
let port: number;
let close: () => void;

beforeAll(async () => {
  for (const name of ['site', 'site-private']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'site/index.html'), 'the site');
  writeFileSync(join(folder, 'site/page.html'), 'a page');
  writeFileSync(join(folder, 'site-private/key'), 'private');
  const { server, address } = await serve(join(folder, 'site'));
  port = Number(new URL(address).port);
  close = () => server.close();
});
afterAll(() => {
  close();
  rmSync(folder, { recursive: true });
});

/** The answer to a path that goes out as it stands: `fetch` would mend it. */
const get = (path: string, host = `127.0.0.1:${port}`) =>
  new Promise<{ status?: number; text: string; isolated: boolean }>((resolve, reject) => {
    request({ port, path, headers: { host } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          text: Buffer.concat(chunks).toString(),
          isolated: response.headers['cross-origin-embedder-policy'] === 'require-corp',
        }),
      );
    })
      .on('error', reject)
      .end();
  });

describe('the site on this machine', () => {
  test('has its pages, isolated', async () => {
    expect(await get('/')).toEqual({ status: 200, text: 'the site', isolated: true });
    expect(await get('/page')).toEqual({ status: 200, text: 'a page', isolated: true });
    expect((await get('/nothing')).status).toBe(404);
  });

  test('says that its port is taken', async () => {
    await expect(serve(join(folder, 'site'), port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('goes on after a path that is none', async () => {
    for (const path of ['/%ff', '/%', '/%00', '//', '/\\']) {
      expect([400, 404]).toContain((await get(path)).status);
    }
    expect((await get('/')).status).toBe(200);
  });

  test.each(['/..%2fsite-private/key', '/../site-private/key', '/%2e%2e/site-private/key'])(
    'has nothing of the folder beside it: %s',
    async (path) => {
      const { status, text } = await get(path);
      expect([400, 404]).toContain(status);
      expect(text).not.toContain('private');
    },
  );

  test('is there under the names of this machine alone', async () => {
    expect((await get('/', `localhost:${port}`)).status).toBe(200);
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example']) {
      expect((await get('/', host)).status).toBe(403);
    }
  });
});
