import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MadeModel, ModelFiles } from '../../src/model/load.js';
import { loadModel } from '../../src/model/load.js';
import { shippedFile } from '../../src/model/places.js';
import { DISK, MADE_TEXTS, MODELS_FOLDER, madeIn } from '../../src/node/models.js';
import { ok } from '../../src/parse/diagnostics/index.js';

const MADE = 'dist/made';
const made = (name: string): MadeModel | undefined => madeIn(MADE, name);

const fresh: ModelFiles = { ...DISK, made: undefined };
const kept: ModelFiles = { ...DISK, made };

/** The same files, but for one, which has another text. */
const edited = (
  files: ModelFiles,
  changed: string,
  edit: (text: string) => string,
): ModelFiles => ({
  ...files,
  read: (path) => {
    const source = files.read(path);
    if (!source.ok || basename(path) !== changed) return source;
    return ok({ ...source.value, text: edit(source.value.text) });
  },
});

const pathOf = (name: string): string => shippedFile(name, DISK);

describe('models that the build has made', () => {
  const names = readdirSync(MADE)
    .filter((file) => file !== MADE_TEXTS)
    .map((file) => basename(file, '.json.gz'));

  test('are there', () => {
    expect(names).toEqual(expect.arrayContaining(['rdma', 'rdma-tso', 'sc', 'x86-tso']));
  });

  test.each(names)('%s is what its files say', (name) => {
    const [one, other] = [loadModel(pathOf(name), kept), loadModel(pathOf(name), fresh)];
    expect(one.model).toEqual(other.model);
    expect([...one.sources]).toEqual([...other.sources]);
  });

  test('say which files they are made of', () => {
    const files = names.flatMap((name) => made(name)!.texts.map(([file]) => file));
    expect(files).toContain('cpu/parts/accesses.cat');
    for (const file of new Set(files))
      expect(DISK.exists(join(MODELS_FOLDER, file)), file).toBe(true);
  });

  test.each(['rdma-tso.cat', 'rdma.cat', 'instructions.cat'])(
    'count as long as %s is the same',
    (file) => {
      const longer = (text: string): string => `${text}\nlet another = rf\n`;
      const { model } = loadModel(pathOf('rdma-tso'), edited(kept, file, longer));
      expect(model).toEqual(loadModel(pathOf('rdma-tso'), edited(fresh, file, longer)).model);
      expect(model.ok && model.value.definitions.map((d) => d.name)).toContain('another');
    },
  );
});
