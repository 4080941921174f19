/** The games' codes by their number on the wire; a code chooses the game's colour. */
export type GameCode = 'dot' | 'bch' | 'eth' | 'btc'

const CODES: Record<number, GameCode> = { 1: 'dot', 2: 'bch', 3: 'eth', 4: 'btc' }

/** For `data-game` and `GameLogo`; undefined for a game that this version does not know. */
export function gameCode(gameId: number | string): GameCode | undefined {
  return CODES[Number(gameId)]
}

/** The same by the game's name, where a reply has no number. */
export function gameCodeOfName(name: string): GameCode | undefined {
  return Object.values(CODES).find((code) => code === name.toLowerCase())
}
