/**
 * Orders a second with group commit, against one transaction an order, on the same database in the
 * same run. In both, an order is on disk before it is answered.
 */
import { randomBytes } from 'node:crypto'
import { placeOrders } from '@sum28/server/src/modules/bets/bet-store.ts'
import { betPlacer } from '@sum28/server/src/modules/bets/place-bet.ts'
import { isRefusal } from '@sum28/server/src/refusal.ts'
import { addPlayers, openBenchRound, startBenchDatabase } from './database.ts'
import { median, report } from './report.ts'

const PLAYERS = 1_000
const ORDERS_GROUPED = 10_000
const ORDERS_SINGLE = 2_000
/** Clients that each wait for the answer before sending the next order. */
const CLIENTS = 500
const CONNECTIONS = 16
const ROUNDS = 3
const STAKE = 100_000_000n

const { db, owner, stop } = await startBenchDatabase(CONNECTIONS)
try {
  const players = await addPlayers(owner, PLAYERS)
  const round = await openBenchRound(owner)
  const placeBet = betPlacer({
    db,
    onAccepted: () => {},
  })

  async function grouped(index: number): Promise<void> {
    const placed = await placeBet({
      playerId: players[index % PLAYERS] as number,
      gameId: round.gameId,
      roomId: 11,
      issue: round.issue,
      ruleIds: [1],
      stake: STAKE,
      followId: null,
      idempotencyKey: randomBytes(16).toString('hex'),
    })
    if (isRefusal(placed)) throw new Error(`refused: ${placed.refused}`)
  }

  async function single(index: number): Promise<void> {
    const [placed] = await placeOrders(db, [
      {
        ord: 0,
        player_id: players[index % PLAYERS] as number,
        key: randomBytes(16).toString('hex'),
        input_hash: '00',
        game_id: round.gameId,
        issue: round.issue,
        room_id: 11,
        rule_ids: [1],
        stake: String(STAKE),
        follow_id: null,
        nonce: randomBytes(16).toString('hex'),
      },
    ])
    if (placed?.reason !== null) throw new Error(`refused: ${placed?.reason}`)
  }

  await rate(single, 200)
  await rate(grouped, 1_000)
  const singles: number[] = []
  const groups: number[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    singles.push(await rate(single, ORDERS_SINGLE))
    groups.push(await rate(grouped, ORDERS_GROUPED))
  }
  report('Placing bets', [
    { name: 'one transaction an order', value: median(singles), unit: 'orders/s' },
    { name: 'group commit', value: median(groups), unit: 'orders/s' },
    { name: 'ratio', value: median(groups) / median(singles), unit: '×' },
  ])
} finally {
  await stop()
}

/** Orders a second with {@link CLIENTS}. */
async function rate(place: (index: number) => Promise<void>, orders: number): Promise<number> {
  let next = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < orders) await place(next++)
    }),
  )
  return orders / ((performance.now() - start) / 1000)
}
