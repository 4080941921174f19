import { sumOfDigits } from '@sum28/domain/digits.ts'
import { gameDayOfIssue, roundNumber } from '@sum28/domain/issues.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { useWide } from '@sum28/ui/use-window-value.ts'
import { useId, useState } from 'react'
import { useGameZone } from '#src/data/game-day.ts'
import type { ChartRound } from '#src/data/rounds/candles.ts'
import { DrawShield } from '#src/features/draw-shield.tsx'
import { AfterDraw, DrawTiles } from '#src/features/draw-tiles.tsx'
import { NotWitnessed } from '#src/features/local-beacon-note.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { dayText } from '#src/i18n/days.ts'
import { indexText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Button } from '#src/parts/button.tsx'
import { Icon, IconButton } from '#src/parts/icon.tsx'
import styles from '#src/screens/charts/charts.module.css'

type RoundHeadProps = {
  gameId: number
  round: ChartRound
  /** Whether it is the latest round, whose draw is revealed. */
  live: boolean
  /** The next and previous rounds, or null. */
  earlier: string | null
  later: string | null
  onChoose: (roundId: string) => void
}

/** The round under the cross, and its check. */
export function RoundHead({ gameId, round, live, earlier, later, onChoose }: RoundHeadProps) {
  const t = useText()
  const { tag } = useLocale()
  const { today } = useGameZone()
  const { roundId, digits, candle } = round
  const reveal = live ? roundId : undefined
  return (
    <div className="stack-2">
      <div className={styles.roundHead}>
        <div className="grow">
          <h2 className="num">{t('round.number', { round: roundNumber(roundId) })}</h2>
          {/* In the line of the date, so that the chart below keeps its place under a finger where both fit into one line. */}
          <p className="caption">
            {dayText(gameDayOfIssue(roundId), { tag, today })}{' '}
            {!round.witnessed && <NotWitnessed />}
          </p>
        </div>
        <IconButton
          icon="back"
          label={t('charts.earlier')}
          disabled={earlier === null}
          onPress={() => earlier && onChoose(earlier)}
        />
        <IconButton
          icon="forward"
          label={t('charts.later')}
          disabled={later === null}
          onPress={() => later && onChoose(later)}
        />
      </div>
      <div className="spread-3 wrap">
        <DrawTiles digits={digits} size="s" reveal={reveal} />
        <AfterDraw reveal={reveal}>
          <OutcomeTags outcomes={[labelsOfSum(sumOfDigits(digits)).join]} />
        </AfterDraw>
      </div>
      <div className="spread-3 quiet wrap">
        <div className={styles.check}>
          <AfterDraw reveal={reveal}>
            {/* Anew for each round: what a finger passes by is not checked. */}
            <DrawShield key={roundId} gameId={gameId} roundId={roundId} digits={digits} />
          </AfterDraw>
        </div>
        <p className="num">
          <AfterDraw reveal={reveal}>
            {t('charts.index', {
              from: indexText(candle.open, tag),
              to: indexText(candle.close, tag),
            })}
          </AfterDraw>
        </p>
      </div>
    </div>
  )
}

const ROWS = 20

type RoundTableProps = {
  gameId: number
  /** Oldest first. */
  rounds: readonly ChartRound[]
}

/** The chart's latest rounds as a table, for people who cannot see the chart or prefer to read. */
export function RoundTable({ gameId, rounds }: RoundTableProps) {
  const t = useText()
  const id = useId()
  const wide = useWide()
  const [chosen, setOpen] = useState<boolean | null>(null)
  const open = chosen ?? wide
  return (
    <div className={styles.roundsPart}>
      <Button
        kind="plain"
        size="s"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? 'up' : 'down'} size={18} />
        <span>{open ? t('charts.hideTable') : t('charts.showTable')}</span>
      </Button>
      <div id={id}>{open && <Rows gameId={gameId} rounds={rounds.slice(-ROWS).reverse()} />}</div>
    </div>
  )
}

/** Newest first. */
function Rows({ gameId, rounds }: RoundTableProps) {
  const t = useText()
  const { tag } = useLocale()
  return (
    <table className="figures">
      <caption className="unseen">{t('charts.tableTitle', { count: rounds.length })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('room.round')}</th>
          <th scope="col">{t('charts.columnDraw')}</th>
          <th scope="col">{t('panel.outcome')}</th>
          <th scope="col">{t('charts.columnIndex')}</th>
        </tr>
      </thead>
      <tbody>
        {rounds.map((round) => (
          <tr key={round.roundId}>
            <th scope="row">
              <Link
                className="row tap strong"
                to={href('fairness', { game_id: String(gameId), issue: round.roundId })}
                aria-label={t('charts.checkRound', { round: roundNumber(round.roundId) })}
              >
                {roundNumber(round.roundId)}
              </Link>
            </th>
            <td className="nowrap">
              {round.digits.join(' ')} = <b>{sumOfDigits(round.digits)}</b>
            </td>
            <td>
              <OutcomeTags outcomes={[labelsOfSum(sumOfDigits(round.digits)).join]} />{' '}
              {!round.witnessed && <NotWitnessed />}
            </td>
            <td>{indexText(round.candle.close, tag)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
