import tseslint from 'typescript-eslint';

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
  { files: ['bench/**', 'mutate/**', 'scripts/**'], rules: { 'no-console': 'off' } },
);
