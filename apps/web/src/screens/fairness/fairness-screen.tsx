import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { receiptOf } from '#src/data/receipt.ts'
import { LocalBeaconNote } from '#src/features/local-beacon-note.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { useLocation, useRouteQuery } from '#src/navigation/navigation.tsx'
import { Card } from '#src/parts/card.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import styles from '#src/screens/fairness/fairness.module.css'
import { HowItWorks } from '#src/screens/fairness/how-it-works.tsx'
import { Part } from '#src/screens/fairness/part.tsx'
import { ReceiptPart } from '#src/screens/fairness/receipt-part.tsx'
import { ReservesPart } from '#src/screens/fairness/reserves-part.tsx'
import { ReturnsPart } from '#src/screens/fairness/returns-part.tsx'
import { RoundPart } from '#src/screens/fairness/round-part.tsx'
import { SeedChains } from '#src/screens/fairness/seed-chains.tsx'

/** Explains the draws, and lets anybody check one. Public. */
export function FairnessScreen() {
  const t = useText()
  const config = useQuery(configQuery)
  // A bet's page passes its receipt in the history state.
  const sent = receiptOf((useLocation().state as { receipt?: unknown } | null)?.receipt)
  const [{ issue: roundId }] = useRouteQuery('fairness')
  // If the address names a round or receipt, its check comes before the explanation.
  const [checkFirst] = useState(sent !== null || roundId !== undefined)
  const [part, setPart] = useState<'round' | 'receipt'>(sent ? 'receipt' : 'round')
  const local = config.data?.hasLocalBeacon === true

  const how = <HowItWorks local={local} />
  return (
    <Screen title={t('fairness.title')} back>
      {!checkFirst && <p className={styles.lead}>{t('fairness.lead')}</p>}
      {local && <LocalBeaconNote />}
      {!checkFirst && how}
      <Part title={t('check.title')}>
        <ChoicePills
          label={t('check.what')}
          options={[
            { value: 'round', label: t('check.round') },
            { value: 'receipt', label: t('check.receipt') },
          ]}
          value={part}
          onChange={setPart}
        />
        {part === 'round' ? <RoundPart /> : <ReceiptPart sent={sent} />}
      </Part>
      {checkFirst && how}
      <SeedChains />
      <ReservesPart />
      <ReturnsPart />
      <Card>
        <h2 className={styles.cardHeading}>{t('fairness.offline')}</h2>
        <p className="quiet">{t('fairness.offlineText')}</p>
        <code className={styles.command}>npm run verify -- receipt.json</code>
      </Card>
    </Screen>
  )
}
