import { useText } from '#src/i18n/text.ts'
import { Callout } from '#src/parts/callout.tsx'

/** If the operator runs the beacon: a note that he could know results early. */
export function LocalBeaconNote() {
  const t = useText()
  return (
    <Callout icon="warn" tone="warn" title={t('fairness.localTitle')}>
      {t('fairness.localText')}
    </Callout>
  )
}

/** The mark of a round whose book no witness saw in time. */
export function NotWitnessed() {
  const t = useText()
  return <span className="caption strong ink-warn">{t('round.notWitnessed')}</span>
}
