/**
 * Deposits credited a second: a block at a time, as the watcher does when it catches up, against
 * one transfer at a time, on the same database in the same run.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UsdtTransfer } from '@sum28/server/src/adapters/chain/usdt-transfers.ts'
import { creditBlock } from '@sum28/server/src/modules/deposits/deposit-store.ts'
import { addPlayers, startBenchDatabase } from './database.ts'
import { isShort, report, saveFigures } from './report.ts'

const MEMBERS = 2_000
const ALONE = isShort ? 50 : 300
const BLOCKS = isShort ? 4 : 20
const IN_A_BLOCK = 300

const { db, owner, stop } = await startBenchDatabase(4)
try {
  const members = await addPlayers(owner, MEMBERS)
  const addresses = members.map((_, at) => `T${String(100_000 + at).padStart(33, 'x')}`)
  await owner.query(
    `insert into deposits.address (player_id, address)
     select * from unnest($1::integer[], $2::text[])`,
    [members, addresses],
  )
  await owner.query(`insert into deposits.watcher_height (chain, block) values ('bench', 0)`)
  const deps = { db, chain: 'bench', timeZone: 'Asia/Singapore', now: Date.now }

  let block = 0
  const credit = (count: number) => {
    block += 1
    return creditBlock(deps, {
      blockNumber: block,
      blockTime: new Date(),
      transfers: Array.from({ length: count }, (_, logIndex) => transfer(block, logIndex)),
      unusable: [],
      skipped: [],
    })
  }
  function transfer(blockNumber: number, logIndex: number): UsdtTransfer {
    return {
      txId: randomBytes(32).toString('hex'),
      logIndex,
      blockNumber,
      blockTime: new Date(),
      from: 'TBenchBenchBenchBenchBenchBenchBen',
      to: addresses[(blockNumber * 131 + logIndex) % MEMBERS] ?? '',
      // Too small for a notice to the player: the bench measures money, not mail.
      amountMicro: 250_000n,
    }
  }

  await credit(IN_A_BLOCK)
  await sleep(200)
  const startAlone = performance.now()
  for (let each = 0; each < ALONE; each++) await credit(1)
  const alone = ALONE / ((performance.now() - startAlone) / 1000)

  const startBlocks = performance.now()
  let credited = 0
  for (let each = 0; each < BLOCKS; each++) credited += (await credit(IN_A_BLOCK)).length
  const inBlocks = credited / ((performance.now() - startBlocks) / 1000)
  if (credited !== BLOCKS * IN_A_BLOCK) throw new Error(`${credited} were credited`)

  const figures = [
    { name: 'one transfer a transaction', value: alone, unit: 'credits/s' },
    { name: 'a block a transaction', value: inBlocks, unit: 'credits/s' },
    { name: 'ratio', value: inBlocks / alone, unit: '×' },
  ]
  report('Crediting deposits', figures)
  saveFigures('credit-block', { figures })
} finally {
  await stop()
}
