// Small faults in TypeScript, each alone, against the tests that run the faulty line: npm run mutants:ts.
// ../explained.md says which of those that it prints change nothing.

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'lab/mutants/stryker/logic.vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  mutate: ['packages/domain/src/**/*.ts', 'packages/fairness/src/**/*.ts', '!**/*.test.ts'],
  ignorePatterns: [
    '.cache',
    '.data',
    'apps/web',
    'apps/console',
    'e2e',
    'lab/bench',
    'lab/cluster',
    'docs',
    'dist',
    'reports',
  ],
  // A text that is thrown is for an engineer, and may be worded otherwise.
  mutator: { excludedMutations: ['StringLiteral'] },
  incremental: true,
  incrementalFile: '.cache/mutants/stryker.json',
  tempDirName: '.cache/mutants/stryker',
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: '.cache/mutants/stryker-report.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  allowEmpty: false,
  timeoutMS: 20_000,
  // TypeScript 7 has not the functions with which Stryker would rewrite tsconfig.json; nothing here needs it.
  tsconfigFile: 'none.json',
}
