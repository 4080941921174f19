import { payoutMax } from '@sum28/domain/payout.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { Dialog } from '@sum28/ui/dialog.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { memo, type ReactNode, useEffect, useState } from 'react'
import type { FeedEntry } from '#src/data/feed.ts'
import type { RoomOdds } from '#src/data/odds.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/follow-dialog.module.css'
import { RobotBadge } from '#src/screens/room/robot-badge.tsx'

type FollowDialogProps = {
  /** The entry to follow, or null while nothing is asked. */
  entry: FeedEntry | null
  odds: RoomOdds | undefined
  busy: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Asks before another player's bet is made as one's own: whose, in which round, on what, how much. */
export const FollowDialog = memo(function FollowDialog({
  entry,
  odds,
  busy,
  onClose,
  onConfirm,
}: FollowDialogProps) {
  const t = useText()
  const [kept, setKept] = useState(entry)
  // The words stay while the dialog leaves.
  useEffect(() => {
    if (entry) setKept(entry)
  }, [entry])
  const shown = entry ?? kept
  return (
    <Dialog
      open={entry !== null}
      onClose={onClose}
      title={t('follow.title')}
      confirm={{ label: t('follow.confirm'), onConfirm, busy }}
    >
      {shown && <FollowedBet entry={shown} odds={odds} />}
    </Dialog>
  )
})

function FollowedBet({ entry, odds }: { entry: FeedEntry; odds: RoomOdds | undefined }) {
  const t = useText()
  const selections = entry.ruleIds.flatMap((ruleId) => odds?.byRule.get(ruleId) ?? [])
  return (
    <dl className={styles.bet}>
      <Line label={t('follow.player')}>
        {entry.nickname} {entry.robot && <RobotBadge />}
      </Line>
      <Line label={t('follow.round')}>
        <span className="num">{entry.issue}</span>
      </Line>
      <Line label={t('follow.play')}>
        <span className={styles.play}>
          <OutcomeTags outcomes={entry.outcomes} />
        </span>
      </Line>
      {entry.ruleIds.length > 1 && (
        <Line label={t('follow.each')}>
          <AmountText value={entry.stake} />
        </Line>
      )}
      <Line label={t('follow.total')} strong>
        <AmountText value={entry.total} />
      </Line>
      {selections.length > 0 && (
        <Line label={t('follow.returns')}>
          <AmountText value={payoutMax(entry.stake, selections)} />
        </Line>
      )}
    </dl>
  )
}

type LineProps = { label: string; strong?: boolean; children: ReactNode }

function Line({ label, strong = false, children }: LineProps) {
  return (
    <div className={styles.line} data-strong={strong}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
