import type { ReactNode } from 'react'
import type { Game } from '#src/data/games.ts'
import { useLiveGames } from '#src/data/live/use-channel.ts'
import { requestedGame } from '#src/data/requested-game.ts'
import { gameCode } from '#src/features/game-logo.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useText } from '#src/i18n/text.ts'
import { Tabs } from '#src/parts/tabs.tsx'

type GameTabsProps = {
  /** The id of the open game, from the address; the first game by default. */
  open: string | undefined
  onOpen: (gameId: string) => void
  skeleton: ReactNode
  children: (game: Game) => ReactNode
}

/** A tab for each game, kept up to date. */
export function GameTabs({ open, onOpen, skeleton, children }: GameTabsProps) {
  const t = useText()
  const games = useLiveGames()
  return (
    <Loaded query={games} skeleton={skeleton} empty={(list) => list.length === 0 && {}}>
      {(list) => (
        <Tabs
          label={t('home.games')}
          value={String((requestedGame(list, open) ?? list[0])?.id)}
          onChange={onOpen}
          tabs={list.map((game) => ({
            value: String(game.id),
            label: game.name,
            game: gameCode(game.id) ?? '',
            content: children(game),
          }))}
        />
      )}
    </Loaded>
  )
}
