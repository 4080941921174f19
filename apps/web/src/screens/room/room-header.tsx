import { IconButton } from '@sum28/ui/icon-button.tsx'
import { memo, useState } from 'react'
import { useGoBack } from '#src/app/use-go-back.ts'
import type { Game, Room } from '#src/data/games.ts'
import { PageHeader } from '#src/features/page-header.tsx'
import { useRoomTitle } from '#src/features/room-title.ts'
import { useText } from '#src/i18n/text.ts'
import { NoticeLine } from '#src/screens/room/notice-line.tsx'
import { RoomMenu } from '#src/screens/room/room-menu.tsx'

type RoomHeaderProps = { game: Game; room: Room }

export const RoomHeader = memo(function RoomHeader({ game, room }: RoomHeaderProps) {
  const t = useText()
  const title = useRoomTitle()(room)
  const goBack = useGoBack()
  const [menu, setMenu] = useState(false)
  return (
    <>
      <PageHeader
        title={`${game.name} · ${title}`}
        note={<NoticeLine game={game.name} title={title} stakeMin={room.stakeMin} />}
        back={goBack}
        action={<IconButton icon="plus" label={t('room.more')} onPress={() => setMenu(true)} />}
      />
      <RoomMenu game={game} open={menu} onClose={() => setMenu(false)} />
    </>
  )
})
