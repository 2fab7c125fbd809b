import type { MessagePart } from './calls.js';
import type { QueueStepOf } from './queue-step.js';

/**
 * What calls on a wire do to its queues: a message takes the first receive that is posted, which has to be its own, and brings a completion.
 *
 * @param queueOf the queue of a wire with a name
 */
export function stepsOfMessage(
  message: MessagePart,
  queueOf: (name: string, wire: number) => number,
): readonly Omit<QueueStepOf, 'of'>[] {
  const { wire } = message;
  const completions = (): number => queueOf('completions', wire);
  if (message.kind === 'completion')
    return [{ event: message.event, queue: completions(), puts: false }];
  const { receive, all } = message;
  if (message.kind === 'sent' && receive === 0)
    return [{ event: message.arrival, queue: queueOf('nothing', wire), puts: false }];
  const queue = queueOf('receives', wire);
  const kinds = all > 1 ? { kinds: { numbers: [receive], of: all } } : {};
  if (message.kind === 'posted') return [{ event: message.event, queue, puts: true, ...kinds }];
  const { arrival, carries } = message;
  const arrives = { event: arrival, queue, puts: false, ...kinds };
  return carries?.completion === undefined
    ? [arrives]
    : [arrives, { event: carries.completion, queue: completions(), puts: true }];
}
