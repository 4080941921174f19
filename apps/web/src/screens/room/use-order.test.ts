import { describe, expect, it } from 'vitest'
import type { Order } from '#src/screens/room/room-state.ts'
import { keepUnanswered, keptUnanswered } from '#src/screens/room/use-order.ts'

const order: Order = {
  gameId: 4,
  roomId: 42,
  issue: '20261120138',
  ruleIds: [1, 413],
  stake: 100_000_000n,
  followedId: null,
}

describe('an order without an answer', () => {
  it('is kept as it was sent, for its player alone, until it is answered', () => {
    const attempt = { order: { ...order, rulesVersion: 3 }, key: 'key-1' }
    keepUnanswered('7', attempt)
    expect(keptUnanswered('7')).toEqual(attempt)
    expect(keptUnanswered('8')).toBeNull()
    expect(keptUnanswered(undefined)).toBeNull()
    keepUnanswered('7', null)
    expect(keptUnanswered('7')).toBeNull()
  })
})
