import { amountText } from '@sum28/ui/amount-format.ts'
import type { ReactNode } from 'react'
import { useTimeFormat } from '#src/data/game-zone.ts'
import type { RequestedWithdrawal } from '#src/data/withdrawal.ts'
import { TimeLine, type TimeLineStep } from '#src/features/time-line.tsx'
import { unitsText } from '#src/i18n/number-text.ts'
import { type TextKey, useLocale, useText } from '#src/i18n/text.ts'
import { minuteText } from '#src/i18n/time-text.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Section } from '#src/parts/card.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import {
  RecordBadge,
  RecordCard,
  RecordRow,
  RecordSign,
  type RecordTone,
} from '#src/parts/record-row.tsx'

/** Who looks at a request, and how long it usually takes, if that is known. */
export function ExpectedTime({ seconds }: { seconds: number | null }) {
  const t = useText()
  const { tag } = useLocale()
  return (
    <p className="hint">
      {seconds === null
        ? t('withdrawal.checked')
        : t('withdrawal.usual', { time: usualTimeText(seconds, tag) })}
    </p>
  )
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Seconds as `25 minutes`, `7 hours` or `3 days`, rounded up, in the language of a tag. */
export function usualTimeText(seconds: number, tag: string): string {
  const [unit, size] =
    seconds <= HOUR
      ? (['minute', MINUTE] as const)
      : seconds <= 2 * DAY
        ? (['hour', HOUR] as const)
        : (['day', DAY] as const)
  const count = Math.max(1, Math.ceil(seconds / size))
  return unitsText([{ unit, count }], { tag, display: 'long' })
}

/** The latest requests: of the newest, and of each that is on its way, all steps. */
export function LatestRequests({ latest }: { latest: readonly RequestedWithdrawal[] }) {
  const t = useText()
  if (latest.length === 0) return null
  return (
    <Section title={t('withdrawal.latest')}>
      <RecordCard items={latest} keyOf={({ id }) => id}>
        {(request, at) => <RequestRow request={request} open={at === 0 || isOnItsWay(request)} />}
      </RecordCard>
    </Section>
  )
}

const isOnItsWay = ({ status }: RequestedWithdrawal) =>
  status === 'waiting' || status === 'approved'

/** The colour of each state, and its word where the steps are not shown. */
const LOOKS = {
  waiting: { tone: 'warn', badge: 'withdrawal.is-waiting' },
  approved: { tone: 'accent', badge: 'withdrawal.is-approved' },
  sent: { tone: 'in', badge: 'withdrawal.is-sent' },
  rejected: { tone: 'bad', badge: 'statement.rejected' },
  returned: { tone: 'bad', badge: 'statement.restored' },
} as const satisfies Record<RequestedWithdrawal['status'], { tone: RecordTone; badge: TextKey }>

function RequestRow({ request, open }: { request: RequestedWithdrawal; open: boolean }) {
  const t = useText()
  const steps = useSteps(request)
  const { tone, badge } = LOOKS[request.status]
  return (
    <RecordRow
      sign={<RecordSign icon="logout" tone={tone} />}
      title={
        <>
          <span translate="no">{request.payee}</span>
          {!open && <RecordBadge tone={tone}>{t(badge)}</RecordBadge>}
        </>
      }
      value={<AmountText value={request.amount} />}
      note={t('withdrawal.number', { id: String(request.id) })}
    >
      {open && <TimeLine steps={steps} />}
    </RecordRow>
  )
}

/** Requested, approved, sent: with the time of each; or where it ended before. */
function useSteps(request: RequestedWithdrawal): TimeLineStep[] {
  const t = useText()
  const when = useTimeFormat()
  const { tag } = useLocale()
  const { status, paidPart, requestedAt, approvedAt, sentAt, reference, why } = request
  const said = (at: number | null) => at !== null && minuteText(at, when)
  const requested = {
    label: t('withdrawal.requestedAt'),
    note: said(requestedAt),
    at: 'done',
  } as const
  const approved = {
    label: t('withdrawal.is-approved'),
    note: said(approvedAt),
    at: 'done',
  } as const
  const sent = { label: t('withdrawal.is-sent'), at: 'later' } as const
  const part = {
    label: t('withdrawal.partSent', { amount: amountText(paidPart, { tag }) }),
    at: 'done',
  } as const
  const before = paidPart > 0n ? [requested, approved, part] : [requested, approved]
  switch (status) {
    case 'waiting':
      return [requested, { label: t('withdrawal.is-waiting'), at: 'now' }, sent]
    case 'approved':
      return [...before, { label: t('withdrawal.sendingOut'), at: 'now' }]
    case 'sent':
      return [
        requested,
        approved,
        { ...sent, at: 'done', note: <SentBy reference={reference}>{said(sentAt)}</SentBy> },
      ]
    case 'rejected':
      return [requested, { label: t('withdrawal.is-rejected'), note: why, at: 'failed' }]
    case 'returned':
      return [...before, { label: t('withdrawal.is-returned'), note: why, at: 'failed' }]
  }
}

/** The time of a payout, and its transaction or bank reference to copy. */
function SentBy({ reference, children }: { reference: string | null; children: ReactNode }) {
  const t = useText()
  return (
    <>
      {children}
      {reference && (
        <span className="row-2">
          <span className="mono caption ink" translate="no">
            {reference}
          </span>
          <CopyButton small value={reference} label={t('withdrawal.copyReference')} />
        </span>
      )}
    </>
  )
}
