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
const restrictions = STAGES.map((stage, i) => {
  const later = STAGES.slice(i + 1).join('|');
  const order = {
    regex: `^(\\.\\./)+(${later})/`,
    message: `${stage}/ comes before it: see docs/architecture.md.`,
  };
  const patterns = [...(later === '' ? [] : [order]), ...(OF_NODE.includes(stage) ? [] : [NODE])];
  return {
    files: [`src/${stage}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
});

export default {
  plugins: ['typescript'],
  categories: { correctness: 'off' },
  ignorePatterns: [
    'dist',
    'site/**',
    'editors/vscode/dist',
    '**/*.grammar.ts',
    '**/*.bundle.ts',
    'node_modules',
  ],
  rules: {
    'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    'no-unused-expressions': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'no-array-constructor': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-duplicate-enum-values': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-extra-non-null-assertion': 'error',
    'typescript/no-misused-new': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-optional-chain': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-this-alias': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-declaration-merging': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-wrapper-object-types': 'error',
    'typescript/prefer-as-const': 'error',
    'typescript/prefer-namespace-keyword': 'error',
    'typescript/triple-slash-reference': 'error',
    eqeqeq: 'error',
    'no-console': 'error',
  },
  overrides: [
    ...restrictions,
    {
      // A new instruction, label or operator must not silently become nothing: each switch names all cases.
      files: ['src/**/*.ts'],
      rules: {
        'typescript/switch-exhaustiveness-check': [
          'error',
          { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: false },
        ],
      },
    },
    {
      files: ['src/**/*.ts'],
      excludeFiles: ['src/index.ts', ...OF_NODE.map((folder) => `src/${folder}/**`)],
      rules: {
        'no-restricted-globals': [
          'error',
          'process',
          'Buffer',
          'require',
          '__dirname',
          '__filename',
        ],
      },
    },
    { files: ['bench/**', 'mutate/**', 'scripts/**'], rules: { 'no-console': 'off' } },
  ],
};
