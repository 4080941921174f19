import { OddsTable } from '#src/features/odds-table.tsx'
import { useRoomTitle } from '#src/features/room-title.ts'
import { useText } from '#src/i18n/text.ts'
import { Card } from '#src/parts/card.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { LabelAmount, LabelValues } from '#src/parts/label-values.tsx'
import { Tabs } from '#src/parts/tabs.tsx'
import type { RoomRules } from '#src/screens/rules/room-rules.ts'
import styles from '#src/screens/rules/rules.module.css'

type RulesOddsProps = {
  rooms: readonly RoomRules[]
  /** If all games have the same rooms, no game needs to be chosen. */
  alike: boolean
  chosen: RoomRules
  onChoose: (room: RoomRules) => void
}

export function RulesOdds({ rooms, alike, chosen, onChoose }: RulesOddsProps) {
  const t = useText()
  const roomTitle = useRoomTitle()
  const ofGame = rooms.filter(({ gameId }) => gameId === chosen.gameId)
  const games = rooms.filter((room, at) => rooms.findIndex(sameGame(room)) === at)

  function chooseGame(gameId: string) {
    const gameRooms = rooms.filter((room) => String(room.gameId) === gameId)
    const room = gameRooms.find(({ type }) => type === chosen.type) ?? gameRooms[0]
    if (room) onChoose(room)
  }

  return (
    <section className="stack-2 shrink" aria-label={t('rules.oddsTitle')}>
      <h2 className={styles.oddsHeading}>{t('rules.oddsTitle')}</h2>
      {alike ? (
        <p className="hint inset">{t('rules.alike')}</p>
      ) : (
        <ChoicePills
          label={t('check.game')}
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
        <LabelValues kind="rows">
          <LabelAmount label={t('rules.stakeMin')} value={room.stakeMin} />
          <LabelAmount label={t('rules.stakeMax')} value={room.stakeMax} />
          <LabelAmount label={t('rules.entryMin')} value={room.entryMin} />
        </LabelValues>
      </Card>
      <Card className={styles.odds}>
        <OddsTable odds={room} />
      </Card>
      <p className="hint inset">{t('rules.version', { version: room.version })}</p>
    </>
  )
}

function sameGame({ gameId }: RoomRules): (room: RoomRules) => boolean {
  return (room) => room.gameId === gameId
}
