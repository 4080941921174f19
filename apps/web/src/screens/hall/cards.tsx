import { sumOfDigits } from '@sum28/domain/digits.ts'
import { roundNumber } from '@sum28/domain/issues.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fetchEntryFunds } from '#src/data/bet.ts'
import { configQuery } from '#src/data/config.ts'
import { needsLogin, showGenericFailure } from '#src/data/failure.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { type Game, gamesQuery, type Room } from '#src/data/games.ts'
import { profileQuery } from '#src/data/profile.ts'
import { placeBefore } from '#src/data/session-watch.ts'
import { DrawShield } from '#src/features/draw-shield.tsx'
import { AfterDraw, DrawTiles, VoidedWords } from '#src/features/draw-tiles.tsx'
import { GameLogo, gameCode } from '#src/features/game-logo.tsx'
import { EmptyState } from '#src/features/loaded.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { useRoomTitle } from '#src/features/room-title.ts'
import { RoundRing, useRoundClock, useStatusWord } from '#src/features/round-clock.tsx'
import { useText } from '#src/i18n/text.ts'
import { hoursText } from '#src/i18n/time-text.ts'
import { useNavigateUnlessLeft } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { preloadScreen } from '#src/navigation/screens.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Card } from '#src/parts/card.tsx'
import { classNames } from '#src/parts/class-names.ts'
import { Icon } from '#src/parts/icon.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import styles from '#src/screens/hall/hall.module.css'

export function GameCard({ game }: { game: Game }) {
  const t = useText()
  const when = useTimeFormat()
  const { data: config } = useQuery(configQuery)
  const clock = useRoundClock(game, game.lastRoundId, game.lastVoided)
  const shown = clock.drawing ?? game.lastRoundId
  const digits = game.lastDigits
  const labels = digits ? labelsOfSum(sumOfDigits(digits)).base : []

  const hours = config?.openingHours
  return (
    <Card className="grid-3">
      <div className="row-3 shrink wrap">
        <GameLogo game={gameCode(game.id)} size={36} />
        <div className={styles.gameWords}>
          <h2>{game.name}</h2>
          <p className="num caption">
            {game.roundId
              ? t('round.number', { round: game.roundId })
              : hours && t('hall.openingHours', { hours: hoursText(hours, serverNow(), when) })}
          </p>
        </div>
        <RoundRing size="m" clock={clock} />
      </div>
      <div className={styles.draw}>
        <p className="num caption">
          {shown
            ? t(clock.drawing ? 'room.drawingOf' : 'room.lastDrawOf', { round: roundNumber(shown) })
            : t('room.lastDraw')}
        </p>
        <AfterDraw reveal={game.lastRoundId}>
          {game.lastVoided && !clock.drawing && <VoidedWords />}
          <OutcomeTags outcomes={clock.drawing ? [] : labels} />
        </AfterDraw>
        <span className={classNames('row-3 shrink', styles.drawn)}>
          <DrawTiles
            digits={digits}
            voided={game.lastVoided}
            waiting={clock.drawing ? t('round.drawing') : undefined}
            reveal={game.lastRoundId}
          />
          <AfterDraw reveal={game.lastRoundId}>
            {digits && !clock.drawing && (
              <DrawShield
                kind="beside"
                gameId={game.id}
                roundId={game.lastRoundId}
                digits={digits}
              />
            )}
          </AfterDraw>
        </span>
      </div>
    </Card>
  )
}

/** The balance; nothing while it is not known. */
export function BalanceChip() {
  const t = useText()
  const { data: profile } = useQuery(profileQuery)
  if (!profile) return null
  return (
    <p className={styles.balance}>
      <span>{t('home.balance')}</span>
      <AmountText value={profile.balance} className="small bold ink" />
    </p>
  )
}

const LEVELS = [0, 1, 2, 3]

type RoomCardProps = {
  room: Room
  busy: boolean
  onEnter: () => void
}

/** A room's name and limits. The whole card is the button that enters it. */
export function RoomCard({ room, busy, onEnter }: RoomCardProps) {
  const t = useText()
  const title = useRoomTitle()
  const statusWord = useStatusWord()
  const runs = room.status === 'runs'
  return (
    <button type="button" className={styles.card} aria-busy={busy || undefined} onClick={onEnter}>
      <span className={styles.art} aria-hidden="true">
        {LEVELS.map((level) => (
          <i key={level} data-reached={level <= room.type} />
        ))}
      </span>
      <span className="spread-3 wrap">
        <span className={styles.cardTitle}>{title(room)}</span>{' '}
        {!runs && <span className="warning tag strong">{statusWord(room.status)}</span>}
      </span>
      <span className="stack-2 grow">
        <Fact label={t('hall.robots')}>
          <span className="num">{room.robots === 0 ? t('hall.noRobots') : room.robots}</span>
        </Fact>
        <Fact label={t('hall.stakeMin')}>
          <AmountText value={room.stakeMin} />
        </Fact>
        <Fact label={t('hall.entryMin')}>
          <AmountText value={room.entryMin} />
        </Fact>
      </span>
      <span className={styles.enter}>
        {t('hall.enter')}
        <Icon name="forward" size={18} />
      </span>
    </button>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className={styles.fact}>
      <span>{label}</span> <b>{children}</b>{' '}
    </span>
  )
}

/** Shown for a game without rooms. */
export function NoRooms() {
  const t = useText()
  const queries = useQueryClient()
  return (
    <EmptyState
      title={t('hall.noRooms')}
      onReload={() => void queries.refetchQueries({ queryKey: gamesQuery.queryKey })}
    />
  )
}

/**
 * Enters a room if a freshly fetched balance, with unsettled stakes, reaches its entry limit; the
 * room keeps checking the limit in its address. A stopped room cannot be entered; a closed one can,
 * without betting.
 *
 * @returns `entering`: the room whose entry limit is being checked, or null
 */
export function useEnterRoom(game: Game): {
  enter: (room: Room) => Promise<void>
  entering: number | null
} {
  const t = useText()
  const queries = useQueryClient()
  const navigate = useNavigateUnlessLeft()
  const statusWord = useStatusWord()
  const [entering, setEntering] = useState<number | null>(null)

  async function enter(room: Room) {
    if (room.status === 'stopped' || room.status === 'all-stopped') {
      showToast(statusWord(room.status), { stays: true })
      return
    }
    setEntering(room.id)
    preloadScreen('room')
    try {
      const profile = await queries.fetchQuery({ ...profileQuery, staleTime: 0 })
      const hasCash = profile.balance >= room.entryMin
      if (!hasCash && (await fetchEntryFunds()) < room.entryMin) {
        showToast(t('hall.insufficient'), { stays: true })
        return
      }
      const { id, title, entryMin } = room
      const requiredMoney = formatAmount(entryMin)
      const ids = { id: String(id), game_id: String(game.id) }
      navigate(href('room', { ...ids, name: game.name, title, requiredMoney }))
    } catch (error) {
      if (needsLogin(error)) {
        showToast(t('hall.pleaseLogIn'))
        navigate(href('login'), { replace: true, state: placeBefore(location) })
      } else {
        showGenericFailure(error)
      }
    } finally {
      setEntering(null)
    }
  }

  return { enter, entering }
}
