import tseslint from 'typescript-eslint';

/** The folders of `src` in the order in which a verdict comes about: none imports from a later one. */
const STAGES = [
  'parse',
  'c',
  'libraries',
  'model',
  'program',
  'proof',
  'solve',
  'encode',
  'check',
  'machine',
  'explore',
  'rdma',
  'analyses',
  'report',
  'editor',
  'emit',
  'node',
  'cli',
];

/** These alone run in Node only; all before them run in a browser. */
const OF_NODE = ['node', 'cli'];

const NODE = { regex: '^node:', message: 'This folder runs in a browser.' };

/** What a folder may not import. That no files import each other in circles is held by test/project/layout.test.ts. */
const restrictions = STAGES.flatMap((stage, i) => {
  const later = STAGES.slice(i + 1).join('|');
  const order = {
    regex: `^(\\.\\./)+(${later})/`,
    message: `${stage}/ comes before it: see docs/architecture.md.`,
  };
  const patterns = [...(later === '' ? [] : [order]), ...(OF_NODE.includes(stage) ? [] : [NODE])];
  return tseslint.config({
    files: [`src/${stage}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  });
});

export default tseslint.config(
  {
    ignores: [
      'dist',
      'site/**',
      'editors/vscode/dist',
      '**/*.grammar.ts',
      '**/*.bundle.ts',
      'node_modules',
    ],
  },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  ...restrictions,
  {
    // A new instruction, label or operator must not silently become nothing: each switch names all cases.
    files: ['src/**/*.ts'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: false },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/index.ts', ...OF_NODE.map((folder) => `src/${folder}/**`)],
    rules: {
      'no-restricted-globals': ['error', 'process', 'Buffer', 'require', '__dirname', '__filename'],
    },
  },
  { files: ['bench/**', 'mutate/**', 'scripts/**'], rules: { 'no-console': 'off' } },
);
