import type { Amount } from '@sum28/domain/money.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { moneyMoved } from '#src/data/money-moved.ts'

/**
 * Fetches data about money again when the balance has changed, as by a bet or a draw.
 *
 * @param balance in micro-units; null while it is not known
 */
export function useMoneyMoved(balance: Amount | null): void {
  const queries = useQueryClient()
  const before = useRef(balance)
  useEffect(() => {
    if (before.current !== null && before.current !== balance) moneyMoved(queries)
    before.current = balance
  }, [balance, queries])
}
