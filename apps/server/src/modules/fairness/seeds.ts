/**
 * Manages the seeds: commits a chain for each game, and returns a round's seed when it is drawn. A chain's secret is
 * decrypted once and kept as checkpoints, so that a seed costs few hashes.
 */
import { randomBytes } from 'node:crypto'
import { fromHex } from '@sum28/fairness/hex.ts'
import {
  makeSeedChain,
  SEED_CHAIN_LENGTH,
  type SeedChain,
  seedForRound,
} from '@sum28/fairness/seed-chain.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

export type Seeds = {
  /** The chain from which a game's next round takes its seed; if there is none, commits one. */
  chainInUse(gameId: number): Promise<ChainRow>
  /** The seed of a chain's k-th round, in hex. Secret until the round is drawn. */
  seedOf(chainId: number, index: number): Promise<string>
}

export function seedKeeper(deps: {
  db: Database
  cipher: SecretCipher
  /** The most rounds that a game can have in 24 hours. */
  roundsADay: number
  /** Seeds in a new chain, {@link SEED_CHAIN_LENGTH} by default. */
  length?: number
}): Seeds {
  const { db, cipher, roundsADay, length = SEED_CHAIN_LENGTH } = deps
  // A new chain is committed when this many seeds are left: at least 24 hours before the old one ends.
  const leftToCommit = roundsADay + 1
  const opened = new Map<number, Promise<SeedChain>>()

  async function commitChain(gameId: number): Promise<void> {
    const secret = randomBytes(32)
    const chain = makeSeedChain(secret, length)
    const id = await db.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('commit chain'), $1)`, [gameId])
      const chains = await chainsOfGame(tx, gameId)
      if (seedsLeft(chains) > leftToCommit) return null
      return addChain(tx, {
        gameId,
        length,
        commitment: Buffer.from(fromHex(chain.commitment, 32)),
        encryptedSecret: cipher.encrypt(secret, chain.commitment),
        keyId: cipher.keyId,
      })
    })
    if (id !== null) opened.set(id, Promise.resolve(chain))
  }

  async function openChain(chainId: number): Promise<SeedChain> {
    const row = await db.one<ChainRow>(`select ${CHAIN} from fairness.chain where id = $1`, [
      chainId,
    ])
    if (!cipher.knows(row.keyId)) {
      throw new Error(
        `the seeds of chain ${chainId} are encrypted with key ${row.keyId}, and SEED_KEY is key ${cipher.keyId}: add the earlier one to SEED_KEY, after a comma`,
      )
    }
    const commitment = row.commitment.toString('hex')
    const chain = makeSeedChain(
      cipher.decrypt(row.encryptedSecret, commitment, row.keyId),
      row.length,
    )
    if (chain.commitment !== commitment)
      throw new Error(`chain ${chainId} does not lead to its commitment`)
    return chain
  }

  return {
    async chainInUse(gameId) {
      let chains = await chainsOfGame(db, gameId)
      if (seedsLeft(chains) <= leftToCommit) {
        await commitChain(gameId)
        chains = await chainsOfGame(db, gameId)
      }
      const chain = chains.find(({ used, length }) => used < length)
      if (!chain) throw new Error(`game ${gameId} has no chain with a seed left`)
      return chain
    },
    async seedOf(chainId, index) {
      let chain = opened.get(chainId)
      if (!chain) {
        chain = openChain(chainId)
        opened.set(chainId, chain)
        chain.catch(() => opened.delete(chainId))
      }
      return seedForRound(await chain, index)
    },
  }
}

function seedsLeft(chains: readonly ChainRow[]): number {
  return chains.reduce((left, { used, length }) => left + length - used, 0)
}

export type ChainRow = {
  id: number
  gameId: number
  length: number
  commitment: Buffer
  encryptedSecret: Buffer
  keyId: string
  committedAt: number
  /** How many rounds have used a seed. */
  used: number
}

const CHAIN = `id, game_id as "gameId", length, commitment, encrypted_secret as "encryptedSecret",
  key_id as "keyId", committed_at as "committedAt", used`

export function chainsOfGame(db: Queryable, gameId: number): Promise<ChainRow[]> {
  return db.query<ChainRow>(`select ${CHAIN} from fairness.chain where game_id = $1 order by id`, [
    gameId,
  ])
}

function addChain(
  db: Queryable,
  chain: Pick<ChainRow, 'gameId' | 'length' | 'commitment' | 'encryptedSecret' | 'keyId'>,
): Promise<number> {
  return db.value(
    `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
       values ($1, $2, $3, $4, $5) returning id`,
    [chain.gameId, chain.length, chain.commitment, chain.encryptedSecret, chain.keyId],
  )
}

/** The public data of a chain. */
export type CommittedChain = Pick<ChainRow, 'id' | 'gameId' | 'length' | 'committedAt' | 'used'> & {
  /** Hex. */
  commitment: string
}
