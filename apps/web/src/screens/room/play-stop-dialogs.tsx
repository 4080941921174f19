import { Dialog } from '@sum28/ui/dialog.tsx'
import { LabelAmount, LabelValue, LabelValues } from '@sum28/ui/label-values.tsx'
import { useLastValue } from '@sum28/ui/use-last-value.ts'
import { memo } from 'react'
import { useNavigate } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import type { PlayStop } from '#src/data/play-stop.ts'
import { useBreakText } from '#src/features/break-note.tsx'
import { useLimitWords } from '#src/features/use-limit-words.ts'
import { useText } from '#src/i18n/text.ts'
import { RealityCheckDialog } from '#src/screens/room/reality-check-dialog.tsx'

type PlayStopDialogsProps = {
  /** Null if the player may bet. */
  stop: PlayStop | null
  onClose: () => void
}

/** Shows why the player may not bet now: a reality check, one of his limits, or a break. */
export const PlayStopDialogs = memo(function PlayStopDialogs({
  stop,
  onClose,
}: PlayStopDialogsProps) {
  return (
    <>
      <RealityCheckDialog check={stop?.kind === 'check' ? stop.check : null} onClose={onClose} />
      <LimitDialog stop={stop?.kind === 'limit' ? stop : null} onClose={onClose} />
      <BreakDialog stop={stop?.kind === 'excluded' ? stop : null} onClose={onClose} />
    </>
  )
})

type StopOf<Kind extends PlayStop['kind']> = Extract<PlayStop, { kind: Kind }>

function LimitDialog({ stop, onClose }: { stop: StopOf<'limit'> | null; onClose: () => void }) {
  const t = useText()
  const navigate = useNavigate()
  const { nameOf, soon } = useLimitWords()
  const limit = useLastValue(stop)?.limit
  return (
    <Dialog
      open={stop !== null}
      onClose={onClose}
      title={t('stop.limit')}
      tone="warn"
      closeLabel={t('action.ok')}
      confirm={{ label: t('stop.limits'), onConfirm: () => navigate(href('limits')) }}
    >
      {limit && (
        <LabelValues kind="boxed">
          <LabelValue label={t('stop.limitName')}>{nameOf(limit)}</LabelValue>
          <LabelAmount label={t('stop.limitAmount')} value={limit.amount} />
          <LabelAmount label={t('limits.left')} weight="strong" value={limit.left} />
          <LabelValue label={t('limits.beginsAnew')}>{soon(limit.nextPeriodAt)}</LabelValue>
        </LabelValues>
      )}
    </Dialog>
  )
}

function BreakDialog({ stop, onClose }: { stop: StopOf<'excluded'> | null; onClose: () => void }) {
  const t = useText()
  const navigate = useNavigate()
  const closed = useBreakText(useLastValue(stop)?.until ?? null)
  return (
    <Dialog
      open={stop !== null}
      onClose={onClose}
      title={t('break.onTitle')}
      tone="warn"
      closeLabel={t('action.ok')}
      confirm={{ label: t('break.more'), onConfirm: () => navigate(href('takeBreak')) }}
    >
      {closed}
    </Dialog>
  )
}
