import { AmountText } from '@sum28/ui/amount.tsx'
import type { IconName } from '@sum28/ui/icon.tsx'
import { RecordBadge, RecordRow, RecordSign, type RecordTone } from '@sum28/ui/record-row.tsx'
import { clockTimeText } from '@sum28/ui/time-text.ts'
import type { Entry } from '#src/data/statement-entry.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'

const ICONS: Record<Entry['kind'], IconName> = {
  deposit: 'wallet',
  withdrawal: 'logout',
  returned: 'refresh',
  purchase: 'play',
  profit: 'trophy',
  bonus: 'star',
  refund: 'refresh',
  other: 'card',
}

const TONES = { waiting: 'warn', passed: 'accent', rejected: 'bad' } as const satisfies Record<
  Entry['state'],
  RecordTone
>

/** One movement: kind, amount, and balance after it, with all decimals. */
export function EntryRow({ entry }: { entry: Entry }) {
  const t = useText()
  const when = useTimeFormat()
  const kind = t(`statement.${entry.kind}`)
  // Of a bonus or a correction the server says which of both it is, and why.
  const title = entry.kind === 'bonus' && entry.mark ? entry.mark : kind
  const time = clockTimeText(entry.postedAt, when)
  // Withdrawals always show their state; other movements only while they are not done.
  const showsState = entry.kind === 'withdrawal' || entry.state !== 'passed'
  return (
    <RecordRow
      sign={<RecordSign icon={ICONS[entry.kind]} tone={entry.amount > 0n ? 'in' : 'quiet'} />}
      title={
        <>
          {title}
          {showsState && (
            <RecordBadge tone={TONES[entry.state]}>{t(`statement.${entry.state}`)}</RecordBadge>
          )}
        </>
      }
      value={<AmountText value={entry.amount} decimals="all" signed />}
      note={
        entry.mark && entry.mark !== title && entry.mark !== kind ? `${entry.mark} · ${time}` : time
      }
      noteEnd={
        <>
          {t('statement.after')} <AmountText value={entry.balanceAfter} decimals="all" />
        </>
      }
    />
  )
}
