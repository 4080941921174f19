import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { chainsQuery, type SeedChain } from '#src/data/fairness.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { receiptOf } from '#src/data/receipt.ts'
import { useSession } from '#src/data/session-watch.ts'
import { DrawTiles } from '#src/features/draw-tiles.tsx'
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
  // A bet's page passes its receipt in the history state, which outlives the session: only its player sees it.
  const { receipt, of } = (useLocation().state ?? {}) as { receipt?: unknown; of?: string }
  const isOwn = useSession('userId') === of
  const sent = isOwn ? receiptOf(receipt) : null
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
      <Card className="stack-3">
        <h2>{t('fairness.offline')}</h2>
        <p className="quiet">{t('fairness.offlineText')}</p>
        <code className="boxed small anywhere">npm run verify -- receipt.json</code>
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
      <div className="halves small bold">
        <span style={{ color: 'var(--short)' }}>{t('fairness.artSeed')}</span>
        <span style={{ color: 'var(--long)' }}>{t('fairness.artBeacon')}</span>
      </div>
      <svg viewBox="0 0 240 122" aria-hidden="true" fill="none" strokeLinecap="round">
        <g stroke="var(--short)" fill="var(--surface)" strokeWidth="2.2" strokeLinejoin="round">
          <rect x="28" width="64" height="64" rx="22" stroke="none" fill="var(--short-soft)" />
          <rect x="45" y="29" width="30" height="21" rx="7" />
          <path d="M52 29v-5a8 8 0 0 1 16 0v5M60 37v5" fill="none" />
        </g>
        <g stroke="var(--long)" fill="var(--surface)" strokeWidth="2.2" strokeLinejoin="round">
          <rect x="148" width="64" height="64" rx="22" stroke="none" fill="var(--long-soft)" />
          <path d="M175 50l3-21h4l3 21zM171 50h18" />
          <circle cx="180" cy="22" r="4" fill="var(--long)" />
          <path
            d="M171 28a10.5 10.5 0 0 1 0-12M189 28a10.5 10.5 0 0 0 0-12M165.5 32a17 17 0 0 1 0-20M194.5 32a17 17 0 0 0 0-20"
            fill="none"
          />
        </g>
        <path stroke="var(--short)" strokeWidth="2.5" d="M60 72v6c0 20 60 8 60 34" />
        <path stroke="var(--long)" strokeWidth="2.5" d="M180 72v6c0 20-60 8-60 34" />
        <circle cx="120" cy="114" r="4" fill="var(--tile)" />
      </svg>
      <DrawTiles digits={[4, 7, 9]} />
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
  return one.game_id - other.game_id || one.id - other.id
}

function ChainRow({ chain }: { chain: SeedChain }) {
  const t = useText()
  const when = useTimeFormat()
  const game = gameCode(chain.game_id)
  const count = new Intl.NumberFormat(when.tag)
  return (
    <div className="marked row-space" data-game={game}>
      {game && <GameLogo game={game} size={32} />}
      <div className="grow">
        <b>{t('chains.name', { id: chain.id })}</b>
        <p className="quiet">
          {t('chains.since', { moment: momentText(chain.committed_at * 1_000, when) })}
        </p>
        <p className="quiet">
          {t('chains.used', {
            used: count.format(chain.used),
            length: count.format(chain.length),
          })}
        </p>
        <code className="caption anywhere">{chain.commitment}</code>
      </div>
      <CopyButton
        small
        value={chain.commitment}
        label={t('copy.label', { what: t('chains.fingerprint', { id: chain.id }) })}
      />
    </div>
  )
}
