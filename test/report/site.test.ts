import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../support/run.js';
import { ROOT, STACK_TRACE, remora } from '../support/run.js';

const MP = `RDMA MP3bis
"a later CPU write overtakes a put"
source "TSO paper, Fig. 11"
node 1 { y = 0 }
node 2 { x = 0 }
node 3 { unused = 7 }
thread T1 on 1 { x^2 := 1; y := 1 }
thread T2 on 2 { a := y^1; b := x }
exists (a = 1 /\\ b = 0)
  expect allowed under rdma-tso "TSO paper, Fig. 11"
  observed yes "about 100% of runs"
`;

/** Everything that HTML could take for something else. */
const ODD = `RDMA <script>alert(1)</script>
"<img src=x onerror=alert(2)> & 'quotes' – ünïcödé &amp; <!-- ]]>"
source "</title><script>alert(3)</script>"
question "</pre></details><b>bold?</b>"
note "javascript:alert(4)"
note "' onmouseover='alert(5)"
node 1 { x = 0 }
thread T1 on 1 { x := 1; # if {
  if (x < 2 && x > 0) { x := 2 } else { choose { x := 3 } or { x := 4 } } }
exists (x = 2) "</h2><script>alert(6)</script>"
  expect allowed under sc "<i>Fig.</i>"
  observed no "</ul><script>alert(7)</script>"
`;

const MANY = `RDMA many
node 1 { x = 0 }
thread T1 on 1 { x := 1 }
thread T2 on 1 { a := x }
exists (a = 1)
exists (a = 2)
  computed forbidden under sc, rdma-tso
forall (x = 1)
~exists (a = 3)
`;

const LOCK = `RDMA greedy
node 1 { l = 0 }
threads T[i in 1..2] on 1 {
  loop {
    at enter;
    r := 1;
    while (r != 0) { r := CAS(l, 0, 1) }
    critical c { skip }
    l := 0
  }
}
exclusive c of T1, T2
progress T1:enter -> T1:c
  computed fails under sc, rdma-tso
`;

const SILENT = `RDMA silent
node 1 { x = 0 }
thread T1 on 1 { x := 1 }
`;

const FILES: { readonly [path: string]: string } = {
  'corpus/tso/MP3bis.litmus': MP,
  "corpus/odd/a 'b' <c> #1%20.litmus": ODD,
  'corpus/odd/many.litmus': MANY,
  'corpus/odd/MANY.litmus': MANY,
  'corpus/locks/greedy.litmus': LOCK,
  'corpus/silent.litmus': SILENT,
};

let folder: string;
let run: Run;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remora-report-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  run = await report('corpus', '--out', 'site', '-m', 'sc,rdma-tso', '--jobs', '2');
});

afterAll(() => rmSync(folder, { recursive: true }));

const report = (...args: readonly string[]): Promise<Run> =>
  remora(['report', ...args], { cwd: folder });

/** The files of a site, from its folder. */
const filesOf = (site: string): readonly string[] =>
  (readdirSync(join(folder, site), { recursive: true, encoding: 'utf8' }) as string[])
    .filter((path) => /\.\w+$/.test(path))
    .sort();

const pagesOf = (site: string): ReadonlyMap<string, string> =>
  new Map(
    filesOf(site)
      .filter((path) => path.endsWith('.html'))
      .map((path) => [path, readFileSync(join(folder, site, path), 'utf8')]),
  );

const packedIn = (page: string): string =>
  /<script type="text\/plain" id="pictures">([^<]*)<\/script>/.exec(page)?.[1] ?? '';

/** The pictures of a page, as its script unpacks them. */
const picturesOf = (page: string): readonly string[] => {
  const packed = packedIn(page);
  if (packed === '') return [];
  return inflateSync(Buffer.from(packed, 'base64')).toString().split('\0');
};

