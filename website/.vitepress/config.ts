import type { MarkdownOptions } from 'vitepress';
import { defineConfig } from 'vitepress';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Token = ReturnType<MarkdownIt['parse']>[number];

const page = (text: string, name: string) => ({ text, link: `/docs/${name}` });

/** Names of headings in links, as hosts of repositories make them: the same links have to do there. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Links to folders and files of the repository are for its readers there: here they are words. */
function pagesOnly(token: Token): void {
  let leads = true;
  token.children &&= token.children.filter((child) => {
    if (child.type === 'link_open') leads = PAGE.test(child.attrGet('href') ?? '');
    return leads || (child.type !== 'link_open' && child.type !== 'link_close');
  });
}

/** An address elsewhere, a place on the page, or another page. */
const PAGE = /^[a-z]+:|^#|\.md(?:#|$)/;

/** What stands above a column without a name is no head of it: whoever hears the table would be told of nothing. */
function noEmptyHeads(tokens: readonly Token[]): void {
  for (const [i, token] of tokens.entries()) {
    if (token.type !== 'th_open' || tokens[i + 1].content !== '') continue;
    token.tag = 'td';
    tokens[i + 2].tag = 'td';
  }
}

/** Pages of lessons, which the playground has, too. */
const LESSON = /^docs\/learn\/(\d\d-.*)\.md$/;

/** The documents are taken as they are; nothing of them is copied. */
export default defineConfig({
  title: 'Remora',
  description: 'A model checker for RDMA programs',
  lang: 'en',
  srcDir: '..',
  // Nothing else in the repository is a page.
  srcExclude: [
    ...['editors', 'models', 'mutate', 'playground', 'site', 'src', 'test'].map(
      (folder) => `${folder}/**`,
    ),
    'bench/campaign.md',
    'website/README.md',
  ],
  rewrites: {
    'website/first.md': 'index.md',
    'README.md': 'start.md',
    'website/made/field.md': 'docs/field.md',
    'website/made/measurements.md': 'docs/measurements.md',
  },
  cacheDir: '../node_modules/.cache/vitepress',
  markdown: {
    // The colours of the usual theme are too faint for some, on the grey of code.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    config: (md) => {
      md.core.ruler.push('no-empty-heads', ({ tokens }) => noEmptyHeads(tokens));
      md.core.ruler.push('pages-only', ({ tokens }) => tokens.forEach(pagesOnly));
      md.core.ruler.push('lessons', ({ tokens, env, Token }) => {
        const [, lesson] = LESSON.exec((env as { relativePath?: string }).relativePath ?? '') ?? [];
        if (lesson === undefined) return;
        const link = new Token('html_block', '', 0);
        link.content = `<p><a href="../../play/#learn/${lesson}" target="_self">Guess in the playground</a></p>\n`;
        // Below the title.
        tokens.splice(3, 0, link);
      });
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Playground', link: '/play/', target: '_self' },
      { text: 'Corpus', link: '/report/', target: '_self' },
      { text: 'Fabrics', link: '/report/fabrics.html', target: '_self' },
    ],
    sidebar: [
      {
        text: 'Begin here',
        items: [
          { text: 'What this is', link: '/' },
          { text: 'First steps', link: '/start' },
          { text: 'Ten lessons', link: '/docs/learn/README' },
          page('From verbs', 'verbs'),
          page('Terms', 'terms'),
          page('Litmus files', 'litmus'),
          page('Questions of engineers', 'field'),
        ],
      },
      {
        text: 'Using it',
        items: [
          page('Commands', 'cli'),
          page('Programs in C', 'c'),
          page('Explanations', 'explain'),
          page('What is there for nothing', 'tidy'),
          page('Pictures', 'pictures'),
          page('Robustness', 'robust'),
          page('Locks', 'locks'),
          page('Libraries', 'libraries'),
          page('Many machines, and pull requests', 'scale'),
          page('JSON', 'json'),
          page('As a library', 'library'),
          page('Reports', 'report'),
          page('Editors, and the playground', 'editors'),
        ],
      },
      {
        text: 'Models',
        items: [
          page('Cat files', 'cat'),
          page('For people from herd7', 'herd'),
          page('Instructions', 'instructions'),
          page('Other CPUs', 'hosts'),
          page('Where two models differ', 'distinguish'),
          page('Differences between models', 'differences'),
          page('The tests that a model is made of', 'synthesise'),
          page('Remote atomics', 'atomics'),
          page('Other hardware', 'fabrics'),
          page('Which column is your NIC?', 'columns'),
          page('Cards', 'cards'),
          page('What cards showed', 'measurements'),
          page('When it fails', 'failures'),
          page('coreRMA', 'corerma'),
          page('The papers, item by item', 'papers'),
          page('Findings', 'findings'),
          { text: 'Outcomes', link: '/corpus/outcomes' },
          { text: 'Robustness of the corpus', link: '/corpus/robustness' },
        ],
      },
      {
        text: 'How it works',
        items: [
          page('Architecture', 'architecture'),
          page('Engines against each other', 'agree'),
          page('Machines', 'operational'),
          page('Engines', 'engines'),
          page('Proofs', 'proofs'),
          { text: 'Times', link: '/bench/results' },
          { text: 'Working on Remora', link: '/CONTRIBUTING' },
          { text: 'Changes', link: '/CHANGELOG' },
        ],
      },
    ],
  },
});
