import { defineConfig } from 'vitepress';

const page = (text: string, name: string) => ({ text, link: `/docs/${name}` });

/** The documents are taken as they are; nothing of them is copied. */
export default defineConfig({
  title: 'Remora',
  description: 'A model checker for RDMA programs',
  lang: 'en',
  srcDir: '..',
  // Nothing else in the repository is a page.
  srcExclude: [
    ...['bench', 'corpus', 'models', 'mutate', 'playground', 'site', 'src', 'test', 'website'].map(
      (folder) => `${folder}/**`,
    ),
    'CONTRIBUTING.md',
  ],
  rewrites: { 'README.md': 'index.md' },
  cacheDir: '../node_modules/.cache/vitepress',
  // Links to folders and files of the repository are for its readers there.
  ignoreDeadLinks: true,
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Playground', link: '/play/', target: '_self' },
      { text: 'Corpus', link: '/report/', target: '_self' },
    ],
    sidebar: [
      {
        text: 'First steps',
        items: [
          { text: 'Remora', link: '/' },
          page('From verbs', 'verbs'),
          page('Litmus files', 'litmus'),
          page('Questions of engineers', 'field'),
        ],
      },
      {
        text: 'Using it',
        items: [
          page('Commands', 'cli'),
          page('Explanations', 'explain'),
          page('Pictures', 'pictures'),
          page('Robustness', 'robust'),
          page('Locks', 'locks'),
          page('Libraries', 'libraries'),
          page('Lock libraries', 'lock-libraries'),
          page('A key-value store', 'kv'),
          page('Many machines', 'scale'),
          page('JSON', 'json'),
          page('As a library', 'library'),
          page('Reports', 'report'),
          page('The playground', 'playground'),
        ],
      },
      {
        text: 'Models',
        items: [
          page('Cat files', 'cat'),
          page('Instructions', 'instructions'),
          page('Remote atomics', 'atomics'),
          page('Other hardware', 'fabrics'),
          page('Findings', 'findings'),
        ],
      },
      {
        text: 'How it works',
        items: [
          page('Architecture', 'architecture'),
          page('Engines against each other', 'agree'),
          page('Machines', 'operational'),
          page('Encodings', 'encodings'),
          page('The search', 'search'),
          page('Engines', 'engines'),
          page('Solvers', 'solvers'),
          page('Loops', 'instrument'),
          page('Mutants', 'equivalent-mutants'),
          { text: 'Changes', link: '/CHANGELOG' },
        ],
      },
    ],
  },
});
