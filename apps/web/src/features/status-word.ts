import type { GameStatus } from '#src/data/live/running-round.ts'
import { useText } from '#src/i18n/text.ts'

const WORDS = {
  closed: 'round.closed',
  stopped: 'round.stopped',
  'all-stopped': 'round.allStopped',
} as const

/** Why a game or room accepts no bets, in words; 'sealed' for one that runs. */
export function useStatusWord(): (status: GameStatus) => string {
  const t = useText()
  return (status) => t(status === 'runs' ? 'round.sealed' : WORDS[status])
}
