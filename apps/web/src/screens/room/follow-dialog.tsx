import { payoutMax } from '@sum28/domain/payout.ts'
import { LabelAmount, LabelValue, LabelValues } from '@sum28/ui/label-values.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { Dialog } from '@sum28/ui/overlays.tsx'
import { useLastValue } from '@sum28/ui/use-last-value.ts'
import { memo } from 'react'
import type { FeedEntry } from '#src/data/feed.ts'
import { useText } from '#src/i18n/text.ts'
import { RobotBadge } from '#src/screens/room/feed.tsx'
import type { RoomOdds } from '#src/screens/room/odds.ts'
import { LimitLeftLine } from '#src/screens/room/pay-bar.tsx'

type FollowDialogProps = {
  /** The entry to follow, or null while the dialog is closed. */
  entry: FeedEntry | null
  odds: RoomOdds | undefined
  busy: boolean
  onClose: () => void
  onConfirm: () => void
}

/**
 * Asks for confirmation before following a bet, and shows whose it is, its round, selections and
 * stake.
 */
export const FollowDialog = memo(function FollowDialog({
  entry,
  odds,
  busy,
  onClose,
  onConfirm,
}: FollowDialogProps) {
  const t = useText()
  const shown = useLastValue(entry)
  return (
    <Dialog
      open={entry !== null}
      onClose={onClose}
      title={t('follow.title')}
      confirm={{ label: t('follow.confirm'), onConfirm, busy }}
    >
      {shown && (
        <div className="stack-3">
          <FollowedBet entry={shown} odds={odds} />
          <LimitLeftLine />
        </div>
      )}
    </Dialog>
  )
})

function FollowedBet({ entry, odds }: { entry: FeedEntry; odds: RoomOdds | undefined }) {
  const t = useText()
  const selections = entry.ruleIds.flatMap((ruleId) => odds?.byRule.get(ruleId) ?? [])
  return (
    <LabelValues kind="boxed">
      <LabelValue label={t('follow.player')}>
        {entry.nickname} {entry.robot && <RobotBadge />}
      </LabelValue>
      <LabelValue label={t('follow.round')}>{entry.issue}</LabelValue>
      <LabelValue label={t('follow.play')}>
        <OutcomeTags outcomes={entry.outcomes} />
      </LabelValue>
      {entry.ruleIds.length > 1 && <LabelAmount label={t('follow.each')} value={entry.stake} />}
      <LabelAmount label={t('follow.total')} weight="strong" value={entry.total} />
      {selections.length > 0 && (
        <LabelAmount label={t('follow.returns')} value={payoutMax(entry.stake, selections)} />
      )}
    </LabelValues>
  )
}
