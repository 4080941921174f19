/**
 * Bets settled a second as sets, against a loop that settles one bet a statement, on the same
 * database in the same run.
 */
import { randomBytes } from 'node:crypto'
import { settleSome } from '@sum28/server/src/modules/bets/bet-store.ts'
import { settleRound } from '@sum28/server/src/modules/bets/resolve-round.ts'
import { addPlayers, openBenchRound, startBenchDatabase } from './database.ts'
import { report } from './report.ts'

const PLAYERS = 5_000
const BETS_EACH = 8
const SETTLED_ONE_BY_ONE = 1_000
const TODAY = '2026-11-20'

const { db, owner, stop } = await startBenchDatabase(4)
try {
  const players = await addPlayers(owner, PLAYERS)
  const round = await openBenchRound(owner)
  for (let turn = 0; turn < BETS_EACH; turn++) {
    const batch = players.map((player, ord) => ({
      ...{ ord, player_id: player, key: null, input_hash: null, game_id: 1, issue: round.issue },
      ...{ room_id: 11, rule_ids: [1, 3], stake: '100000000', follow_id: null },
      nonce: randomBytes(16).toString('hex'),
    }))
    await owner.query('select count(*) from bets.place($1::jsonb)', [JSON.stringify(batch)])
  }
  // The owner ends the round early: the measurement begins at its draw.
  await owner.query('alter table rounds.round disable trigger round_guarded')
  await owner.query('alter table rounds.draw disable trigger draw_guarded')
  await owner.query(`update rounds.round set state = 'drawn', seals_at = app.now() - interval '3 s',
    draws_at = app.now() - interval '1 s', sealed_at = app.now(),
    beacon_genesis = ceil(extract(epoch from app.now() - interval '1 s')) - (beacon_round - 1) * beacon_period`)
  const bytes = randomBytes(32)
  await owner.query(
    `insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
     values (1, $1, $2, $2, $2, 9, 9, 9)`,
    [round.issue, bytes],
  )

  const startOne = performance.now()
  for (let bet = 0; bet < SETTLED_ONE_BY_ONE; bet++) {
    await settleSome(db, round, { max: 1, onDay: TODAY })
  }
  const oneByOne = SETTLED_ONE_BY_ONE / ((performance.now() - startOne) / 1000)

  const startSet = performance.now()
  const settled = await settleRound(db, round, TODAY)
  const asSets = settled / ((performance.now() - startSet) / 1000)
  if (settled !== PLAYERS * BETS_EACH - SETTLED_ONE_BY_ONE)
    throw new Error(`${settled} were settled`)

  report('Settling a round', [
    { name: 'one bet a statement', value: oneByOne, unit: 'bets/s' },
    { name: 'as sets', value: asSets, unit: 'bets/s' },
    { name: 'ratio', value: asSets / oneByOne, unit: '×' },
  ])
} finally {
  await stop()
}
