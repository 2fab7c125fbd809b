import { printClient } from './print-client.js';
import { inlineTexts, rendered, shippedSource } from './implementations.js';

/**
 * A case: `inline: loco-bal` names shipped implementations and `set: S=2` sets parameters; then a client, which gets two nodes
 * where it begins with none of its own, and implementations of the case, each below a line `---`.
 */
export function print(input: string): string {
  const [head, ...own] = input.split(/^---\n/m);
  const lines = head.split('\n');
  const setting = (name: string): string =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
  const text = lines.filter((line) => !/^(inline|set): /.test(line)).join('\n');
  const client = {
    path: 'case.litmus',
    text: text.startsWith('RDMA') ? text : `RDMA t\nnode 1 {}\nnode 2 {}\n${text}`,
  };
  const names = setting('inline')
    .split(/, */)
    .filter((name) => name !== '');
  const sources = own.map((one, i) => ({ path: `own${i + 1}.impl`, text: one }));
  const implementations = [...names.map(shippedSource), ...sources];
  const settings = Object.fromEntries(
    setting('set')
      .split(/, */)
      .filter((one) => one !== '')
      .map((one) => [one.split('=')[0], Number(one.split('=')[1])]),
  );
  const result = inlineTexts(client, implementations, settings);
  return rendered(result, [client, ...implementations], printClient);
}
