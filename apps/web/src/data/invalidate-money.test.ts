import { QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { betHistoryQuery, betTotalsQuery } from '#src/data/bet-history.ts'
import { depositQuery } from '#src/data/deposit.ts'
import { invalidateMoney } from '#src/data/invalidate-money.ts'
import { profileQuery } from '#src/data/profile.ts'
import { protectionQuery } from '#src/data/protection.ts'
import { withdrawalQuery } from '#src/data/withdrawal.ts'
import { statementQuery } from '#src/screens/statement/statement.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { host: 'play.example' } }))

const DAYS = { from: '2026-11-20', to: '2026-11-20' }

it('refetches history, totals, statement, profile, withdrawal, deposit and limits', () => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 5_000 } } })
  const keys = [
    betHistoryQuery({ ...DAYS, status: undefined }).queryKey,
    betTotalsQuery({ ...DAYS, status: 'pending' }).queryKey,
    statementQuery({ ...DAYS, movement: undefined }).queryKey,
    profileQuery.queryKey,
    withdrawalQuery.queryKey,
    depositQuery.queryKey,
    protectionQuery.queryKey,
  ] as readonly (readonly unknown[])[]
  for (const key of [...keys, ['games']]) queries.setQueryData(key, {})
  invalidateMoney(queries)
  for (const key of keys) expect(queries.getQueryState(key)?.isInvalidated).toBe(true)
  expect(queries.getQueryState(['games'])?.isInvalidated).toBe(false)
})
