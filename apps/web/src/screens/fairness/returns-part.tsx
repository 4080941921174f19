import { returns } from '@sum28/contract/fairness-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { RETURN_DAYS } from '@sum28/contract/shared-times.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { ruleById, SUM_RULE_BASE } from '@sum28/domain/outcomes.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import { useGameZone } from '#src/data/game-day.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { gamesQuery } from '#src/data/games.ts'
import { gameCode } from '#src/features/game-logo.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { dayText } from '#src/i18n/days.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { Card } from '#src/parts/card.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/fairness/fairness.module.css'
import { GamePills, Part } from '#src/screens/fairness/part.tsx'

type Days = (typeof RETURN_DAYS)[number]

function returnsQuery({ gameId, days }: { gameId: number; days: Days }) {
  return queryOptions({
    queryKey: ['returns', gameId, days],
    staleTime: 60_000,
    queryFn: ({ signal }) => call(returns, { game_id: gameId, days }, { signal }),
  })
}

/** What people staked on an outcome and were paid, beside what its odds and chance make likely. */
type OutcomeReturn = ReplyOf<typeof returns>['list'][number]

/** What players were paid on each outcome, beside what odds and chance make likely. */
export function ReturnsPart() {
  const t = useText()
  const { tag } = useLocale()
  const { today } = useGameZone()
  const games = useQuery(gamesQuery)
  const [chosen, setChosen] = useState<number | null>(null)
  const [days, setDays] = useState<Days>(30)
  const gameId = chosen ?? games.data?.[0]?.id ?? 1
  const query = useQuery(returnsQuery({ gameId, days }))
  return (
    <Part title={t('returns.title')} lead={t('returns.lead')} game={gameCode(gameId)}>
      <GamePills chosen={gameId} onChoose={setChosen} />
      <ChoicePills
        kind="wrap"
        label={t('figures.span')}
        options={RETURN_DAYS.map((each) => ({
          value: String(each),
          label: t('returns.days', { count: each }),
        }))}
        value={String(days)}
        onChange={(value) => setDays(RETURN_DAYS.find((each) => String(each) === value) ?? 30)}
      />
      <Loaded query={query} skeleton={<SkeletonRows count={6} />}>
        {({ day, tests, unlikely, list }) => (
          <Card className="stack-3">
            {day === null || list.length === 0 ? (
              <p className="quiet">{t('returns.none')}</p>
            ) : (
              <>
                <div className="spread caption" aria-hidden="true">
                  <span>{t('returns.less')}</span>
                  <span>{t('returns.theory')}</span>
                  <span>{t('returns.more')}</span>
                </div>
                <Rows rows={list.filter((row) => row.rule_id < SUM_RULE_BASE)} />
                <details>
                  <summary className="small bold ink-accent">{t('returns.sums')}</summary>
                  <Rows rows={list.filter((row) => row.rule_id >= SUM_RULE_BASE)} />
                </details>
              </>
            )}
            {day !== null && (
              <p className="quiet">
                {unlikely === 0
                  ? t('returns.luck', { day: dayText(day, { tag, today }), tests })
                  : t('returns.unlikely', {
                      day: dayText(day, { tag, today }),
                      tests,
                      count: unlikely,
                    })}
              </p>
            )}
          </Card>
        )}
      </Loaded>
    </Part>
  )
}

function Rows({ rows }: { rows: readonly OutcomeReturn[] }) {
  return (
    <ul className={styles.returns}>
      {rows.map((row) => (
        <li key={row.rule_id}>
          <ReturnRow row={row} />
        </li>
      ))}
    </ul>
  )
}

/** The picture reaches this many standard deviations to each side. */
const REACH = 4
/** Its band of ordinary luck reaches this many. */
const BAND = 2

/** An outcome: its return in fact and in theory, and where luck has put it. */
function ReturnRow({ row }: { row: OutcomeReturn }) {
  const t = useText()
  const { tag } = useTimeFormat()
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const turnover = Number(amountFromWire(row.turnover))
  const payouts = Number(amountFromWire(row.payouts))
  const expected = Number(amountFromWire(row.expected))
  const fact = percent.format(payouts / turnover)
  const theory = percent.format(expected / turnover)
  const off = (payouts - expected) / Math.max(1, Number(amountFromWire(row.deviation)))
  const beyondLuck = row.chance < 0.001
  const place = 50 + (Math.max(-REACH, Math.min(REACH, off)) / REACH) * 48
  return (
    <>
      <OutcomeTags outcomes={[ruleById(row.rule_id)?.outcome ?? String(row.rule_id)]} />
      <svg
        width="100%"
        height={20}
        viewBox="0 0 100 20"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect fill="var(--in-soft)" x={26} y={5} width={48} height={10} rx={2} />
        <line
          stroke="var(--field-line)"
          vectorEffect="non-scaling-stroke"
          x1={50}
          x2={50}
          y1={2}
          y2={18}
        />
        <line
          stroke={beyondLuck ? 'var(--bad)' : 'var(--accent)'}
          strokeWidth={5}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          x1={place}
          x2={place}
          y1={4}
          y2={16}
        />
      </svg>
      <p className="num">{t('returns.row', { fact, theory, rounds: row.rounds })}</p>
      {/* What the picture shows by place and colour. */}
      {beyondLuck ? (
        <p className="row-2 strong">
          <Icon name="warn" size={16} />
          {t('returns.beyondLuck')}
        </p>
      ) : (
        <p>{t(Math.abs(off) <= BAND ? 'returns.ordinary' : 'returns.rare')}</p>
      )}
    </>
  )
}
