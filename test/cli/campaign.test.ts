import { afterEach, describe, expect, test } from 'vitest';
import { readWords } from '../../src/cli/commands/campaign/command-line.js';
import { jobsOf } from '../../src/cli/commands/campaign/plan.js';
import type { Plan } from '../../src/cli/commands/campaign/plan.js';
import {
  isAway,
  readPlace,
  redisProblem,
  redisRefusal,
} from '../../src/cli/commands/campaign/redis.js';
import { surveyOf, surveyRecord } from '../../src/report/agree-record.js';
import { STACK_TRACE, remora } from '../support/run.js';

const PLAN: Plan = {
  remora: '1.2.3',
  build: 'b',
  words: ['agree', '--random', '250'],
  paths: [],
  files: [],
  header: { command: 'agree', models: [{ model: 'm', content: 'c' }] },
  unit: 'program',
  count: 250,
  size: 100,
};

describe('the jobs of a plan', () => {
  test('have every program once', () => {
    const ranges = jobsOf(PLAN).map(({ from, to }) => [from, to]);
    expect(ranges).toEqual([
      [0, 100],
      [100, 200],
      [200, 250],
    ]);
  });

  test('have hashes for names, the same ones each time', () => {
    const ids = jobsOf(PLAN).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => /^[0-9a-f]{64}$/.test(id))).toBe(true);
    expect(jobsOf({ ...PLAN }).map(({ id }) => id)).toEqual(ids);
  });

  test.each<[string, Partial<Plan>]>([
    ['options', { words: ['agree', '--random', '250', '--seed', '2'] }],
    ['models', { header: { command: 'agree', models: [{ model: 'm', content: 'd' }] } }],
    ['build', { build: 'c' }],
    ['size', { size: 50 }],
    ['number of programs', { count: 260 }],
  ])('have other names with another %s', (_, other) => {
    const ids = new Set(jobsOf(PLAN).map(({ id }) => id));
    expect(jobsOf({ ...PLAN, ...other }).some(({ id }) => ids.has(id))).toBe(false);
  });
});

describe('where Redis is', () => {
  afterEach(() => delete process.env['REMORA_REDIS']);

  test.each([
    ['redis://h', 'redis://h:6379', { host: 'h', port: 6379, db: 0 }],
    ['redis://h:1/3', 'redis://h:1/3', { host: 'h', port: 1, db: 3 }],
    ['redis://u:s%40cret@h', 'redis://h:6379', { username: 'u', password: 's@cret' }],
    ['rediss://:secret@[::1]:7', 'rediss://[::1]:7', { host: '::1', tls: {}, password: 'secret' }],
    ['/run/redis.sock', '/run/redis.sock', { path: '/run/redis.sock' }],
  ])('%s', (given, shown, options) => {
    const place = readPlace(given);
    expect(place.shown).toBe(shown);
    expect(place.options).toMatchObject(options);
  });

  test('is in the environment, and not handed on', () => {
    process.env['REMORA_REDIS'] = 'redis://:secret@h';
    expect(readPlace().options.password).toBe('secret');
    expect(process.env['REMORA_REDIS']).toBeUndefined();
    expect(readPlace().shown).toBe('redis://127.0.0.1:6379');
  });

  test.each(['h:6379', 'http://h', 'redis://', 'redis://:secret@h/x', 'redis://:se%cret@h'])(
    '%s is refused, and not repeated',
    (given) => {
      expect(() => readPlace(given)).toThrow(
        'Redis is named such as redis://host:6379, or by the path of its socket',
      );
    },
  );
});

