import { type OwedCountOnWire, reserves } from '@sum28/contract/fairness-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { useText } from '#src/i18n/text.ts'
import { momentText } from '#src/i18n/time-text.ts'
import { Card, CardHeading } from '#src/parts/card.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import { Part } from '#src/screens/fairness/part.tsx'

const reservesQuery = queryOptions({
  queryKey: ['reserves'],
  staleTime: 60_000,
  queryFn: ({ signal }) => call(reserves, {}, { signal }),
})

type ReserveCount = OwedCountOnWire
type ReserveAddress = ReplyOf<typeof reserves>['addresses'][number]

/** What the house owes to players and what it holds, with the history and its addresses. */
export function ReservesPart() {
  const t = useText()
  const query = useQuery(reservesQuery)
  return (
    <Part title={t('reserves.title')} lead={t('reserves.lead')}>
      <Loaded
        query={query}
        skeleton={<SkeletonRows count={4} />}
        empty={({ counts }) => counts.length === 0 && { title: t('reserves.none') }}
      >
        {({ counts: [last, ...earlier], addresses }) => (
          <>
            {last && <LastCount last={last} earlier={earlier} />}
            {addresses.length > 0 && <Addresses addresses={addresses} />}
          </>
        )}
      </Loaded>
    </Part>
  )
}

/** What is held for each that is owed, 1.04 for 104%, rounded down: 99.99% is not all. Null if nothing is owed. */
function coverOf(count: ReserveCount): number | null {
  const owed = amountFromWire(count.owed)
  const held = amountFromWire(count.on_chain) + amountFromWire(count.at_bank ?? '0.00')
  return owed === 0n ? null : Number((held * 1_000n) / owed) / 1_000
}

function usePercent(): (share: number) => string {
  const { tag } = useTimeFormat()
  return new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 }).format
}

function LastCount({ last, earlier }: { last: ReserveCount; earlier: readonly ReserveCount[] }) {
  const t = useText()
  const when = useTimeFormat()
  const percent = usePercent()
  const cover = coverOf(last)
  return (
    <Card className="stack-3">
      <div className="boxed toned" data-tone={cover === null || cover >= 1 ? 'in' : 'bad'}>
        {cover === null ? (
          <span>{t('reserves.nothing')}</span>
        ) : (
          <>
            <b className="num figure">{percent(cover)}</b>
            <p className="small ink">{t('reserves.cover')}</p>
          </>
        )}
      </div>
      <LabelValues>
        <LabelAmount label={t('reserves.owed')} value={amountFromWire(last.owed)} weight="strong" />
        <LabelAmount label={t('reserves.onChain')} value={amountFromWire(last.on_chain)} />
        {last.at_bank !== null && (
          <LabelAmount label={t('reserves.atBank')} value={amountFromWire(last.at_bank)} />
        )}
        <LabelValue label={t('reserves.count', { number: last.number })}>
          {momentText(last.counted_at * 1_000, when)}
        </LabelValue>
      </LabelValues>
      {last.at_bank !== null && <p className="quiet">{t('reserves.bankText')}</p>}
      <History counts={[...earlier.toReversed(), last]} />
      <div className="marked">
        <div className="grow">
          <p className="quiet">{t('reserves.root')}</p>
          <code className="caption anywhere">{last.root}</code>
        </div>
        <CopyButton small value={last.root} label={t('copy.label', { what: t('reserves.root') })} />
      </div>
      <p className="quiet">{t('reserves.limits')}</p>
    </Card>
  )
}

const WIDTH = 320
const HEIGHT = 72
/** The chart ends at twice of what is owed. */
const COVER_MAX = 2

/** Reserves by what is owed, as a line, above the line of 100%; without the counts of which nothing was owed. */
function History({ counts }: { counts: readonly ReserveCount[] }) {
  const t = useText()
  const percent = usePercent()
  const covers = counts.map(coverOf).filter((cover) => cover !== null)
  if (covers.length < 2) return null
  const x = (at: number) => (at / (covers.length - 1)) * WIDTH
  const y = (cover: number) => HEIGHT - (Math.min(cover, COVER_MAX) / COVER_MAX) * (HEIGHT - 4) - 2
  const points = covers.map((cover, at) => `${x(at)},${y(cover)}`).join(' ')
  return (
    <figure className="stack-2 quiet">
      <figcaption>{t('reserves.history', { count: covers.length })}</figcaption>
      <svg
        width="100%"
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('reserves.picture', {
          low: percent(Math.min(...covers)),
          high: percent(Math.max(...covers)),
        })}
      >
        <line
          stroke="var(--field-line)"
          strokeDasharray="4 4"
          vectorEffect="non-scaling-stroke"
          x1={0}
          x2={WIDTH}
          y1={y(1)}
          y2={y(1)}
        />
        <polyline
          fill="none"
          stroke="var(--accent)"
          strokeWidth={2.5}
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
          points={points}
        />
      </svg>
      <p>{t('reserves.all')}</p>
    </figure>
  )
}

function Addresses({ addresses }: { addresses: readonly ReserveAddress[] }) {
  const t = useText()
  return (
    <Card className="stack-3">
      <CardHeading>{t('reserves.addresses')}</CardHeading>
      <p className="quiet">{t('reserves.addressText')}</p>
      <ul className="stack-3">
        {addresses.map(({ id, address, statement, signature, quantity }) => (
          <li key={id} className="marked">
            <div className="grow">
              {quantity !== null && (
                <LabelValues>
                  <LabelAmount label={t('reserves.holds')} value={amountFromWire(quantity)} />
                </LabelValues>
              )}
              <code className="caption anywhere">{address}</code>
              <p className="quiet">{statement}</p>
              <code className="caption anywhere">{signature}</code>
            </div>
            <CopyButton
              small
              value={`${address}\n${statement}\n${signature}\n`}
              label={t('copy.label', { what: t('reserves.signature') })}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
