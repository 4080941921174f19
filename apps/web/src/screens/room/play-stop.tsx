import { Refusal } from '@sum28/contract/client.ts'
import { acknowledgeCheck } from '@sum28/contract/protection-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { memo, useCallback } from 'react'
import { call } from '#src/data/client.ts'
import { type LimitName, protectionQuery } from '#src/data/protection.ts'
import { queryClient } from '#src/data/query-client.ts'
import { type Closed, useBreakWords } from '#src/features/break-note.tsx'
import { useLimitWords } from '#src/features/use-limit-left.ts'
import { useText } from '#src/i18n/text.ts'
import { Link, useNavigate } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { Dialog } from '#src/parts/overlays.tsx'
import { useLastValue } from '#src/parts/use-last-value.ts'

/** A limit that the order would have exceeded. */
type ReachedLimit = LimitName & {
  readonly amount: Amount
  readonly left: Amount
  /** Milliseconds since 1970. */
  readonly nextPeriodAt: number
}

/** Why an order was refused to protect the player. */
export type PlayStop =
  | { readonly kind: 'check'; readonly check: RealityCheck }
  | { readonly kind: 'limit'; readonly limit: ReachedLimit }
  | { readonly kind: 'excluded'; readonly closed: Closed }

/** Reads it from the refusal's data; null if the order failed for another reason. */
export function playStopOf(error: unknown): PlayStop | null {
  if (!(error instanceof Refusal)) return null
  const { reason, until } = error.data
  if (reason === 'reality_check_due') return { kind: 'check', check: realityCheck(error.data) }
  if (reason === 'excluded') {
    return {
      kind: 'excluded',
      closed: { until: until === undefined ? null : Number(until) * 1_000 },
    }
  }
  const limit = reason === 'limit_reached' ? reachedLimit(error.data) : null
  return limit && { kind: 'limit', limit }
}

type RealityCheck = ReturnType<typeof realityCheck>

/** The figures of the present session, which the player must see before he bets on. */
function realityCheck(data: Readonly<Record<string, unknown>>) {
  const running = amountFromWire(String(data.running))
  return {
    minutes: Math.floor(Number(data.elapsed_s) / 60),
    staked: amountFromWire(String(data.staked)),
    /** Of that, the stakes of bets that wait for their draw. */
    running,
    won: amountFromWire(String(data.won)),
    /** Payouts minus stakes; those that are running are no loss. */
    net: amountFromWire(String(data.net)) + running,
  }
}

/** Null if the server does not name the limit. */
function reachedLimit(data: Readonly<Record<string, unknown>>): ReachedLimit | null {
  const { limit, period, amount, left, begins_at: beginsAt } = data
  if (limit !== 'loss' && limit !== 'stake') return null
  if (period !== 'day' && period !== 'week' && period !== 'month') return null
  return {
    kind: limit,
    period,
    amount: amountFromWire(String(amount)),
    left: amountFromWire(String(left)),
    nextPeriodAt: Number(beginsAt) * 1_000,
  }
}

/** Returns a function that reports whether the player is on a break, and shows it if so. */
export function useStopOnBreak(setStop: (stop: PlayStop) => void): () => boolean {
  // Kept up to date, but the room does not rerender for every limit that is used.
  useQuery({ ...protectionQuery, notifyOnChangeProps: [] })
  return useCallback(() => {
    const exclusion = queryClient.getQueryData(protectionQuery.queryKey)?.exclusion
    if (!exclusion) return false
    setStop({ kind: 'excluded', closed: exclusion })
    return true
  }, [setStop])
}

type PlayStopDialogProps = {
  /** Null if the player may bet. */
  stop: PlayStop | null
  onClose: () => void
}

/** Shows why the player may not bet now: a reality check, which he must confirm before the next bet, one of his limits, or a break. */
export const PlayStopDialog = memo(function PlayStopDialog({ stop, onClose }: PlayStopDialogProps) {
  const t = useText()
  const navigate = useNavigate()
  const shown = useLastValue(stop)
  const words = useBreakWords(shown?.kind === 'excluded' ? shown.closed : null)
  const acknowledging = useMutation({
    mutationFn: () => call(acknowledgeCheck, {}),
    onSuccess: onClose,
  })
  const opening = { open: stop !== null, onClose }
  if (shown?.kind === 'check') {
    return (
      <Dialog
        {...opening}
        title={t('realityCheck.title')}
        closeLabel={t('realityCheck.stop')}
        confirm={{
          label: t('realityCheck.goOn'),
          onConfirm: acknowledging.mutate,
          busy: acknowledging.isPending,
        }}
      >
        <SessionFigures check={shown.check} />
      </Dialog>
    )
  }
  const isLimit = shown?.kind === 'limit'
  const more = isLimit
    ? { label: t('stop.limits'), onConfirm: () => navigate(href('limits')) }
    : { label: t('break.more'), onConfirm: () => navigate(href('takeBreak')) }
  return (
    <Dialog
      {...opening}
      title={isLimit ? t('stop.limit') : words.title}
      tone="warn"
      closeLabel={t('action.ok')}
      {...((isLimit || words.isBreak) && { confirm: more })}
    >
      {isLimit ? <LimitFigures limit={shown.limit} /> : words.text}
    </Dialog>
  )
})

function SessionFigures({ check }: { check: RealityCheck }) {
  const t = useText()
  return (
    <div className="stack-3">
      <LabelValues kind="boxed">
        <LabelValue label={t('realityCheck.time')}>
          {t('realityCheck.minutes', { minutes: check.minutes })}
        </LabelValue>
        <LabelAmount label={t('figures.staked')} value={check.staked} />
        {check.running > 0n && (
          <LabelAmount label={t('bet.pending')} weight="part" value={check.running} />
        )}
        <LabelAmount label={t('figures.won')} value={check.won} />
        <LabelAmount label={t('figures.net')} weight="strong" signed value={check.net} />
      </LabelValues>
      <p>{t('realityCheck.text')}</p>
      <Link to={href('saferPlay')}>{t('help.more')}</Link>
    </div>
  )
}

function LimitFigures({ limit }: { limit: ReachedLimit }) {
  const t = useText()
  const { nameOf, soon } = useLimitWords()
  return (
    <LabelValues kind="boxed">
      <LabelValue label={t('stop.limitName')}>{nameOf(limit)}</LabelValue>
      <LabelAmount label={t('stop.limitAmount')} value={limit.amount} />
      <LabelAmount label={t('limits.left')} weight="strong" value={limit.left} />
      <LabelValue label={t('limits.beginsAnew')}>{soon(limit.nextPeriodAt)}</LabelValue>
    </LabelValues>
  )
}
