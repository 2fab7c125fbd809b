import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

/** A Chromium of this machine. Tests of the site need one: there is no other way to see pages. */
export function launch(): Promise<Browser> {
  const executablePath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) =>
      ['chromium', 'chromium-browser', 'google-chrome'].map((f) => join(folder, f)),
    )
    .find((file) => existsSync(file));
  if (executablePath === undefined)
    throw new Error('there is no chromium: apt-get install chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
