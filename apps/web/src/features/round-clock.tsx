import { compareIssues } from '@sum28/domain/issues.ts'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import {
  type GameStatus,
  REVEALED_FOR_MS,
  type RunningRound,
} from '#src/data/live/running-round.ts'
import { useNewDraw } from '#src/features/draw-tiles.tsx'
import styles from '#src/features/round-clock.module.css'
import { useText } from '#src/i18n/text.ts'
import { classNames } from '#src/parts/class-names.ts'
import { clockText, useDeadline, useReached, useSecondsLeft } from '#src/parts/countdown.ts'

/** The seconds of a round in which bets are accepted, and those between seal and draw. */
const USUAL = { roundMs: 210_000, sealMs: 30_000 }

export type RoundClock = {
  readonly status: GameStatus
  /** What it counts to; null if there is nothing, or it is not known when it comes. */
  readonly to: 'seal' | 'draw' | null
  /** When that comes, as an instant of `performance.now()`. */
  readonly endsAt: number | null
  /** Seconds of the whole ring. */
  readonly total: number
  /** The round whose draw is being made: its end has come, and its result has not. */
  readonly drawing: string | null
  /** Whether the running round was voided: it is not drawn, and the next one opens at its end. */
  readonly voided: boolean
  /** The last round with a result, if its draw is to be revealed; undefined if it is only shown. */
  readonly reveal: string | undefined
}

type ClockRound = RunningRound & { readonly status: GameStatus }

/**
 * The clock of a game: to the seal, then to the draw. It rerenders only as a round is sealed, ends or is drawn; the
 * seconds are counted by {@link RoundRing}.
 *
 * @param drawn the number of the last round with a result; empty before the first
 * @param lastVoided whether that round was voided
 */
export function useRoundClock(
  round: ClockRound | null,
  drawn: string,
  lastVoided: boolean,
): RoundClock {
  const { roundMs, sealMs } = useQuery(configQuery).data ?? USUAL
  const runs = round?.status === 'runs' && round.roundId !== ''
  const sealsAt = useDeadline(runs && round.opened ? round.clock : null)
  const over = useReached(sealsAt)
  // Needed of a round that was never seen open.
  const saidDrawsAt = useDeadline(runs && round.drawClock.seconds > 0 ? round.drawClock : null)
  const drawsAt = sealsAt === null ? saidDrawsAt : sealsAt + sealMs
  const ended = useReached(drawsAt)
  // A round that was never open has no draw: only the calendar names it.
  const roundId = round?.opened || round?.bookRoot ? round.roundId : ''
  const before = useRoundBefore(roundId)
  const awaited = ended ? roundId : before
  // A draw that was made long ago, as while the page was away, comes when the next round has run for long.
  const leftMs = (drawsAt ?? 0) - (round?.drawClock.sampledAt ?? 0)
  const isNew = roundId === '' ? drawn === before : leftMs > roundMs - REVEALED_FOR_MS
  const reveal = useNewDraw(drawn, isNew)
  const drawing = compareIssues(drawn, awaited) < 0 ? awaited : null
  const status = round?.status ?? 'closed'
  const open = sealsAt !== null && !round?.sealed && !over
  const voided = runs && lastVoided && drawn === round.roundId
  const counts = runs && !voided && (open || (!ended && drawsAt !== null))
  const to = !counts ? null : open ? 'seal' : 'draw'
  const endsAt = to === null ? null : open ? sealsAt : drawsAt
  const total = (open ? roundMs - sealMs : sealMs) / 1_000
  return useMemo(
    () => ({ status, to, endsAt, total, drawing, voided, reveal }),
    [status, to, endsAt, total, drawing, voided, reveal],
  )
}

/** The last round that was seen before this one; empty without one. */
function useRoundBefore(roundId: string): string {
  const [seen, setSeen] = useState({ roundId, before: '' })
  if (roundId === seen.roundId) return seen.before
  const before = seen.roundId || seen.before
  setSeen({ roundId, before })
  return before
}

type RoundRingProps = { clock: RoundClock; size?: 's' | 'm' | 'l' }

/** From here the ring is amber. */
const HURRY_SECONDS = 10

/**
 * The round's clock: a ring in the game's tint that empties, with minutes and seconds; without them what the round or
 * game is. It alone rerenders each second. `s`: the time beside it; `m`: 'Draw in' too; `l`: the time inside.
 */
export const RoundRing = memo(function RoundRing({ clock, size = 'l' }: RoundRingProps) {
  const t = useText()
  const clockWord = useClockWord()
  const { to, endsAt, total } = clock
  const seconds = useSecondsLeft(endsAt)
  const running = seconds > 0
  const share = running ? Math.min(1, seconds / total) : 0
  const time = clockText(seconds)
  const lead = to === 'draw' ? t('round.drawIn') : undefined
  const over = clockWord(clock)
  const left = lead ? `${over}. ${lead} ${time}` : t('clock.left', { time })
  return (
    <div
      className={classNames(styles.ring, styles[size], 'num')}
      data-hurry={running && seconds <= HURRY_SECONDS}
      role="timer"
      aria-label={running ? left : over}
    >
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle className={styles.track} cx="50" cy="50" r="44" />
        <circle
          className={styles.hand}
          cx="50"
          cy="50"
          r="44"
          pathLength="100"
          strokeDasharray={`${share * 100} 100`}
          data-empty={share === 0}
        />
      </svg>
      <span className={styles.words} aria-hidden="true">
        {size !== 's' && running && lead && <span className={styles.caption}>{lead}</span>}
        {running ? (
          <span className={styles.time} translate="no">
            {time}
          </span>
        ) : (
          <span className={styles.time} data-word={clock.status}>
            {over}
          </span>
        )}
        {size === 'l' && running && to === 'seal' && (
          <span className={styles.caption}>{t('round.toSeal')}</span>
        )}
      </span>
    </div>
  )
})

/** Why a game or room accepts no bets. */
export const STOPPED_WORDS = {
  closed: 'round.closed',
  stopped: 'round.stopped',
  'all-stopped': 'round.allStopped',
} as const

/** Why a game or room accepts no bets, in words; 'sealed' for one that runs. */
export function useStatusWord(): (status: GameStatus) => string {
  const t = useText()
  return (status) => t(status === 'runs' ? 'round.sealed' : STOPPED_WORDS[status])
}

/** What a clock says in place of its seconds. */
export function useClockWord(): (clock: RoundClock) => string {
  const t = useText()
  const statusWord = useStatusWord()
  return ({ drawing, to, voided, status }) => {
    if (drawing !== null && to !== 'seal') return t('round.drawing')
    return voided ? t('round.voided') : statusWord(status)
  }
}
