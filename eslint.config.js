import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** The folders of `src` in the order in which a verdict comes about: none imports from a later one. */
const STAGES = [
  'parse',
  'model',
  'program',
  'solve',
  'encode',
  'check',
  'rdma',
  'analyses',
  'report',
  'node',
  'cli',
];

/** These alone run in Node only; all before them run in a browser. */
const OF_NODE = ['node', 'cli'];

const zones = STAGES.map((stage, i) => ({
  target: `./src/${stage}`,
  from: STAGES.slice(i + 1).map((later) => `./src/${later}`),
  message: `${stage}/ comes before it: see docs/architecture.md`,
})).filter(({ from }) => from.length > 0);

export default tseslint.config(
  { ignores: ['dist', '**/*.grammar.ts', 'node_modules'] },
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
  {
    files: ['src/**/*.ts'],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { zones }],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/index.ts', ...OF_NODE.map((folder) => `src/${folder}/**`)],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '^node:', message: 'this folder runs in a browser' }],
        },
      ],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'require', '__dirname', '__filename'],
    },
  },
  { files: ['bench/**', 'mutate/**', 'scripts/**'], rules: { 'no-console': 'off' } },
);
