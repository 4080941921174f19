import { sumOfDigits } from '@sum28/domain/digits.ts'
import { roundNumber } from '@sum28/domain/issues.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo, useState } from 'react'
import { verdictOf } from '#src/data/bet.ts'
import type { Game } from '#src/data/games.ts'
import type { PastRound } from '#src/data/rounds/past-round.ts'
import { lookOf, Tag, useOutcomeWord } from '#src/features/outcome-tag.tsx'
import { useLocale, useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Arrow, Icon } from '#src/parts/icon.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import {
  type OwnBet,
  type OwnRound,
  type OwnSelection,
  ownBetsQuery,
  ownRounds,
  selectionsOf,
} from '#src/screens/room/own-bets.ts'
import styles from '#src/screens/room/room.module.css'

type YourBetsProps = {
  game: Pick<Game, 'name'>
  running: string
  /** The last draw that was received; it may still be in the middle of its reveal. */
  drawn: string
  /** The last draw that is shown in full. */
  lastDraw: PastRound | null
  /** Whether the round is sealed, and waits for its draw. */
  sealed: boolean
}

/**
 * The player's bets of the running and the last round. Always as high, so that nothing moves; a tap opens the list, which
 * leads to the receipts.
 */
export const YourBets = memo(function YourBets(props: YourBetsProps) {
  const { game, running, drawn, lastDraw, sealed } = props
  const t = useText()
  const [open, setOpen] = useState(false)
  const { data: bets, isError, refetch } = useQuery(ownBetsQuery(drawn))
  const failed = isError && bets === undefined
  const without = bets ? t('yourBets.none') : failed ? t('error.title') : ''
  const rounds = useMemo(
    () => ownRounds(bets ?? [], { game: game.name, running, lastDraw }),
    [bets, game.name, running, lastDraw],
  )
  const say = useRoundSentence()
  const shown = [rounds.running, rounds.last].filter((round) => round !== null)
  const withBets = shown.filter((round) => round.bets.length > 0)
  return (
    <>
      <DrawNews
        // A voided round has its result while it still runs.
        round={rounds.running.draw ? rounds.running : rounds.last}
        sealed={sealed}
        say={say}
        waits={bets === undefined && !isError}
      />
      <button
        type="button"
        className={styles.strip}
        disabled={withBets.length === 0 && !failed}
        onClick={() => (failed ? refetch() : setOpen(true))}
      >
        <span className="unseen">
          {`${t('yourBets.title')}: ${withBets.map(say).join(' ') || without}`}
          {failed && ` ${t('action.retry')}`}
        </span>
        {withBets.length === 0 ? (
          <span className="caption grow center balance" aria-hidden="true">
            {without} {failed && <b className="ink-accent">{t('action.retry')}</b>}
          </span>
        ) : (
          <>
            {/* The same as the sentences above. */}
            <span className={styles.rounds} aria-hidden="true">
              {shown.map((round) => (
                <RoundLine key={round.roundId} round={round} />
              ))}
            </span>
            <Arrow />
          </>
        )}
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('yourBets.title')}>
        <div className="sheet-rows">
          {withBets.map((round) => (
            <BetsOfRound key={round.roundId} round={round} say={say} />
          ))}
        </div>
      </Sheet>
    </>
  )
})

/** Further outcomes are only counted. */
const TAGS_MAX = 2

function RoundLine({ round }: { round: OwnRound }) {
  const t = useText()
  const { selections, result, roundId, bets } = round
  const more = selections.length - TAGS_MAX
  return (
    <span className={styles.round} data-empty={bets.length === 0}>
      <span className="caption fixed num">{roundNumber(roundId)}</span>
      <span className={styles.picks} data-may-be-cut>
        {bets.length === 0 && <span className="caption">{t('yourBets.noneOfRound')}</span>}
        {selections.slice(0, TAGS_MAX).map((selection) => (
          <SelectionTag key={selection.outcome} selection={selection} />
        ))}
      </span>
      {more > 0 && <Tag look="other">+{more}</Tag>}
      {result && <RoundResult result={result} />}
    </span>
  )
}

/** An outcome with its stake and possible return; after the draw, whether it was hit. */
function SelectionTag({
  selection: { outcome, stake, returns, hit },
}: {
  selection: OwnSelection
}) {
  const t = useText()
  const { tag } = useLocale()
  const word = useOutcomeWord()
  const look = lookOf(outcome)
  if (hit !== null) {
    return (
      <Tag look={hit ? look : 'missed'}>
        <Icon name={hit ? 'check' : 'close'} size={12} />{' '}
        {t(hit ? 'yourBets.hit' : 'yourBets.missed', { outcome: word(outcome) })}
      </Tag>
    )
  }
  return (
    <Tag look={look}>
      {word(outcome)}{' '}
      <span className="medium" translate="no">
        {amountText(stake, { tag })}
        {returns !== null && ` → ${amountText(returns, { tag })}`}
      </span>
    </Tag>
  )
}

