// The TypeScript that moves money, with a real database: npm run mutants:money.
import pure from './logic.config.mjs'

export default {
  ...pure,
  vitest: { configFile: 'lab/mutants/stryker/money.vitest.config.ts', related: false },
  mutate: [
    'apps/server/src/modules/bets/{order-batches,place-bet}.ts',
    'apps/server/src/modules/deposits/{bank-deposit,deposit-address,deposit-store}.ts',
    'apps/server/src/modules/wallet/wallet-store.ts',
    'apps/server/src/modules/withdrawals/{request,review}-withdrawal.ts',
  ],
  incrementalFile: '.cache/mutants/stryker-money.json',
  jsonReporter: { fileName: '.cache/mutants/stryker-money-report.json' },
  // What runs once, when a module is loaded, would need all the tests for each fault.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 20_000,
}
