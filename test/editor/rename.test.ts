import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { edited } from '../../src/editor/additions.js';
import { diagnose } from '../../src/editor/diagnose.js';
import { languageOf } from '../../src/editor/language.js';
import { linksOf } from '../../src/editor/links.js';
import { refusedName, renamingAt } from '../../src/editor/navigate.js';
import { ROOT } from '../support/run.js';
import { paths, workspaceOf } from '../support/workspace.js';
import { ALL } from '../support/random.js';

/** What a file says when all names that begin with this are told by one letter. */
const FRESH = 'renamed_by_test';

test('what is renamed is another name everywhere, and back again', () => {
  let [renamed, refused] = [0, 0];
  for (const [i, path] of paths.entries()) {
    // The files of the corpus are much alike: every other one is renamed in, or every fiftieth.
    if (
      languageOf(path) === 'implementation' ||
      (languageOf(path) === 'litmus' && i % (ALL ? 2 : 50) !== 0)
    ) {
      continue;
    }
    const text = readFileSync(path, 'utf8');
    const here = join(ROOT, `own-${i}.${path.split('.').at(-1)}`);
    const own = workspaceOf({ [here]: text });
    const defined = linksOf(here, own).filter(
      ({ name, to }) => name === to.name && name.span.file === here,
    );
    const before = diagnose(here, own).diagnostics.length;
    for (const { name } of defined.slice(0, 4)) {
      const renaming = renamingAt(here, name.span.start, own);
      if ('refused' in renaming) {
        refused += 1;
        continue;
      }
      expect(refusedName(here, name.span.start, FRESH, own)).toBeUndefined();
      const edits = renaming.places.map((span) => ({ span, text: FRESH }));
      const after = edited(text, edits);
      const there = workspaceOf({ [here]: after });
      const wrong = diagnose(here, there).diagnostics;
      expect([path, name.text, wrong.length, wrong]).toMatchObject([path, name.text, before, {}]);
      const back = renamingAt(here, after.indexOf(FRESH), there);
      if ('refused' in back) throw new Error(back.refused);
      expect(
        edited(
          after,
          back.places.map((span) => ({ span, text: name.text })),
        ),
      ).toBe(text);
      renamed += 1;
    }
  }
  expect(renamed).toBeGreaterThan(ALL ? 400 : 20);
  expect(refused).toBeGreaterThan(0);
});
