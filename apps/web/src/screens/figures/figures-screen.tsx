import * as routes from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useLocale, useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Card } from '#src/parts/card.tsx'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import { Tabs } from '#src/parts/tabs.tsx'

/** The player's deposits, withdrawals, stakes and payouts: in twelve months, in total, and month by month. */
export function FiguresScreen() {
  const t = useText()
  const query = useQuery(figuresQuery)
  return (
    <Screen title={t('figures.title')} back>
      <Loaded query={query} skeleton={<SkeletonRows count={6} />}>
        {(figures) => <Known figures={figures} />}
      </Loaded>
      {/* Not sooner: what comes above it would move it away from a finger. */}
      {!query.isPending && (
        <Card kind="rows">
          <ListRow icon="list" title={t('changes.title')} to={href('changes')} />
        </Card>
      )}
    </Screen>
  )
}

type OwnFigures = ReplyOf<typeof routes.figures>

function Known({ figures }: { figures: OwnFigures }) {
  const t = useText()
  const { tag } = useLocale()
  const [span, setSpan] = useState<'year' | 'lifetime'>('year')
  return (
    <>
      <Tabs
        label={t('figures.span')}
        value={span}
        onChange={setSpan}
        tabs={(['year', 'lifetime'] as const).map((value) => ({
          value,
          label: t(`figures.${value}`),
          content: <Sums figures={figures[value]} />,
        }))}
      />
      <Card className="stack-3">
        <h2 className="quiet">{t('figures.byMonth')}</h2>
        <MonthsChart months={figures.months} />
        <LabelValues>
          {figures.months.toReversed().map(({ month, net }) => (
            <LabelValue key={month} label={monthText(month, tag)}>
              <AmountText value={amountFromWire(net)} signed />
            </LabelValue>
          ))}
        </LabelValues>
      </Card>
      <p className="hint">{t('figures.note')}</p>
    </>
  )
}

function Sums({ figures }: { figures: OwnFigures['year'] }) {
  const t = useText()
  return (
    <Card>
      <LabelValues>
        <LabelAmount label={t('figures.deposited')} value={amountFromWire(figures.deposited)} />
        <LabelAmount label={t('figures.withdrawn')} value={amountFromWire(figures.withdrawn)} />
        <LabelAmount
          label={t('figures.netDeposited')}
          value={amountFromWire(figures.net_deposited)}
          weight="strong"
        />
        <LabelAmount label={t('figures.staked')} value={amountFromWire(figures.staked)} />
        <LabelAmount label={t('figures.won')} value={amountFromWire(figures.won)} />
        <LabelAmount
          label={t('figures.net')}
          value={amountFromWire(figures.net)}
          weight="strong"
          signed
        />
      </LabelValues>
    </Card>
  )
}

const WIDTH = 300
const HEIGHT = 96
const MIDDLE = HEIGHT / 2
const GAP = 6

/** `Nov 2026`, as the language writes it. */
function monthText(month: string, tag: string): string {
  const format = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', year: 'numeric', month: 'short' })
  return format.format(Date.parse(`${month}-15T00:00:00Z`))
}

/** The result of each month as a bar: up if the payouts were above the stakes, else down. */
function MonthsChart({ months }: { months: OwnFigures['months'] }) {
  const t = useText()
  const { tag } = useLocale()
  const nets = months.map(({ net }) => Number(amountFromWire(net)))
  const largest = Math.max(1, ...nets.map(Math.abs))
  const step = WIDTH / months.length
  const descriptions = months.map(
    ({ month, net }) =>
      `${monthText(month, tag)} ${amountText(amountFromWire(net), { tag, decimals: 'two', plus: true })}`,
  )
  return (
    <svg
      width="100%"
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${t('figures.byMonth')}: ${descriptions.join('; ')}`}
    >
      {months.map(({ month }, at) => {
        const net = nets[at] ?? 0
        // The bar of a small result has a minimum height, so that it is visible.
        const height = net === 0 ? 0 : Math.max(1.5, (Math.abs(net) / largest) * (MIDDLE - 2))
        return (
          <rect
            key={month}
            fill={net > 0 ? 'var(--in)' : 'var(--ink-3)'}
            x={at * step + GAP / 2}
            y={net > 0 ? MIDDLE - height : MIDDLE}
            width={step - GAP}
            height={height}
            rx={2}
          />
        )
      })}
      <line stroke="var(--field-line)" x1={0} x2={WIDTH} y1={MIDDLE} y2={MIDDLE} />
    </svg>
  )
}

const figuresQuery = queryOptions({
  queryKey: ['figures'],
  staleTime: 0,
  queryFn: ({ signal }) => call(routes.figures, {}, { signal }),
})
