import { MICRO } from '@sum28/domain/money.ts'
import type { Order } from '#src/modules/bets/place-bet.ts'
import type { TestRound } from '../database/fixtures.ts'

/** An order as a request makes it: by default 100 u on long in the game's basic room, without a key. */
export function betOrder(
  playerId: number,
  { gameId, issue }: Pick<TestRound, 'gameId' | 'issue'>,
  change: Partial<Order> = {},
): Order {
  return {
    playerId,
    gameId,
    roomId: gameId * 10 + 1,
    issue,
    ruleIds: [1],
    stake: 100n * MICRO,
    followId: null,
    idempotencyKey: null,
    ...change,
  }
}
