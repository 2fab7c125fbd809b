import { expect, test } from 'vitest';
import { drawTimelineSvg } from '../../src/report/picture/index.js';
import { CORPUS_FOLDERS, withoutLarge } from '../support/corpus.js';
import { some } from '../support/random.js';
import { covered, departures, timelinesOf } from '../support/timelines.js';

/** What `explain` draws of the corpus in space and time, but of the largest clients: what `timelines` says of less of it. */

test.each(CORPUS_FOLDERS)('corpus/%s', { timeout: 900_000 }, async (folder) => {
  const files = withoutLarge(`${folder}/`);
  const timelines = await timelinesOf(...some(files));
  expect(timelines).not.toEqual([]);
  const wrong = timelines.flatMap((told) => [
    ...covered(drawTimelineSvg(told.timeline, told.name)).map((what) => `${told.name}: ${what}`),
    ...departures(told).map((what) => `${told.name}: ${what}`),
  ]);
  expect(wrong).toEqual([]);
});
