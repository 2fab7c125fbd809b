import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Starts a Chromium of this machine. Who looks at pages needs one: there is no other way to see them. */
export function launch(): Promise<Browser> {
  const executablePath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
  if (executablePath === undefined)
    throw new Error('there is no chromium: apt-get install chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
