/** The game that a stranger has tapped, kept over logging in or registering. */
import { tabStorage } from '@sum28/ui/storage.ts'
import { currentSession } from '#src/data/session-watch.ts'

const KEY = 'tapped-game'

/** Keeps it; a player goes where he tapped. */
export function keepTappedGame({ id }: { id: number }): void {
  if (!currentSession()) tabStorage().setItem(KEY, String(id))
}

/** The number of the tapped game, or undefined. */
export function tappedGame(): string | undefined {
  return tabStorage().getItem(KEY) ?? undefined
}

export function forgetTappedGame(): void {
  tabStorage().removeItem(KEY)
}
