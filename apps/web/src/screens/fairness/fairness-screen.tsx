import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { chainsQuery, type SeedChain } from '#src/data/fairness.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { receiptOf } from '#src/data/receipt.ts'
import { GameLogo, gameCode } from '#src/features/game-logo.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { LocalBeaconNote } from '#src/features/local-beacon-note.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { momentText } from '#src/i18n/time-text.ts'
import { useLocation, useRouteQuery } from '#src/navigation/navigation.tsx'
import { Card } from '#src/parts/card.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import { ReceiptPart, RoundPart } from '#src/screens/fairness/check-part.tsx'
import styles from '#src/screens/fairness/fairness.module.css'
import { Part } from '#src/screens/fairness/part.tsx'
import { ReservesPart } from '#src/screens/fairness/reserves-part.tsx'
import { ReturnsPart } from '#src/screens/fairness/returns-part.tsx'

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
      {!checkFirst && <p className="inset ink-2">{t('fairness.lead')}</p>}
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
        <h2>{t('fairness.offline')}</h2>
        <p className="quiet">{t('fairness.offlineText')}</p>
        <code className={styles.command}>npm run verify -- receipt.json</code>
      </Card>
    </Screen>
  )
}

function HowItWorks({ local }: { local: boolean }) {
  const t = useText()
  const steps = [
    { title: t('fairness.seedTitle'), text: t('fairness.seedText') },
    { title: t('fairness.bookTitle'), text: t('fairness.bookText') },
    {
      title: t('fairness.beaconTitle'),
      text: t(local ? 'fairness.beaconLocalText' : 'fairness.beaconText'),
    },
    { title: t('fairness.digitsTitle'), text: t('fairness.digitsText') },
  ]
  return (
    <Card>
      <h2>{t('fairness.how')}</h2>
      <DrawPicture />
      <ol className="stack-4">
        {steps.map(({ title, text }, at) => (
          <li key={title} className="marked">
            <span className={styles.stepNumber} aria-hidden="true">
              {at + 1}
            </span>
            <div>
              <h3>{title}</h3>
              <p className="quiet">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** A picture: a locked seed and a beacon, with lines to three tiles. */
function DrawPicture() {
  const t = useText()
  return (
    <div className={styles.picture} role="img" aria-label={t('fairness.art')}>
      <div className={styles.sources}>
        <div className={styles.source} data-of="seed">
          <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true" focusable="false">
            <rect x="9" y="21" width="30" height="21" rx="7" className={styles.body} />
            <path d="M16 21v-5a8 8 0 0 1 16 0v5" />
            <path d="M24 29v5" />
          </svg>
          <span>{t('fairness.artSeed')}</span>
        </div>
        <div className={styles.source} data-of="beacon">
          <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true" focusable="false">
            <path d="M19 42l3-21h4l3 21z" className={styles.body} />
            <circle cx="24" cy="14" r="4" className={styles.lamp} />
            <path d="M15 20a10.5 10.5 0 0 1 0-12M33 20a10.5 10.5 0 0 0 0-12M9.5 24a17 17 0 0 1 0-20M38.5 24a17 17 0 0 0 0-20" />
            <path d="M15 42h18" />
          </svg>
          <span>{t('fairness.artBeacon')}</span>
        </div>
      </div>
      <svg
        className={styles.lines}
        viewBox="0 0 240 48"
        width="240"
        height="48"
        aria-hidden="true"
        focusable="false"
      >
        <path data-of="seed" d="M44 2v6c0 20 76 8 76 34" />
        <path data-of="beacon" d="M196 2v6c0 20-76 8-76 34" />
        <circle cx="120" cy="42" r="4" />
      </svg>
      <div className={styles.tiles}>
        {[4, 7, 9].map((digit) => (
          <span key={digit} className="num">
            {digit}
          </span>
        ))}
      </div>
    </div>
  )
}

function SeedChains() {
  const t = useText()
  const chains = useQuery(chainsQuery)
  return (
    <Part title={t('chains.title')} lead={t('chains.hint')}>
      <Loaded
        query={chains}
        skeleton={<SkeletonRows count={4} />}
        empty={(list) => list.length === 0 && { title: t('chains.none') }}
      >
        {(list) => (
          <Card kind="rows">
            <ul>
              {list.toSorted(byGame).map((chain) => (
                <li key={chain.id}>
                  <ChainRow chain={chain} />
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Loaded>
    </Part>
  )
}

function byGame(one: SeedChain, other: SeedChain): number {
  return one.gameId - other.gameId || one.id - other.id
}

function ChainRow({ chain }: { chain: SeedChain }) {
  const t = useText()
  const when = useTimeFormat()
  const game = gameCode(chain.gameId)
  const count = new Intl.NumberFormat(when.tag)
  return (
    <div className="marked row-space" data-game={game}>
      {game && <GameLogo game={game} size={32} />}
      <div className="grow">
        <b>{t('chains.name', { id: chain.id })}</b>
        <p className="quiet">
          {t('chains.since', { moment: momentText(chain.committedAt, when) })}
        </p>
        <p className="quiet">
          {t('chains.used', {
            used: count.format(chain.used),
            length: count.format(chain.length),
          })}
        </p>
        <code className={styles.fingerprint}>{chain.commitment}</code>
      </div>
      <CopyButton
        small
        value={chain.commitment}
        label={t('copy.label', { what: t('chains.fingerprint', { id: chain.id }) })}
      />
    </div>
  )
}
