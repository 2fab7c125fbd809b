import { expect, test } from 'vitest';
import { playground } from './playground.js';

/** Other executions of what the page shows, and the questions that take longer than a verdict. What `another` finds is tested with the analyses. */

const play = playground();

const SIDES = `RDMA sides
node 1 { x = 0; y = 0 }
thread T1 on 1 { x := 1; a := y }
thread T2 on 1 { y := 1; b := x }
exists (T1:a = 0)
`;

const part = (name: string) => play.page.locator(`[data-part="${name}"]`);
const press = (name: string) => play.page.getByRole('button', { name, exact: true }).press('Enter');

test('another execution, until there is none', async () => {
  await play.ask({ litmus: SIDES, models: [{ name: 'sc' }] }, 'done');
  await press('another execution');
  // Under SC, T2 has read 1 or, before T1 wrote, 0; but where T1 has read 0, it wrote before T2 did.
  await expect.poll(() => part('another').locator('h2').textContent()).toBe('No other execution');
  expect(await part('another').textContent()).toContain('This is the only one.');
  await play.ask({ litmus: SIDES, models: [{ name: 'rdma-tso' }] }, 'done');
  await press('another execution');
  await expect.poll(() => part('another').locator('h2').textContent()).toBe('Execution 2');
  await part('another').locator('svg').first().waitFor();
  await part('another').getByRole('button', { name: 'another execution' }).press('Enter');
  await expect.poll(() => part('another').locator('h2').textContent()).toBe('No other execution');
  expect(await part('another').textContent()).toContain('These were all 2.');
});

test.each([
  ['sc', 'T1:a = 0', '1', 'T1:a = 1 can be', undefined],
  ['sc', 'T2:b = 1', '0', 'T2:b = 0 cannot be', 'It can, if others'],
  ['rdma-tso', 'T1:a = 0', '1', 'T1:a = 1 can be', undefined],
] as const)('with a read changed, under %s: %s', async (model, read, value, said, freely) => {
  const litmus = SIDES.replace('sides', `${model}-${read[0]}${read[1]}`);
  await play.ask({ litmus, models: [{ name: model }] }, 'done');
  await press('the same with a read changed');
  const choices = part('reads').locator('select');
  await choices.nth(0).selectOption({ label: read });
  await choices.nth(1).selectOption({ label: value });
  await press('can that be?');
  await expect.poll(() => part('changed').textContent()).toContain(said);
  await part('changed').locator('svg').first().waitFor();
  if (freely !== undefined) expect(await part('changed').textContent()).toContain(freely);
});

test('final states have a stop of their own; what is asked meanwhile comes first', async () => {
  const many = Array.from(
    { length: 7 },
    (_, i) => `thread T${i} on 1 { x := ${i}; a := x; b := y; y := ${i} }`,
  );
  // The query names all registers, so that the states are many.
  const litmus = `RDMA many\nnode 1 { x = 0; y = 0 }\n${many.join('\n')}\nexists (x = 1${many.map((_, i) => ` \\/ T${i}:a = 9 \\/ T${i}:b = 9`).join('')})\n`;
  await play.ask({ litmus, models: [{ name: 'rdma-tso' }] }, 'explanation');
  const states = part('states');
  await states.getByRole('button', { name: 'stop' }).waitFor();
  await press('another execution');
  await expect.poll(() => part('another').locator('h2').textContent()).toBe('Execution 2');
  await states.getByRole('button', { name: 'stop' }).press('Enter');
  await expect.poll(() => states.textContent()).toContain('unknown: stopped');
  expect((await play.shown()).verdicts).toEqual([['allowed']]);
  expect(await part('another').locator('h2').textContent()).toBe('Execution 2');
  await states.getByRole('button', { name: 'try again' }).press('Enter');
  await states.getByRole('button', { name: 'stop' }).waitFor();
});

test('two models and two programs stand beside each other, and stay so while one types', async () => {
  await play.ask(
    { litmus: SIDES.replace('sides', 'beside'), models: [{ name: 'rdma-tso' }] },
    'done',
  );
  await press('beside another …');
  const [model, program] = [0, 1].map((i) => part('beside form').locator('select').nth(i));
  await model.selectOption('sc');
  await press('show');
  const sides = part('beside').locator('article');
  const titles = () => sides.locator('h3').allTextContents();
  await expect.poll(titles).toEqual(['beside under rdma-tso', 'beside under sc']);
  await expect.poll(() => sides.locator('svg').count()).toBe(2);
  await model.selectOption('rdma-tso');
  await program.selectOption('tso/GFG');
  await press('show');
  await expect.poll(titles).toEqual(['beside under rdma-tso', 'GFG under rdma-tso']);
  await play.page.locator('#litmus .cm-content').focus();
  await play.page.keyboard.press('Control+Home');
  await play.page.keyboard.type('# mine\n');
  await play.status('done');
  await expect.poll(titles).toEqual(['beside under rdma-tso', 'GFG under rdma-tso']);
  await press('close');
  expect(await part('beside').count()).toBe(0);
});
