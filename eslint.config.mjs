import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const WORLD = 'touches the world: decisions and durable stories may not (docs/design.md, "Layout")';

/** What `workflows/` and `policy/` may import: an allow list, so that a new dependency is refused by default. */
const onlyFrom = (allowed) => [
  'error',
  { patterns: [{ regex: `^(?!(${allowed.join('|')})$)`, message: WORLD, allowTypeImports: false }] },
];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.waybill/', '.tools/', 'releases/'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 500 }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/policy/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': onlyFrom(['\\./[^/]+\\.js', '\\.\\./contract\\.js']),
      'no-restricted-globals': [
        'error',
        'Date',
        'process',
        'setTimeout',
        'setInterval',
        'fetch',
        'Buffer',
        'performance',
      ],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
    },
  },
  {
    files: ['src/workflows/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': onlyFrom([
        '\\./[^/]+\\.js',
        '\\.\\./contract\\.js',
        '\\.\\./policy/[^/]+\\.js',
        '\\.\\./activities/types\\.js',
        '@temporalio/workflow',
        '@temporalio/common',
      ]),
      'no-restricted-globals': ['error', 'process', 'fetch', 'Buffer', 'performance'],
    },
  },
  {
    files: ['src/contract.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: ['*'] }] },
  },
  { files: ['**/*.mjs'], languageOptions: { globals: globals.node } },
  {
    files: ['**/*.cjs'],
    languageOptions: { globals: globals.node },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
