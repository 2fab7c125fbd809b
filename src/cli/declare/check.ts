import { Option } from 'commander';
import { check } from '../commands.js';
import { VERDICTS } from './codes.js';
import { declare } from './command.js';
import { DEFAULT_MODEL, json, model, paths, search, spread } from './options.js';

type Options = Parameters<typeof check>[1];

export const checkCommand = () =>
  declare(
    {
      name: 'check',
      summary: 'decide the queries of litmus files',
      description: 'Decides every query of the files: allowed, with the final state, or forbidden.',
      arguments: [paths(true)],
      options: [
        model(),
        ...search(),
        ...spread(),
        json(),
        new Option('--herd', "herd7's log format, for mcompare7"),
      ],
      examples: [
        ['remora check corpus/tso/MP3bis.litmus', 'one test under rdma-tso'],
        ['remora check corpus/loco --model sc,rdma-wait', 'a folder under two models'],
      ],
      codes: VERDICTS,
    },
    (paths: string[], o: Partial<Options> & Omit<Options, 'model'>) =>
      check(paths, { ...o, model: o.model ?? DEFAULT_MODEL }),
  );
