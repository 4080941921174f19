import { randomBytes } from 'node:crypto'
import type { Database, Queryable } from '#src/db/database.ts'
import { logAddressOfTronAddress, topicOfTronAddress } from './tron-address.ts'
import { TRANSFER_TOPIC } from './usdt-transfers.ts'

/** A TransactionInfo of the local chain, in the format of full nodes, with the fields that a reader uses. */
export type LocalTransactionInfo = {
  id: string
  blockNumber: number
  blockTimeStamp: number
  receipt: { result: string }
  log?: { address: string; topics: string[]; data: string }[]
  result?: string
}

/** One Transfer log: amounts are 0 to 2²⁵⁶ − 1, as a contract could write them. */
export type LocalTransfer = { to: string; from: string; amountMicro: bigint; contract: string }

export type LocalTransaction = {
  transfers: LocalTransfer[]
  /**
   * `reverted`: as on the real chain, the log is missing. `receipt` and `info`: only that field says that the
   * transaction failed, and the log is present; a reader must not accept it.
   */
  failed?: 'reverted' | 'receipt' | 'info'
}

/** The local chain: its blocks and their transactions. */
export type LocalTronChain = {
  height(): Promise<number>
  /** The newest solidified block, 0 or more. */
  solidHeight(): Promise<number>
  /** Milliseconds since 1970, of a block without transactions: so many times three seconds before the newest one. */
  timeOf(blockNumber: number): Promise<number>
  infosOf(blockNumber: number): Promise<LocalTransactionInfo[]>
  infoOf(id: string): Promise<LocalTransactionInfo | undefined>
  /** What an address received less what it sent of a token, up to a block; micro-units. */
  balanceOf(ask: { contract: string; address: string; upTo: number }): Promise<bigint>
  /** Adds a transaction to the next block: blocks that were shown never change. */
  add(transaction: LocalTransaction): Promise<LocalTransactionInfo>
  /** Makes the chain appear this many blocks shorter, until set to 0: simulates a node that lags behind. */
  setBack(blocks: number): void
}

/** There is a block every three seconds, as on the real chain. */
export const PERIOD_MS = 3_000

/**
 * A chain that stands in the database, one for all processes. A block is made when the chain is asked and three seconds
 * have passed since the last one, by the database's clock. So the chain stops while no process asks it, and nobody has
 * empty days to catch up with.
 */
export function localTronChain(db: Database, solidityLag: number): LocalTronChain {
  let back = 0

  return {
    height: async () => Math.max(0, (await newestBlock(db)).height - back),
    solidHeight: async () => Math.max(0, (await newestBlock(db)).height - solidityLag - back),
    async timeOf(blockNumber) {
      const { height, madeAt } = await newestBlock(db)
      return madeAt - (height - blockNumber) * PERIOD_MS
    },
    infosOf: (blockNumber) =>
      db.column('select info from app.local_transaction where block = $1 order by number', [
        blockNumber,
      ]),
    async infoOf(id) {
      const text = 'select info from app.local_transaction where tx_id = $1'
      return (await db.column<LocalTransactionInfo>(text, [id]))[0]
    },
    async balanceOf({ contract, address, upTo }) {
      const [token, holder] = [logAddressOfTronAddress(contract), topicOfTronAddress(address)]
      const infos = await db.column<LocalTransactionInfo>(
        'select info from app.local_transaction where block <= $1',
        [upTo],
      )
      const logs = infos
        .filter(({ receipt, result }) => receipt.result === 'SUCCESS' && result !== 'FAILED')
        .flatMap(({ log }) => log ?? [])
      return logs.reduce((sum, { address: of, topics: [, from, to], data }) => {
        const amount = of === token ? BigInt(`0x${data}`) : 0n
        return sum + (to === holder ? amount : 0n) - (from === holder ? amount : 0n)
      }, 0n)
    },
    add: (transaction) =>
      db.transaction(async (tx) => {
        // Until the commit no process makes the block to which this is added.
        await tx.query('select from app.local_chain for update')
        const { height, madeAt } = await newestBlock(tx)
        const info = infoOf(transaction, {
          id: randomBytes(32).toString('hex'),
          blockNumber: height + 1,
          blockTimeStamp: madeAt + PERIOD_MS,
        })
        await tx.query(
          'insert into app.local_transaction (tx_id, block, info) values ($1, $2, $3)',
          [info.id, info.blockNumber, info],
        )
        return info
      }),
    setBack(count) {
      back = count
    },
  }
}

/** The newest block, which is made now if its time has come. */
async function newestBlock(db: Queryable): Promise<{ height: number; madeAt: number }> {
  await db.query(
    `update app.local_chain set height = height + 1, made_at = app.now()
     where made_at <= app.now() - make_interval(secs => $1)`,
    [PERIOD_MS / 1_000],
  )
  return db.one(`select height::float8 as height, made_at as "madeAt" from app.local_chain`)
}

function infoOf(
  transaction: LocalTransaction,
  block: { id: string; blockNumber: number; blockTimeStamp: number },
): LocalTransactionInfo {
  const { transfers, failed } = transaction
  const log = transfers.map(({ to, from, amountMicro, contract }) => ({
    address: logAddressOfTronAddress(contract),
    topics: [TRANSFER_TOPIC, topicOfTronAddress(from), topicOfTronAddress(to)],
    data: wordOf(amountMicro),
  }))
  const isReverted = failed === 'reverted'
  return {
    ...block,
    receipt: { result: isReverted || failed === 'receipt' ? 'REVERT' : 'SUCCESS' },
    ...(isReverted ? {} : { log }),
    ...(isReverted || failed === 'info' ? { result: 'FAILED' } : {}),
  }
}

function wordOf(amount: bigint): string {
  if (amount < 0n || amount >= 2n ** 256n) throw new RangeError(`no amount of a token: ${amount}`)
  return amount.toString(16).padStart(64, '0')
}
