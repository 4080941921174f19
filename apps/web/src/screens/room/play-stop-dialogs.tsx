import { acknowledgeCheck } from '@sum28/contract/protection-routes.ts'
import { useMutation } from '@tanstack/react-query'
import { memo } from 'react'
import { call } from '#src/data/client.ts'
import { useBreakText } from '#src/features/break-note.tsx'
import { useLimitWords } from '#src/features/use-limit-left.ts'
import { useText } from '#src/i18n/text.ts'
import { Link, useNavigate } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { Dialog } from '#src/parts/overlays.tsx'
import { useLastValue } from '#src/parts/use-last-value.ts'
import type { PlayStop, RealityCheck } from '#src/screens/room/play-stop.ts'

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

type RealityCheckDialogProps = {
  /** Null while no check is due. */
  check: RealityCheck | null
  onClose: () => void
}

/** Shows the duration and the result of the session; the player must confirm it before the next bet. */
function RealityCheckDialog({ check, onClose }: RealityCheckDialogProps) {
  const t = useText()
  const shown = useLastValue(check)
  const acknowledging = useMutation({
    mutationFn: () => call(acknowledgeCheck, {}),
    onSuccess: onClose,
  })

  return (
    <Dialog
      open={check !== null}
      onClose={onClose}
      title={t('realityCheck.title')}
      closeLabel={t('realityCheck.stop')}
      confirm={{
        label: t('realityCheck.goOn'),
        onConfirm: acknowledging.mutate,
        busy: acknowledging.isPending,
      }}
    >
      {shown && (
        <div className="stack-3">
          <LabelValues kind="boxed">
            <LabelValue label={t('realityCheck.time')}>
              {t('realityCheck.minutes', { minutes: shown.minutes })}
            </LabelValue>
            <LabelAmount label={t('realityCheck.staked')} value={shown.staked} />
            <LabelAmount label={t('realityCheck.won')} value={shown.won} />
            <LabelAmount label={t('realityCheck.net')} weight="strong" signed value={shown.net} />
          </LabelValues>
          <p>{t('realityCheck.text')}</p>
          <Link to={href('saferPlay')}>{t('help.more')}</Link>
        </div>
      )}
    </Dialog>
  )
}
