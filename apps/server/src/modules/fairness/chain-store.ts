/** The fairness module's SQL: committed seed chains. */
import { only, type Queryable } from '#src/db/database.ts'

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

export async function chainById(db: Queryable, id: number): Promise<ChainRow> {
  return only(await db.query<ChainRow>(`select ${CHAIN} from fairness.chain where id = $1`, [id]))
}

export async function addChain(
  db: Queryable,
  chain: Pick<ChainRow, 'gameId' | 'length' | 'commitment' | 'encryptedSecret' | 'keyId'>,
): Promise<number> {
  const { id } = only(
    await db.query<{ id: number }>(
      `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
       values ($1, $2, $3, $4, $5) returning id`,
      [chain.gameId, chain.length, chain.commitment, chain.encryptedSecret, chain.keyId],
    ),
  )
  return id
}

/** The public data of a chain. */
export type CommittedChain = Pick<ChainRow, 'id' | 'gameId' | 'length' | 'committedAt' | 'used'> & {
  /** Hex. */
  commitment: string
}

/** The chains of all games, oldest first, without their secret. */
export function committedChains(db: Queryable): Promise<CommittedChain[]> {
  return db.query<CommittedChain>(
    `select id, game_id as "gameId", length, encode(commitment, 'hex') as commitment,
       committed_at as "committedAt", used
     from fairness.chain order by id`,
  )
}
