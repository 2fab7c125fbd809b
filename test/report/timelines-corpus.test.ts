import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawTimelineSvg } from '../../src/report/picture/index.js';
import { withoutLarge } from '../support/corpus.js';
import { some } from '../support/random.js';
import { covered, departures, timelinesOf } from '../support/timelines.js';

/** What `explain` draws of the corpus in space and time, but of the largest clients: what `timelines` says of less of it. */

const folders = readdirSync('corpus', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'broken')
  .map(({ name }) => name);

test.each(folders)('corpus/%s', { timeout: 900_000 }, async (folder) => {
  const files = withoutLarge(`${folder}/`);
  const timelines = await timelinesOf(...(folder === 'field' ? files : some(files)));
  expect(timelines).not.toEqual([]);
  const wrong = timelines.flatMap((told) => [
    ...covered(drawTimelineSvg(told.timeline, told.name)).map((what) => `${told.name}: ${what}`),
    ...departures(told).map((what) => `${told.name}: ${what}`),
  ]);
  expect(wrong).toEqual([]);
});
