import { returns } from '@sum28/contract/fairness-routes.ts'
import { RETURN_DAYS } from '@sum28/contract/shared-times.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { ruleById, SUM_RULE_BASE } from '@sum28/domain/outcomes.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import { gamesQuery } from '#src/data/games.ts'
import { gameCode } from '#src/features/game-code.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import { Card } from '#src/parts/card.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { Skeleton, SkeletonRows } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/fairness/fairness.module.css'

type Days = (typeof RETURN_DAYS)[number]

/** What people staked on an outcome and were paid, beside what its odds and chance make likely. */
type OutcomeReturn = {
  readonly ruleId: number
  /** With stakes on it. */
  readonly rounds: number
  readonly turnover: Amount
  readonly payouts: Amount
  /** By the odds of the bets, and the standard deviation of the payouts. */
  readonly expected: Amount
  readonly deviation: Amount
  /** At most how likely luck brings so large a deviation anywhere among all comparisons. */
  readonly chance: number
}

function returnsQuery({ gameId, days }: { gameId: number; days: Days }) {
  return queryOptions({
    queryKey: ['returns', gameId, days],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { list, ...reply } = await call(returns, { game_id: gameId, days }, { signal })
      return {
        ...reply,
        outcomes: list.map(
          ({ rule_id: ruleId, rounds, chance, ...sums }): OutcomeReturn => ({
            ruleId,
            rounds,
            chance,
            turnover: amountFromWire(sums.turnover),
            payouts: amountFromWire(sums.payouts),
            expected: amountFromWire(sums.expected),
            deviation: amountFromWire(sums.deviation),
          }),
        ),
      }
    },
  })
}

/** What players were paid on each outcome, beside what odds and chance make likely. */
export function ReturnsPart() {
  const t = useText()
  const games = useQuery(gamesQuery)
  const [chosen, setChosen] = useState<number | null>(null)
  const [days, setDays] = useState<Days>(30)
  const gameId = chosen ?? games.data?.[0]?.id ?? 1
  const query = useQuery(returnsQuery({ gameId, days }))
  return (
    <section
      className="stack-3 shrink"
      aria-labelledby="returns-heading"
      data-game={gameCode(gameId)}
    >
      <h2 id="returns-heading" className={styles.heading}>
        {t('returns.title')}
      </h2>
      <p className={styles.lead}>{t('returns.lead')}</p>
      <Loaded query={games} skeleton={<Skeleton height={44} />}>
        {(list) => (
          <ChoicePills
            kind="grid"
            label={t('check.game')}
            options={list.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={String(gameId)}
            onChange={(value) => setChosen(Number(value))}
          />
        )}
      </Loaded>
      <ChoicePills
        kind="wrap"
        label={t('returns.period')}
        options={RETURN_DAYS.map((each) => ({
          value: String(each),
          label: t('returns.days', { count: each }),
        }))}
        value={String(days)}
        onChange={(value) => setDays(RETURN_DAYS.find((each) => String(each) === value) ?? 30)}
      />
      <Loaded query={query} skeleton={<SkeletonRows count={6} />}>
        {({ day, tests, unlikely, outcomes }) => (
          <Card>
            <div className="stack-3">
              {day === null || outcomes.length === 0 ? (
                <p className="quiet">{t('returns.none')}</p>
              ) : (
                <>
                  <div className={styles.scale} aria-hidden="true">
                    <span>{t('returns.less')}</span>
                    <span>{t('returns.theory')}</span>
                    <span>{t('returns.more')}</span>
                  </div>
                  <Rows rows={outcomes.filter(({ ruleId }) => ruleId < SUM_RULE_BASE)} />
                  <details className={styles.checkMore}>
                    <summary>{t('returns.sums')}</summary>
                    <Rows rows={outcomes.filter(({ ruleId }) => ruleId >= SUM_RULE_BASE)} />
                  </details>
                </>
              )}
              {day !== null && (
                <p className="quiet">
                  {unlikely === 0
                    ? t('returns.luck', { day, tests })
                    : t('returns.unlikely', { day, tests, count: unlikely })}
                </p>
              )}
            </div>
          </Card>
        )}
      </Loaded>
    </section>
  )
}

function Rows({ rows }: { rows: readonly OutcomeReturn[] }) {
  return (
    <ul className={styles.returns}>
      {rows.map((row) => (
        <li key={row.ruleId}>
          <ReturnRow row={row} />
        </li>
      ))}
    </ul>
  )
}

/** The picture reaches this many standard deviations to each side; its band is two of them. */
const REACH = 4

/** An outcome: its return in fact and in theory, and where luck has put it. */
function ReturnRow({ row }: { row: OutcomeReturn }) {
  const t = useText()
  const { tag } = useTimeFormat()
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const turnover = Number(row.turnover)
  const payouts = Number(row.payouts)
  const expected = Number(row.expected)
  const fact = percent.format(payouts / turnover)
  const theory = percent.format(expected / turnover)
  const off = (payouts - expected) / Math.max(1, Number(row.deviation))
  const place = 50 + (Math.max(-REACH, Math.min(REACH, off)) / REACH) * 48
  return (
    <>
      <OutcomeTags outcomes={[ruleById(row.ruleId)?.outcome ?? String(row.ruleId)]} />
      <svg
        className={styles.luck}
        viewBox="0 0 100 20"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect x={26} y={5} width={48} height={10} rx={2} />
        <line x1={50} x2={50} y1={2} y2={18} />
        <line
          data-fact={row.chance < 0.001 ? 'odd' : 'luck'}
          x1={place}
          x2={place}
          y1={4}
          y2={16}
        />
      </svg>
      <p className="num">{t('returns.row', { fact, theory, rounds: row.rounds })}</p>
    </>
  )
}
