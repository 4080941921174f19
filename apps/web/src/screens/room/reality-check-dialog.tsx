import { Dialog } from '@sum28/ui/dialog.tsx'
import { LabelAmount, LabelValue, LabelValues } from '@sum28/ui/label-values.tsx'
import { useLastValue } from '@sum28/ui/use-last-value.ts'
import { useMutation } from '@tanstack/react-query'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { acknowledgeRealityCheck, type RealityCheck } from '#src/data/reality-check.ts'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'

type RealityCheckDialogProps = {
  /** Null while no check is due. */
  check: RealityCheck | null
  onClose: () => void
}

/** Shows the duration and the result of the session; the player must confirm it before the next bet. */
export function RealityCheckDialog({ check, onClose }: RealityCheckDialogProps) {
  const t = useText()
  const shown = useLastValue(check)
  const acknowledging = useMutation({
    mutationFn: acknowledgeRealityCheck,
    onSuccess: onClose,
    onError: showFailure,
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
