import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { inTurn } from '../support/random.js';
import { ROOT, remora } from '../support/run.js';

/** The table of docs/libraries.md that says what is left of LOCO's objects on other fabrics. `UPDATE_DOCS=1` writes it, of what is tried. */

const PAGE = join(ROOT, 'docs/libraries.md');
const MODELS = [
  'rdma-tso',
  'rdma-ro',
  'rdma-manpage',
  'rdma-ooo-rw',
  'rdma-unordered',
  'rdma-nics',
] as const;

/** Implementations, down to RDMA^WAIT, and the libraries that they are of. Each row has one. */
const ROWS = [
  { names: ['loco-sv'], of: ['sv'] },
  { names: ['loco-bal', 'loco-sv'], of: ['bal', 'sv'] },
  { names: ['loco-bal-all', 'loco-sv'], of: ['bal', 'sv'] },
  { names: ['loco-bal-sst', 'loco-ov', 'loco-sv'], of: ['bal', 'sv'] },
  { names: ['loco-ov'], of: ['ov'] },
  { names: ['loco-av'], of: ['av'] },
  { names: ['loco-msw'], of: ['msw'] },
  { names: ['acc-gets'], of: ['acc'] },
  { names: ['loco-rbl', 'loco-sv'], of: ['rbl', 'sv'] },
] as const;

const FILES = ['corpus/libraries', 'corpus/loco'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
);

/** Clients of the first library, and of no other than these. Those that ask for the libraries' own cells have no answer. */
function clientsOf(libraries: readonly string[]): readonly string[] {
  return FILES.filter((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const used = (/^uses (.*)$/m.exec(text)?.[1] ?? '').split(', ');
    const asksCells = /^(exists|forall|~exists) .*\b\w+\[/m.test(text);
    return used.includes(libraries[0]) && used.every((u) => libraries.includes(u)) && !asksCells;
  });
}

/** The clients that can tell, and how many were asked. */
async function telling(names: readonly string[], model: string, clients: readonly string[]) {
  const args = ['refine', ...names, 'loco-wait', '-m', model, ...clients, '--json'];
  const { stdout } = await remora(args);
  const found: string[] = [];
  for (const line of stdout.trim().split('\n')) {
    const record = JSON.parse(line) as { readonly client?: string; readonly verdict?: string };
    if (record.client === undefined) continue;
    expect(record.verdict).toMatch(/^(refines|does not refine)$/);
    if (record.verdict === 'does not refine') found.push(record.client);
  }
  return found;
}

const page = readFileSync(PAGE, 'utf8');
const written = /<!-- table: fabrics -->\n\n[^]*?\n\n<!-- end of table -->/.exec(page)?.[0] ?? '';

/** What the page has in a cell. */
const kept = (name: string, model: (typeof MODELS)[number]): string => {
  const row = written.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
  return row.split(' | ')[2 + MODELS.indexOf(model)]?.replace(' |', '') ?? '';
};

// Each row under one model, and each model in some row, unless all cases are tried.
test('what is left of LOCO’s objects on other fabrics is what docs/libraries.md says', async () => {
  const rows = [
    `| Objects | Clients | ${MODELS.map((m) => `\`${m}\``).join(' | ')} |`,
    `| --- | --- | ${MODELS.map(() => '---').join(' | ')} |`,
  ];
  for (const [i, { names, of }] of ROWS.entries()) {
    const clients = clientsOf(of);
    const known = new Set(clients.map((file) => basename(file, '.litmus')));
    expect(known.size).toBeGreaterThan(2);
    const cells: string[] = [];
    const tried = inTurn(MODELS, i);
    for (const model of MODELS) {
      if (!tried.includes(model)) {
        cells.push(kept(names[0], model));
        continue;
      }
      const found = await telling(names, model, clients);
      expect(found.every((client) => known.has(client))).toBe(true);
      cells.push(found.length === 0 ? 'all' : `${clients.length - found.length}`);
    }
    rows.push(`| \`${names[0]}\` | ${clients.length} | ${cells.join(' | ')} |`);
  }
  const table = `<!-- table: fabrics -->\n\n${rows.join('\n')}\n\n<!-- end of table -->`;
  if (process.env.UPDATE_DOCS === '1' && written !== table) {
    writeFileSync(
      PAGE,
      page.replace(written, () => table),
    );
  } else expect(written).toBe(table);
});
