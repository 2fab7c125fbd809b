// How long somebody waits for the playground, and what it weighs.
import { met, ms, table } from './markdown.js';
import { runScript } from './process.js';
import type { SiteFound, SiteGiven } from './site-run.js';

/** The bytes that the page may load before it is asked for Z3. */
const GOAL = 400_000;

export function measureSite(runs: number): SiteFound {
  const { objects, end } = runScript<SiteGiven, SiteFound>('site-run', { runs });
  if (objects.length === 0) throw new Error(`the playground was not measured: ${end}`);
  return objects[0];
}

const kilobytes = (bytes: number): string => String(Math.round(bytes / 1000));

export const siteLines = ({ first, bytes, startZ3, bytesWithZ3 }: SiteFound): readonly string[] => [
  'The playground in Chromium, from a host on the same machine, as somebody has it who was never there: milliseconds from the address to the',
  'first verdict, and from a click on "ask Z3" until it is at work. Weight: kilobytes of all files, each compressed by gzip.',
  '',
  ...table(
    ['what', 'ms', 'least', 'most', 'kB', `goal: ${kilobytes(GOAL)} kB`],
    [
      [
        'the page',
        ms(first.median),
        ms(first.min),
        ms(first.max),
        kilobytes(bytes),
        met(bytes < GOAL),
      ],
      ['with Z3', ms(startZ3.median), ms(startZ3.min), ms(startZ3.max), kilobytes(bytesWithZ3), ''],
    ],
  ),
];
