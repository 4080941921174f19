import type { Amount } from '@sum28/domain/money.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { invalidateMoney } from '#src/data/invalidate-money.ts'

/**
 * Invalidates the queries about money when the balance has changed, for example by a bet or a draw.
 *
 * @param balance in micro-units; null while it is not known
 */
export function useInvalidateMoney(balance: Amount | null): void {
  const queries = useQueryClient()
  const before = useRef(balance)
  useEffect(() => {
    if (before.current !== null && before.current !== balance) invalidateMoney(queries)
    before.current = balance
  }, [balance, queries])
}
