import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { toLink } from '../../playground/link.js';
import type { Question } from '../../playground/question.js';
import { launch } from '../../scripts/browser.js';
import { serve } from '../../scripts/serve.js';
import { ROOT } from '../support/run.js';

export const SITE = join(ROOT, 'site');

/** The built playground in Chromium. `npm run site` has built it. */
export interface Playground {
  readonly browser: Browser;
  readonly page: Page;
  /** Of the page, with a slash at its end. */
  readonly address: string;
  /** What the page wrote to the console, and its errors. */
  readonly complaints: string[];
  /** The addresses that the page asked for, of hosts. */
  readonly requests: string[];
  /** Waits until the page says this of itself. */
  status(text: string): Promise<void>;
  /** Asks by a link, and waits for one part of the answer. */
  ask(question: Question, part: string): Promise<void>;
  /** Chooses a program of the list. */
  choose(name: string): Promise<void>;
  /** What the page shows. */
  shown(): Promise<Shown>;
  close(): Promise<void>;
}

export interface Shown {
  readonly models: readonly string[];
  /** By query, then by model. */
  readonly verdicts: readonly (readonly (string | null)[])[];
  readonly states: readonly (string | null)[];
  /** Whether there are mistakes. */
  readonly wrong: boolean;
  readonly trouble: string | null | undefined;
}

/** The playground for the tests of a file: open before the first, closed after the last. */
export function playground(): Playground {
  const play = {} as Playground;
  beforeAll(async () => {
    Object.assign(play, await open());
  });
  // It is not there if it could not be opened.
  afterAll(() => play.close?.());
  return play;
}

/** Serves the site and opens the playground; ends when the page has answered what it starts with. */
async function open(): Promise<Playground> {
  const served = await serve(SITE);
  const address = `${served.address}play/`;
  const browser = await launch();
  const page = await browser.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  // What the browser has kept is no request: of its own host's, those count that arrive there.
  served.server.on('request', ({ url }) => requests.push(new URL(url!, address).href));
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) requests.push(request.url());
  });
  const status = async (text: string) => {
    await page.waitForSelector(`#status:text-is("${text}")`);
  };
  await page.goto(address);
  await status('done');
  return {
    browser,
    page,
    address,
    complaints,
    requests,
    status,
    ask: (question, part) => ask(page, question, part),
    choose: (name) => choose(page, name),
    shown: () => shown(page),
    close: async () => {
      await browser.close();
      served.server.close();
    },
  };
}

async function choose(page: Page, name: string): Promise<void> {
  await page.locator('#examples > summary').click();
  await page.locator(`#found [data-name="${name}"]`).click();
}

async function ask(page: Page, question: Question, part: string): Promise<void> {
  await page.evaluate(
    ([link, part]) =>
      new Promise<void>((done) => {
        const { dataset } = document.body;
        // Parts of the answer before may come until the page has read the link: they have numbers up to this.
        const before = Number(dataset['asked']);
        const look = () => {
          const told = [part, 'mistakes', 'trouble'].map((p) => Number(dataset[p] ?? 0));
          if (Math.max(...told) > before) done();
          else setTimeout(look, 4);
        };
        location.hash = link;
        look();
      }),
    [await toLink(question), part] as const,
  );
}

const shown = (page: Page): Promise<Shown> =>
  page.evaluate(() => ({
    models: [...document.querySelectorAll('[data-part=verdicts] thead th')]
      .slice(1)
      .map((head) => head.textContent),
    verdicts: [...document.querySelectorAll('[data-part=verdicts] tbody tr')].map((row) =>
      [...row.querySelectorAll('.verdict')].map((button) => button.textContent),
    ),
    states: [...document.querySelectorAll('[data-part=states] li')].map((item) => item.textContent),
    wrong: document.querySelector('[data-part=mistakes]') !== null,
    trouble: document.querySelector('[data-part=trouble]')?.textContent,
  }));
