import { describe, expect, it } from 'vitest'
import { attemptFor, keepUnanswered, keptUnanswered, type Order } from '#src/data/order-attempt.ts'

const order: Order = {
  gameId: 4,
  roomId: 42,
  issue: '20261120138',
  ruleIds: [1, 413],
  stake: 100_000_000n,
  followedId: null,
}

function keys() {
  let made = 0
  return () => `key-${++made}`
}

describe('the key of an order', () => {
  it('is kept when the same order is sent again after no answer came', () => {
    const newKey = keys()
    const first = attemptFor(order, null, newKey)
    expect(attemptFor({ ...order, ruleIds: [1, 413] }, first, newKey).key).toBe('key-1')
  })

  it('is a new one for every separate action', () => {
    const newKey = keys()
    expect(attemptFor(order, null, newKey).key).toBe('key-1')
    expect(attemptFor(order, null, newKey).key).toBe('key-2')
  })

  it.each([
    { issue: '20261120139' },
    { stake: 200_000_000n },
    { ruleIds: [1] },
    { ruleIds: [413, 1] },
    { roomId: 43 },
    { followedId: 7 },
  ])('is a new one when the order differs in %o', (change) => {
    const newKey = keys()
    const first = attemptFor(order, null, newKey)
    expect(attemptFor({ ...order, ...change }, first, newKey).key).toBe('key-2')
  })
})

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
