import { amountFromWire, parseAmount } from '@sum28/domain/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { profileQuery } from '#src/data/profile.ts'
import { useText } from '#src/i18n/text.ts'
import { showToast } from '#src/ui/toast-store.ts'

/**
 * Sends a player whose balance is below what the address requires (nothing unless told) to the
 * trading hall, with the tip. Asked once, on entering: who then bets below it may stay.
 */
export function useRequiredMoney(requiredMoney: string | undefined): void {
  const t = useText()
  const navigate = useNavigate()
  const parsed = parseAmount(requiredMoney ?? '', 6)
  const required = parsed.ok ? parsed.amount : 0n
  const query = useQuery({ ...profileQuery, enabled: required > 0n, staleTime: 0 })
  // What was heard before entering may be older than a deposit.
  const profile = query.isFetchedAfterMount ? query.data : undefined
  const asked = useRef(false)

  useEffect(() => {
    if (!profile || required === 0n || asked.current) return
    asked.current = true
    if (amountFromWire(profile.money) >= required) return
    showToast(t('play.insufficient'))
    navigate(href('lottery'), { replace: true })
  }, [profile, required, navigate, t])
}
