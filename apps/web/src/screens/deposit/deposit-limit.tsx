import { Callout } from '@sum28/ui/callout.tsx'
import { useQuery } from '@tanstack/react-query'
import { protectionQuery } from '#src/data/protection.ts'
import { LimitsOffer } from '#src/features/limits-offer.tsx'
import { useLimitLeft, useTightestLimit } from '#src/features/use-limit-left.ts'
import { useLimitWords } from '#src/features/use-limit-words.ts'
import { useText } from '#src/i18n/text.ts'

const DEPOSIT_LIMITS = ['deposit'] as const

/** The rest of the tightest deposit limit; empty if none is set. */
export function DepositLimit() {
  const t = useText()
  const { soon } = useLimitWords()
  const limit = useTightestLimit(DEPOSIT_LIMITS)
  const left = useLimitLeft(DEPOSIT_LIMITS)
  if (!limit || left === null) return null
  return (
    <Callout icon="shield" tone={limit.left === 0n ? 'warn' : 'quiet'} title={left}>
      {t('left.depositText', { time: soon(limit.nextPeriodAt) })}
    </Callout>
  )
}

/** Offers a deposit limit before the first deposit, to a player who has none. */
export function DepositLimitOffer() {
  const { data: protection } = useQuery(protectionQuery)
  const hasNone = protection?.limits.every(({ kind, own }) => kind !== 'deposit' || own === null)
  return hasNone ? <LimitsOffer at="deposit" /> : null
}
