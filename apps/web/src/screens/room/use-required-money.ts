import { type Amount, parseAmount } from '@sum28/domain/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fetchEntryFunds } from '#src/data/entry-funds.ts'
import { useText } from '#src/i18n/text.ts'
import { useNavigate } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { showToast } from '#src/parts/toast-store.ts'
import type { RoomState } from '#src/screens/room/room-state.ts'

type Money = Pick<RoomState, 'balance' | 'bought'>

/** Whether cash and the stakes in this room together are below the required amount. */
export function isShort({ balance, bought }: Money, required: Amount): boolean {
  return balance !== null && balance + bought < required
}

/**
 * Sends a player with less than the address requires (default: nothing) to the trading hall, with a
 * toast. Checked with each change. If cash and the stakes of this room are not enough, fetches the
 * stakes of all running rounds.
 */
export function useRequiredMoney(requiredMoney: string | undefined, money: Money): void {
  const t = useText()
  const navigate = useNavigate()
  const parsed = parseAmount(requiredMoney ?? '', 6)
  const required = parsed.ok ? parsed.amount : 0n
  const { data: funds } = useQuery({
    // An answer for another balance is outdated.
    queryKey: ['entry-funds', `${money.balance}`, `${money.bought}`],
    enabled: isShort(money, required),
    gcTime: 0,
    staleTime: 0,
    structuralSharing: false,
    queryFn: ({ signal }) => fetchEntryFunds(signal),
  })
  const tooLittle = isShort(money, required) && funds !== undefined && funds < required

  useEffect(() => {
    if (!tooLittle) return
    showToast(t('hall.insufficient'))
    navigate(href('hall'), { replace: true })
  }, [tooLittle, navigate, t])
}
