import { AmountText } from '@sum28/ui/amount.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { ChoicePills } from '@sum28/ui/choice-pills.tsx'
import { Tabs } from '@sum28/ui/tabs.tsx'
import type { RoomRules } from '#src/data/room-rules.ts'
import { useRoomTitle } from '#src/features/room-title.ts'
import { useText } from '#src/i18n/text.ts'
import { OddsTable } from '#src/screens/rules/odds-table.tsx'
import styles from '#src/screens/rules/rules-odds.module.css'

type RulesOddsProps = {
  rooms: readonly RoomRules[]
  /** If all games have the same rooms, no game needs to be chosen. */
  alike: boolean
  chosen: RoomRules
  onChoose: (room: RoomRules) => void
}

/** Each room's limits, and its odds, chances and returns. */
export function RulesOdds({ rooms, alike, chosen, onChoose }: RulesOddsProps) {
  const t = useText()
  const roomTitle = useRoomTitle()
  const ofGame = rooms.filter(({ gameId }) => gameId === chosen.gameId)
  const games = rooms.filter((room, at) => rooms.findIndex(sameGame(room)) === at)

  function chooseGame(gameId: string) {
    const there = rooms.filter((room) => String(room.gameId) === gameId)
    const room = there.find(({ type }) => type === chosen.type) ?? there[0]
    if (room) onChoose(room)
  }

  return (
    <section className={styles.odds} aria-label={t('rules.oddsTitle')}>
      <h2 className={styles.heading}>{t('rules.oddsTitle')}</h2>
      {alike ? (
        <p className={styles.note}>{t('rules.alike')}</p>
      ) : (
        <ChoicePills
          label={t('rules.games')}
          options={games.map(({ gameId, game }) => ({ value: String(gameId), label: game }))}
          value={String(chosen.gameId)}
          onChange={chooseGame}
        />
      )}
      <Tabs
        kind="strip"
        label={t('rules.rooms')}
        tabs={ofGame.map((room) => ({
          value: String(room.id),
          label: roomTitle(room),
          content: <Room room={room} />,
        }))}
        value={String(chosen.id)}
        onChange={(id) => {
          const room = ofGame.find((each) => String(each.id) === id)
          if (room) onChoose(room)
        }}
      />
    </section>
  )
}

function Room({ room }: { room: RoomRules }) {
  const t = useText()
  return (
    <>
      <Card kind="rows">
        <dl className={styles.limits}>
          <dt>{t('rules.stakeMin')}</dt>
          <dd>
            <AmountText value={room.stakeMin} />
          </dd>
          <dt>{t('rules.stakeMax')}</dt>
          <dd>
            <AmountText value={room.stakeMax} />
          </dd>
          <dt>{t('rules.entryMin')}</dt>
          <dd>
            <AmountText value={room.entryMin} />
          </dd>
        </dl>
      </Card>
      <OddsTable room={room} />
      <p className={styles.note}>{t('rules.version', { version: room.version })}</p>
    </>
  )
}

function sameGame({ gameId }: RoomRules): (room: RoomRules) => boolean {
  return (room) => room.gameId === gameId
}