describe('what is wrong with Redis', () => {
  const place = readPlace('redis://:secret@h:1');

  test.each([
    ['NOAUTH Authentication required.', /asks for a password: REMORA_REDIS=/],
    ['WRONGPASS invalid username-password pair', /does not take this user or password/],
    ["OOM command not allowed when used memory > 'maxmemory'.", /is full: /],
    ['NOPERM this user has no permissions', /does not let this user/],
    ["READONLY You can't write against a read only replica.", /is a replica/],
  ])('%s', (message, expected) => {
    const error = new Error(message);
    expect(redisRefusal(place, error)).toMatch(expected);
    expect(redisProblem(place, error)).toMatch(/^redis:\/\/h:1: Redis /);
    expect(isAway(error)).toBe(false);
  });

  test('it is away', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect([isAway(error), redisRefusal(place, error)]).toEqual([true, undefined]);
    expect(redisProblem(place, error)).toMatch(
      /no Redis answers there \(ECONNREFUSED\): start one/,
    );
  });

  test('whatever it says, no password is in the message', () => {
    const said = redisProblem(place, new Error('ERR unknown command secret\nmore'));
    expect(said).toBe('redis://h:1: ERR unknown command …');
  });
});

test('surveys of parts add up to the survey of the whole', () => {
  const way = (engine: 'smt' | 'enumerate') => ({ engine, model: { name: 'm' } });
  const ways = [way('smt'), way('enumerate')];
  const part = (programs: readonly string[], agreed: number) => ({
    of: 10,
    interrupted: false,
    programs: agreed + programs.length,
    events: Array.from({ length: agreed + programs.length }, (_, i) => i),
    tallies: [
      {
        group: { models: [{ name: 'm' }], ways },
        agreed,
        states: 2 * agreed,
        undecided: [{ way: ways[1], reason: 'limit', programs }],
        skipped: [],
      },
    ],
  });
  const parts = [part(['p1', 'p2'], 3), part(['p8'], 4)] as never[];
  const records = parts.map((one) => surveyRecord([one], [], 1));
  // As they come back from a file.
  const back = records.map((one) => JSON.parse(JSON.stringify(one)) as typeof one);
  const all = surveyOf(back, 10);
  expect(all).toEqual(surveyOf([surveyRecord(parts, [], 2)], 10));
  expect([all.programs, all.interrupted]).toEqual([10, false]);
  expect(all.events).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  expect(all.tallies[0]).toMatchObject({ agreed: 7, states: 14 });
  expect(all.tallies[0].undecided).toEqual([
    { way: ways[1], reason: 'limit', programs: ['p1', 'p2', 'p8'] },
  ]);
});

test('a campaign takes folders of models, which workers have in a folder of their own', async () => {
  const { options } = await readWords(['check', 'corpus', '-I', 'not-here', '-m', 'a.cat']);
  expect(options).toMatchObject({ include: ['not-here'], model: ['a.cat'] });
});

describe('a command line that is none of a campaign', () => {
  test.each([
    [['start', 'n'], /^error: name the command of the campaign, as in/],
    [['start', 'n', '--', 'robust', 'x'], /^error: 'robust' is no such command.*there are agree/],
    [['start', 'n', '--', 'tset'], /did you mean 'test'\?/],
    [['start', 'n', '--', 'agree', 'x.litmus'], /is about --random <n> programs/],
    [['start', 'n', '--', 'refine', 'loco-bal'], /is about clients that --generate makes/],
    [['start', 'n', '--', 'test', 'corpus', '--shard', '1/2'], /--shard is not for a campaign: /],
    [
      ['start', 'n', '--', 'test', 'corpus', '--json'],
      /--json is not for a campaign: remora merge/,
    ],
    [['start', 'n', '--', 'check', '-'], /does not read standard input/],
    [['start', 'a:b', '--', 'test'], /letters, digits, dots, - and _ are needed/],
    [
      ['start', 'n', 'agree', '--random', '5'],
      /^error: unknown option '--random'\n\(Options of the command line stand behind --, as in /,
    ],
    [
      ['work', 'n', '--redsi', 'x'],
      /^error: unknown option '--redsi'\n\(Did you mean --redis\?\)\n\(see/,
    ],
    [['work', 'n', 'agree'], /campaign work takes a name and no more/],
    [['start', 'n', '--jobs', '2', '--', 'test'], /--jobs goes with campaign work/],
    [['work', 'n', '--out', 'f'], /--out goes with campaign watch/],
    [['stop', 'n', '--redis', 'h:secret'], /Redis is named such as redis:\/\/host:6379/],
  ])('%j', async (words, message) => {
    const { code, stdout, stderr } = await remora(['campaign', ...words]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect(stderr).not.toContain('secret');
  });
});
