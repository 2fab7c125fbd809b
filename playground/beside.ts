import { showQuery } from '../src/program/print.js';
import type { Decider } from './decided.js';
import { decided } from './decided.js';
import type { Read } from './engine.js';
import type { Asked } from './explained.js';
import { toldOf } from './explained.js';
import type { Mistake, Part, Side } from './question.js';

/**
 * What is explained, and another program or the same under another model.
 *
 * @param name of the other program, if it is another one
 */
export async function besides(
  asked: Asked,
  name: string | undefined,
  read: Read | { readonly mistakes: readonly Mistake[] },
  by: Decider,
): Promise<Part> {
  const one = await sideOf(asked, by, 'left');
  const other =
    'mistakes' in read
      ? {
          title: name ?? asked.test.name,
          asks: '',
          verdict: 'Something is wrong with this program',
          reason: read.mistakes[0].message,
        }
      : await sideOf(
          {
            ...{ test: read.test, source: read.source, model: read.models[0] },
            focus: { model: 0, query: asked.focus.query },
          },
          by,
          'right',
        );
  const sides = [one, other];
  return { kind: 'beside', sides, open: sides.some(({ verdict }) => verdict === 'unknown') };
}

/** @param id a name for its picture */
async function sideOf(asked: Asked, by: Decider, id: string): Promise<Side> {
  const { test, source, model } = asked;
  const title = `${test.name} under ${model.name}`;
  const query = Math.min(asked.focus.query, test.queries.length - 1);
  if (query < 0) return { title, asks: '', verdict: 'This program asks nothing' };
  const asks = showQuery(test.queries[query]);
  const { answers, untranslatable } = await decided(test, source, model, by);
  if (untranslatable !== undefined)
    return { title, asks, verdict: 'untranslatable', reason: untranslatable };
  const answer = answers.find((one) => one.query === query);
  if (answer === undefined)
    return { title, asks, verdict: 'unknown', reason: `${model.name} has no machine` };
  const { verdict, reason } = answer;
  if (verdict === 'unknown')
    return { title, asks, verdict, ...(reason !== undefined && { reason }) };
  const { told } = await toldOf({ ...asked, focus: { model: 0, query } }, by, { id });
  return { title, asks, verdict, explained: told };
}
