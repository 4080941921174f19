/** Each mark is the game's letter; the two B differ: BCH is inclined, BTC has two strokes. */
const LETTERS: Record<GameCode, string> = {
  dot: 'M9 6.5h3.8a5.5 5.5 0 0 1 0 11H9z',
  bch: 'M9.5 6.5h4a2.6 2.6 0 0 1 0 5.2h-4zM9.5 11.7h4.6a2.9 2.9 0 0 1 0 5.8H9.5z',
  eth: 'M15.5 6.5H9v11h6.5M9 12h5.5',
  btc: 'M9 6.5h4.2a2.6 2.6 0 0 1 0 5.2H9zM9 11.7h4.8a2.9 2.9 0 0 1 0 5.8H9zM11 4v2.5M11 17.5V20',
}

type GameLogoProps = {
  /** Undefined for an unknown game: a plain mark. */
  game: GameCode | undefined
  /** Pixels of each side; 28 by default. */
  size?: number
}

/** A game's mark in its colour. Hidden from screen readers: the name is beside it. */
export function GameLogo({ game, size = 28 }: GameLogoProps) {
  return (
    <svg
      className="fixed"
      data-game={game}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
    >
      <rect width="24" height="24" rx="7.5" fill="var(--tint)" />
      <path
        d={game ? LETTERS[game] : 'M8 12h8'}
        fill="none"
        stroke="var(--surface)"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        transform={game === 'bch' ? 'rotate(-14 12 12)' : undefined}
      />
    </svg>
  )
}

/** The games' codes by their number on the wire; a code chooses the game's colour. */
export type GameCode = 'dot' | 'bch' | 'eth' | 'btc'

const CODES: Record<number, GameCode> = { 1: 'dot', 2: 'bch', 3: 'eth', 4: 'btc' }

/** For `data-game` and `GameLogo`; undefined for a game that this version does not know. */
export function gameCode(gameId: number | string): GameCode | undefined {
  return CODES[Number(gameId)]
}