const attributes = (page: string, name: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map((match) => match[1]);

describe('the site', () => {
  test('an index, a page for each test, and a note that this is a report', () => {
    expect(run.stderr).toBe('');
    expect(run.stdout).toMatch(/^6 tests, 24 verdicts, 0 unknown; .* held.*, 0 failed; /m);
    expect(run.stdout.trimEnd().split('\n').at(-1)).toBe('site/index.html');
    expect(run.code).toBe(0);
    expect(filesOf('site')).toEqual([
      'index.css',
      'index.html',
      'index.js',
      'remora-report.txt',
      'test.css',
      'test.js',
      'tests/locks/greedy.html',
      'tests/odd/MANY-2.html',
      'tests/odd/a__b___c___1_20.html',
      'tests/odd/many.html',
      'tests/silent.html',
      'tests/tso/MP3bis.html',
    ]);
  });

  test('every link leads to a page, and to a place in it', () => {
    const pages = pagesOf('site');
    for (const [path, page] of pages) {
      const links = attributes(page, 'href').filter((href) => href !== 'data:,');
      expect(links.length).toBeGreaterThan(2);
      for (const link of links) {
        expect(link).not.toMatch(/^([a-z]+:|\/)/);
        const [to, anchor] = link.split('#').map(decodeURIComponent);
        const target = to === '' ? path : posix.join(posix.dirname(path), to);
        expect(filesOf('site'), `${path}: ${link}`).toContain(target);
        if (anchor !== undefined) expect(attributes(pages.get(target)!, 'id')).toContain(anchor);
      }
    }
  });

  test('nothing is loaded but what pages share, and no id is there twice', () => {
    const shared = filesOf('site').filter((path) => /\.(css|js)$/.test(path));
    for (const path of shared) {
      expect(readFileSync(join(folder, 'site', path), 'utf8')).not.toMatch(/https?:|@import|url\(/);
    }
    for (const [path, page] of pagesOf('site')) {
      expect(page, path).not.toMatch(/https?:|\bfetch\b|@import|type="module"|url\(/);
      const loaded = [
        ...page.matchAll(/<(?:script|link) (?:src|rel="stylesheet" href)="([^"]*)"/g),
      ];
      const own = loaded.map(([, link]) => posix.join(posix.dirname(path), link));
      const kind = path === 'index.html' ? 'index' : 'test';
      expect(own, path).toEqual([`${kind}.css`, `${kind}.js`]);
      expect(attributes(page, 'src'), path).toHaveLength(1);
      const ids = attributes(page, 'id');
      expect(new Set(ids).size, path).toBe(ids.length);
      const named = ['for', 'aria-labelledby'].flatMap((name) => attributes(page, name));
      for (const id of named.flatMap((text) => text.split(' '))) expect(ids).toContain(id);
    }
  });

  test('text from files is text', () => {
    for (const [path, page] of pagesOf('site')) {
      const plain = page.replace(
        /<script (src="[^"]*" defer|type="text\/plain" id="pictures")>/g,
        '',
      );
      expect(plain, path).not.toContain('<script');
      expect(page, path).not.toMatch(/<img|<i>|<b>bold|<!--|[^&#;\w ]onmouseover/);
    }
    const odd = pagesOf('site').get('tests/odd/a__b___c___1_20.html')!;
    expect(odd).toContain('<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>');
    expect(odd).toContain('&amp; &#39;quotes&#39; – ünïcödé &amp;amp; &lt;!-- ]]&gt;');
    expect(odd).toContain(
      'if (x &lt; 2 &amp;&amp; x &gt; 0) {\n  x := 2\n} else {\n  choose { x := 3 } or { x := 4 }\n}</code>',
    );
    expect(odd).toContain('(&lt;i&gt;Fig.&lt;/i&gt;)');
  });

  test('a page has the program, the verdicts with what the file says, and why', () => {
    const page = pagesOf('site').get('tests/tso/MP3bis.html')!;
    const text = textOf(page);
    expect(text).toContain('node 1 y = 0 node 2 x = 0 node 3 unused = 7 T1 T2 no thread');
    expect(text).toContain('published: allowed (TSO paper, Fig. 11)');
    expect(text).toContain('On hardware: ◉ seen, about 100% of runs');
    expect(text).toContain('rdma-tso: ● allowed a = 1, b = 0');
    expect(text).toContain('A run of the machine of rdma-tso that ends so');
    expect(text).toContain('sc: ○ forbidden the axiom sc is broken by a cycle');
    expect(text).toContain('rdma-tso admits what sc rejects');
    // The execution and the cycle, each in space and time and as a graph, and both graphs side by side.
    expect(attributes(page, 'data-id')).toEqual([
      ...['q1-why-1-t', 'q1-why-1-p', 'q1-why-2-t', 'q1-why-2-p', 'q1-differ-1-a', 'q1-differ-1-r'],
    ]);
    expect(page.match(/<summary>As a graph of events/g)).toHaveLength(2);
    expect(page.match(/<details class="explanation"\s+open>/g)).toHaveLength(1);
    expect(page.match(/<details class="explanation"\s*>/g)).toHaveLength(1);
  });

  test('pictures are packed, each once, and all that are shown are there', () => {
    for (const [path, page] of pagesOf('site')) {
      expect(page, path).not.toContain('<svg');
      const shown = attributes(page, 'data-picture');
      const ids = picturesOf(page).map((svg) => /^<svg id="([^"]*)"/.exec(svg)![1]);
      expect([...ids].sort(), path).toEqual([...new Set(shown)].sort());
      const whole = picturesOf(page).join('').length;
      expect(packedIn(page).length, path).toBeLessThanOrEqual(whole / 3);
    }
    // What one model admits and the other rejects is the execution that is shown above.
    const [, graph, , , admitted] = attributes(
      pagesOf('site').get('tests/tso/MP3bis.html')!,
      'data-picture',
    );
    expect(admitted).toBe(graph);
  });

  test('a question about runs has the run where it fails, as pictures and in words', () => {
    const page = pagesOf('site').get('tests/locks/greedy.html')!;
    const text = textOf(page);
    expect(text).toContain('∀ holds');
    expect(text).toMatch(/rdma-tso: ∄ fails 2 steps, then a round of \d+/);
    expect(text).toContain('T1 is at enter T1 sets r = 1 And then, for ever: T2 is at enter');
    expect(text).toContain('T2 writes l := 0 to its store buffer');
    // SC has no store buffers: another run. Each is there in space and time, too.
    expect(attributes(page, 'data-id')).toHaveLength(4);
    expect(page).toMatch(/q\d-why-1-t[^]*As steps of threads[^]*q\d-why-1-p/);
    expect(page.match(/<summary>As steps of threads/g)).toHaveLength(2);
    const pictures = picturesOf(page).join('\n');
    expect(pictures).toContain('from here on, again and again');
    expect(pictures.match(/<rect [^>]*stroke-dasharray/g)).toHaveLength(2);
    expect(text).not.toContain('Not explained');
  });

  test('verdicts of the index lead to why they are so, or to where they stand', () => {
    const pages = pagesOf('site');
    const links = attributes(pages.get('index.html')!, 'href');
    expect(links).toContain('tests/tso/MP3bis.html#q1-sc');
    expect(links).toContain('tests/odd/many.html#q4-rdma-tso');
    const mp = pages.get('tests/tso/MP3bis.html')!;
    expect(mp.indexOf('id="q1-sc"')).toBeGreaterThan(mp.indexOf('id="q1-why-2"'));
    // A question about runs that holds has no run to show.
    expect(pages.get('tests/locks/greedy.html')!).toMatch(/<tr[^>]* id="q1-rdma-tso"/);
  });

  test('engineers’ questions come first, in each folder and among folders', () => {
    const index = textOf(pagesOf('site').get('index.html')!);
    const order = ['corpus/odd/ 3 tests', '<script>alert(1)', ' many ', 'corpus/locks/ 1 test'];
    const table = index.slice(index.indexOf('Outcomes: a row'));
    const places = order.map((text) => table.indexOf(text));
    expect(places.every((at, i) => at > (places[i - 1] ?? 0))).toBe(true);
  });

  test('tests are linked in their order', () => {
    const page = pagesOf('site').get('tests/odd/many.html')!;
    const around = [...page.matchAll(/rel="(prev|next)"\s+href="([^"]*)"/g)].map((m) => m[2]);
    const [first, second] = [around.slice(0, 2), around.slice(2)];
    expect(first).toEqual(second);
    expect(first).toHaveLength(2);
  });

  test('the index has a row for each question, and says what they are', () => {
    const index = pagesOf('site').get('index.html')!;
    const text = textOf(index);
    expect(text).toContain('6 tests, 12 questions, 24 verdicts');
    expect(text).toContain('corpus/odd/ 3 tests, 9 questions');
    expect(index.match(/<tr\s+class="row/g)).toHaveLength(13);
    expect(attributes(index, 'data-flags')).toContain('differ published observed');
    expect(text).toContain('asks nothing');
    expect(text).not.toContain('To look at');
  });

  test('the same inputs make the same bytes, whatever the number of workers', async () => {
    const again = await report('corpus', '--out', 'again', '-m', 'sc,rdma-tso', '--jobs', '1');
    expect(again.code).toBe(0);
    expect([...pagesOf('again')]).toEqual([...pagesOf('site')]);
  });
});

const DEPARTING = join(ROOT, 'test/files/departing');

describe('what is not as it should be', () => {
  test('departures come first on the index, and the exit code is 1', async () => {
    const { code } = await report(DEPARTING, '--out', 'departing', '-m', 'sc,rdma-tso');
    expect(code).toBe(1);
    const index = textOf(pagesOf('departing').get('index.html')!);
    expect(index).toContain('To look at');
    expect(index).toMatch(
      /wrong: exists \(a = 0 \/\\ b = 0\) under rdma-tso: ● allowed ?, but published as forbidden \(nobody\)/,
    );
  });

  test('a file that does not parse is reported; the others are in the site; a former site goes', async () => {
    mkdirSync(join(folder, 'replaced'));
    const first = await report('corpus/silent.litmus', '--out', 'replaced');
    expect(first.code).toBe(0);
    const broken = join(ROOT, 'test/files/broken');
    const { code, stderr } = await report(broken, '--out', 'replaced/', '-m', 'sc');
    expect(code).toBe(2);
    expect(stderr).toContain("bad.litmus:3:35: 'y' is declared at no node");
    expect(stderr).not.toMatch(STACK_TRACE);
    const pages = pagesOf('replaced');
    expect([...pages.keys()]).toEqual(['index.html', 'tests/good.html']);
    expect(textOf(pages.get('index.html')!)).toContain("'y' is declared at no node");
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('what is undecided has exit code 3, and a page that says why', async () => {
    const endless = join(ROOT, 'test/files/endless.litmus');
    const { code } = await report(endless, '--out', 'endless', '-m', 'rdma-tso');
    expect(code).toBe(3);
    expect(textOf(pagesOf('endless').get('index.html')!)).toMatch(/To look at .* \? unknown \(/);
  });

  test.each([
    ['a folder of one’s own', 'corpus', 'this folder has other files in it'],
    ['a file', 'corpus/silent.litmus', 'this is a file, not a folder'],
    ['a folder below a file', 'corpus/silent.litmus/site', 'cannot be written (ENOTDIR)'],
    ['standard output', '-', 'no folder; one of this name is ./-'],
    ['a link to nothing', 'nowhere', 'this is a link to nothing'],
    ['a place where nothing can be', '/proc/nowhere/site', 'cannot be written (ENOENT)'],
  ])('%s is left alone', async (_, out, message) => {
    if (out === 'nowhere') symlinkSync('nothing', join(folder, 'nowhere'));
    const before = everything();
    const { code, stdout, stderr } = await report('corpus', '--out', out);
    expect(stderr.startsWith(`${out}: ${message}`), stderr).toBe(true);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect([code, stdout]).toEqual([2, '']);
    expect(everything()).toEqual(before);
  });

  test.each([
    ['no such model', ['corpus', '-m', 'sx'], 'sx: no such model'],
    ['no such file', ['nosuch'], 'nosuch: no such file or folder'],
  ])('%s: nothing is written, not even folders on the way', async (_, args, message) => {
    const before = everything();
    const { code, stdout, stderr } = await report(...args, '--out', 'a/b/site');
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect([code, stdout]).toEqual([2, '']);
    expect(everything()).toEqual(before);
  });

  test('no folder is bad usage', async () => {
    const { code, stderr } = await report('corpus');
    expect(stderr).toContain("error: required option '--out <folder>' not specified");
    expect(code).toBe(2);
  });
});

/** All files, and what is in them. */
const everything = (): readonly (readonly [string, string])[] =>
  (readdirSync(folder, { recursive: true, encoding: 'utf8' }) as string[])
    .sort()
    .map((path) => [path, contentOf(join(folder, path))]);

const contentOf = (path: string): string =>
  existsSync(path) && /\.\w+$/.test(path) ? readFileSync(path, 'utf8') : '';

/** What a page says, without tags, styles and pictures. */
const textOf = (page: string): string =>
  page
    .replace(/<(style|script|svg)\b.*?<\/\1>/gs, '')
    .replace(
      /\s*<(?:a|b|i|code|strong|span class="(?:unseen|sign)")\b[^>]*>|<\/(?:a|b|code|strong|span)>/g,
      (tag) => (/^\s/.test(tag) ? ' ' : ''),
    )
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
