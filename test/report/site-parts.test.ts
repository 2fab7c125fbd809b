import { describe, expect, test } from 'vitest';
import { html, raw } from '../../src/report/site/html.js';
import { pagePaths } from '../../src/node/page-paths.js';
import { inReadingOrder } from '../../src/report/site/reading-order.js';
import { linkBetween } from '../../src/report/site/paths.js';

describe('html', () => {
  test('what is put in is escaped, unless it is HTML', () => {
    const odd = `<b a="1" b='2'>&amp;`;
    expect(html`<p title="${odd}">${odd}${raw('<i>')}</p>`.html).toBe(
      '<p title="&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;">' +
        '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;<i></p>',
    );
  });

  test('lists are joined; nothing is nothing, and zero is something', () => {
    expect(html`${['<', html`<br />`, [1, 0]]}${undefined}${false}`.html).toBe('&lt;<br />10');
  });

  test('blanks of templates go, those of texts stay', () => {
    const template = Object.assign(['<p>\n      ', '\n    </p>'], { raw: [] });
    expect(html(template, 'a\n    b').html).toBe('<p>\na\n    b\n</p>');
  });
});

describe('paths of pages', () => {
  test.each([
    ['one folder', ['c/a.litmus', 'c/b.litmus'], ['a', 'b']],
    ['folders in folders', ['c/x/a.litmus', 'c/x/y/a.litmus'], ['a', 'y/a']],
    ['folders side by side', ['c/x/a.litmus', 'c/xy/a.litmus'], ['x/a', 'xy/a']],
    ['ways up', ['../c/x.litmus', '../d.litmus'], ['c/x', 'd']],
    ['the same file twice', ['c/a.litmus', './c/../c/a.litmus'], ['a', 'a-2']],
    ['capital letters', ['c/A.litmus', 'c/a.litmus', 'c/a-2.litmus'], ['A', 'a-2', 'a-2-2']],
    ['other names', ['c/.. #?%\\.litmus', 'c/é+漢.txt'], ['.._____', 'é+漢.txt']],
    ['names that lead out', ['c/...litmus', 'c/b'], ['__', 'b']],
  ])('%s', (_, files, places) => {
    expect(pagePaths(files)).toEqual(places.map((place) => `tests/${place}.html`));
  });

  test('links are relative, and say what they mean', () => {
    expect(linkBetween('index.html', 'tests/a+b/é.html')).toBe('tests/a%2Bb/%C3%A9.html');
    expect(linkBetween('tests/a/b.html', 'index.html', 'folder-2')).toBe(
      '../../index.html#folder-2',
    );
    expect(linkBetween('tests/a/b.html', 'tests/c.html')).toBe('../c.html');
  });
});

test('folders with more questions come first, then tests that ask; others stay as they were', () => {
  const items = ['a/1', 'a/2?', 'b/1', 'c/1?', 'c/2?', 'd/1'].map((name) => ({
    test: { file: name, ...(name.endsWith('?') && { question: 'Is it?' }) },
  }));
  const order = inReadingOrder(items).map(({ test: { file } }) => file);
  expect(order).toEqual(['c/1?', 'c/2?', 'a/2?', 'a/1', 'b/1', 'd/1']);
});
