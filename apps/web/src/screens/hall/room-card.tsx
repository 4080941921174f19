import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { gamesQuery, type Room } from '#src/data/games.ts'
import { EmptyState } from '#src/features/loaded.tsx'
import { useRoomTitle } from '#src/features/room-title.ts'
import { useStatusWord } from '#src/features/round-clock.tsx'
import { useText } from '#src/i18n/text.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { classNames } from '#src/parts/class-names.ts'
import { Icon } from '#src/parts/icon.tsx'
import styles from '#src/screens/hall/hall.module.css'

const LEVELS = [0, 1, 2, 3]

type RoomCardProps = {
  room: Room
  /** `card`: in a row of cards, the picture on top; `row`: in a list, the picture at the side. */
  kind?: 'card' | 'row'
  busy: boolean
  onEnter: () => void
}

/** A room's name and limits. The whole card is the button that enters it. */
export function RoomCard({ room, kind = 'card', busy, onEnter }: RoomCardProps) {
  const t = useText()
  const title = useRoomTitle()
  const statusWord = useStatusWord()
  const runs = room.status === 'runs'
  return (
    <button
      type="button"
      className={styles.card}
      data-kind={kind}
      aria-busy={busy || undefined}
      onClick={onEnter}
    >
      <span className={styles.art} aria-hidden="true">
        {LEVELS.map((level) => (
          <i key={level} data-reached={level <= room.type} />
        ))}
      </span>
      <span className={styles.cardHead}>
        <span className={styles.cardTitle}>{title(room)}</span>{' '}
        {!runs && <span className={styles.status}>{statusWord(room.status)}</span>}
      </span>
      <span className={styles.facts}>
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
      <span className={classNames(styles.enter, busy && styles.busy)}>
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
