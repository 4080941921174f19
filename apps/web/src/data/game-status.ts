/**
 * `runs`; `closed` outside opening hours; `stopped`: the operator has stopped this room or game;
 * `all-stopped`: the operator has stopped every game.
 */
export type GameStatus = 'runs' | 'closed' | 'stopped' | 'all-stopped'

const STATUSES: Record<number, GameStatus> = {
  0: 'closed',
  1: 'runs',
  2: 'stopped',
  3: 'all-stopped',
}

/** An unknown number counts as closed, so that no bet is placed by mistake. */
export function gameStatusFromWire(status: number): GameStatus {
  return STATUSES[status] ?? 'closed'
}
