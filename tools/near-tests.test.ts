import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nearTests } from './near-tests.ts'

const ROOT = join(import.meta.dirname, '..')

function distancesFrom(...changed: string[]): Map<string, number> {
  return new Map(nearTests(ROOT, changed).map(({ file, distance }) => [file, distance]))
}

describe('the tests near to a change', () => {
  it('begin with a test that was changed itself, and with those of the changed file', () => {
    const near = distancesFrom(
      'packages/domain/src/money.ts',
      'apps/server/src/product-tests/two-keys.test.ts',
    )
    expect(near.get('apps/server/src/product-tests/two-keys.test.ts')).toBe(0)
    expect(near.get('packages/domain/src/money.test.ts')).toBe(1)
    expect([...near.values()]).toEqual([...near.values()].sort((a, b) => a - b))
  })

  it('are found through packages, through imports of an app’s own, and through started files', () => {
    expect(distancesFrom('packages/fairness/src/beacon.ts').keys()).toContain(
      'apps/server/src/adapters/beacon/local-beacon.test.ts',
    )
    expect(distancesFrom('apps/server/src/db/limits.ts').keys()).toContain(
      'apps/server/src/db/database.test.ts',
    )
    expect(distancesFrom('apps/server/src/engine/run-engine.ts').keys()).toContain(
      'apps/server/src/product-tests/app.test.ts',
    )
  })

  it('of a file of SQL are those that call its functions, and those of the whole database', () => {
    const near = distancesFrom('apps/server/sql/functions/bets.sql')
    expect(near.get('apps/server/src/modules/bets/lock-order.test.ts')).toBe(1)
    expect(near.get('apps/server/src/db/sql-house.test.ts')).toBe(1)
    expect(near.has('packages/domain/src/money.test.ts')).toBe(false)
  })

  it('of a screen are the browser tests that open its address', () => {
    const near = distancesFrom('apps/web/src/screens/room/room-screen.tsx')
    expect(near.get('e2e/room-screen.spec.ts')).toBe(1)
    // Its address stands in a file that its tests share.
    expect(near.get('e2e/bet-room.spec.ts')).toBe(2)
    expect(near.get('apps/web/src/screens/room/room-screen.test.tsx')).toBe(1)
    expect(near.has('e2e/forms.spec.ts')).toBe(false)
  })

  it('of a page of docs are those that read it', () => {
    expect(distancesFrom('docs/product.md').get('tools/product-table.test.ts')).toBe(1)
  })

  it('are none where nothing that is tested was changed', () => {
    expect(nearTests(ROOT, ['README.md', 'no/such-file.ts'])).toEqual([])
  })
})
