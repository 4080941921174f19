import type { GameStatus } from '#src/data/game-status.ts'
import { useText } from '#src/i18n/text.ts'

const WORDS = {
  closed: 'play.closed',
  stopped: 'play.stopped',
  'all-stopped': 'play.allStopped',
} as const

/** Why a game or room takes no bets, in words; 'sealed' for one that runs, as it is that then. */
export function useStatusWord(): (status: GameStatus) => string {
  const t = useText()
  return (status) => t(status === 'runs' ? 'play.sealed' : WORDS[status])
}