function RoundResult({ result: { kind, amount } }: { result: NonNullable<OwnRound['result']> }) {
  const t = useText()
  const { tag } = useLocale()
  return (
    <span className={styles.result}>
      {kind === 'profit' ? (
        <AmountText value={amount} signed />
      ) : (
        t('yourBets.returned', { amount: amountText(amount, { tag }) })
      )}
    </span>
  )
}

type Say = (round: OwnRound) => string

/** A round's bets as a sentence: 'Round 1764: 0 5 3 = 8. Long missed. −100.00 u'. */
function useRoundSentence(): Say {
  const t = useText()
  const { tag } = useLocale()
  const word = useOutcomeWord()
  return useMemo(() => {
    const units = (amount: Amount, plus = false) => `${amountText(amount, { tag, plus })}\u00a0u`
    const ofSelection = ({ outcome, stake, returns, hit }: OwnSelection) => {
      const name = word(outcome)
      if (hit !== null) return t(hit ? 'yourBets.hit' : 'yourBets.missed', { outcome: name })
      if (returns === null) return `${name} ${units(stake)}`
      return t('yourBets.mayReturn', {
        outcome: name,
        stake: amountText(stake, { tag }),
        amount: amountText(returns, { tag }),
      })
    }
    return ({ roundId, draw, selections, result }) => {
      const round = roundNumber(roundId)
      const head = draw?.digits
        ? t('yourBets.draw', {
            round,
            digits: draw.digits.join(' '),
            sum: sumOfDigits(draw.digits),
          })
        : t(draw?.voided ? 'yourBets.void' : 'yourBets.round', { round })
      const money =
        result &&
        (result.kind === 'profit'
          ? units(result.amount, true)
          : t('yourBets.returned', { amount: amountText(result.amount, { tag }) }))
      const picks = draw?.voided ? [] : selections.map(ofSelection)
      return [head, picks.join(', ') && `${picks.join(', ')}.`, money].filter(Boolean).join(' ')
    }
  }, [t, tag, word])
}

type DrawNewsProps = {
  round: OwnRound | null
  sealed: boolean
  say: Say
  waits: boolean
}

/**
 * Says aloud that bets are closed, and each draw once, when it comes, with what it did to the player's bets. Between a
 * seal and its draw it says nothing, and not the draw before again.
 */
function DrawNews({ round, sealed, say, waits }: DrawNewsProps) {
  const t = useText()
  const isSettled = round?.draw && (round.bets.length === 0 || round.result) && !waits
  // A draw that is there at first is no news.
  const [seen, setSeen] = useState({ sealed: false, drawn: round?.draw && round.roundId, news: '' })
  const drawn = isSettled ? round.roundId : seen.drawn
  if (sealed !== seen.sealed || drawn !== seen.drawn) {
    setSeen({ sealed, drawn, news: drawn !== seen.drawn ? 'draw' : sealed ? 'seal' : '' })
  }
  return (
    <p className="unseen" role="status" aria-live="polite">
      {seen.news === 'seal' ? t('round.sealed') : seen.news === 'draw' && isSettled && say(round)}
    </p>
  )
}

/** What a stranger hears of a room that he watches. */
export function WatchedNews({ lastDraw, sealed }: { lastDraw: PastRound | null; sealed: boolean }) {
  const say = useRoundSentence()
  const round = lastDraw && {
    roundId: lastDraw.roundId,
    bets: [],
    selections: [],
    draw: lastDraw,
    result: null,
  }
  return <DrawNews round={round} sealed={sealed} say={say} waits={false} />
}

function BetsOfRound({ round, say }: { round: OwnRound; say: Say }) {
  const t = useText()
  return (
    <section>
      <h3 className="label row-text">
        {round.draw
          ? say({ ...round, selections: [] })
          : t('round.number', { round: roundNumber(round.roundId) })}
      </h3>
      {round.bets.map((bet) => (
        <ListRow
          key={bet.orderNo}
          title={
            <span className={`row-2 wrap ${styles.ofBet}`}>
              {selectionsOf([bet], round.draw?.digits ?? null).map((selection) => (
                <SelectionTag key={selection.outcome} selection={selection} />
              ))}
            </span>
          }
          note={bet.orderNo}
          end={<BetEnd bet={bet} revealed={round.draw !== null} />}
          to={href('bet', { item: JSON.stringify({ orderNo: bet.orderNo }) })}
        />
      ))}
    </section>
  )
}

/** What a bet came to, or before its draw what was staked. */
function BetEnd({ bet, revealed }: { bet: OwnBet; revealed: boolean }) {
  const t = useText()
  const verdict = verdictOf(bet)
  if (!revealed || verdict === 'pending') return <AmountText value={bet.staked} />
  if (verdict === 'refunded') return <>{t('bet.refunded')}</>
  return <AmountText value={bet.profit} signed />
}
