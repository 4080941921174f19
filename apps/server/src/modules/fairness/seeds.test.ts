import { hashSeed } from '@sum28/fairness/seed-chain.ts'
import { describe, expect, it } from 'vitest'
import { DecryptionFailed, secretCipher } from '#src/secrets/secret-cipher.ts'
import { eachTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { type ChainRow, chainsOfGame, seedKeeper } from './seeds.ts'

const { database } = eachTestDatabase()

const KEY = 'a secret key of at least thirty-two characters'

/** Chains of twenty seeds, where a day has five rounds: so a new one is due when six are left. */
function keeper({ db }: TestDatabase, { key = KEY, length = 20 } = {}) {
  return seedKeeper({ db, cipher: secretCipher(key), length, roundsADay: 5 })
}

/** Uses up a chain's next seeds, as opening rounds does. */
async function use({ owner }: TestDatabase, { id }: { id: number }, rounds: number) {
  for (let round = 0; round < rounds; round += 1) {
    await owner.query('update fairness.chain set used = used + 1 where id = $1', [id])
  }
}

const commitmentOf = ({ commitment }: ChainRow) => commitment.toString('hex')

describe('the seeds of a game', () => {
  it('are committed before their first round, lead to the commitment one by one, and are nowhere in the database', async () => {
    const seeds = keeper(database)
    const chain = await seeds.chainInUse(1)
    expect(chain).toMatchObject({ gameId: 1, length: 20, used: 0 })
    let earlier = commitmentOf(chain)
    const all = new Set<string>()
    for (let index = 1; index <= 20; index += 1) {
      const revealed = await seeds.seedOf(chain.id, index)
      expect(hashSeed(revealed, 1)).toBe(earlier)
      expect(hashSeed(revealed, index)).toBe(commitmentOf(chain))
      all.add(revealed)
      earlier = revealed
    }
    expect(all.size).toBe(20)
    await expect(seeds.seedOf(chain.id, 21)).rejects.toThrow(RangeError)
    await expect(seeds.seedOf(chain.id, 0)).rejects.toThrow(RangeError)
    // Another process has the same ones.
    expect(await keeper(database).seedOf(chain.id, 20)).toBe(earlier)
    const stored = JSON.stringify(
      await database.owner.query(
        `select encode(encrypted_secret, 'hex') as encrypted, encode(commitment, 'hex') as commitment
         from fairness.chain`,
      ),
    )
    for (const seed of all) expect(stored).not.toContain(seed)
  })

  it('belong to one chain when several processes start at once, and to a separate one for each game', async () => {
    const keepers = Array.from({ length: 6 }, () => keeper(database))
    const chains = await Promise.all(keepers.map((seeds) => seeds.chainInUse(1)))
    expect(new Set(chains.map(({ id }) => id)).size).toBe(1)
    const other = await keepers[0]?.chainInUse(2)
    expect(other?.id).not.toBe(chains[0]?.id)
    expect(await chainsOfGame(database.db, 1)).toHaveLength(1)
  })

  it('come from a new chain that was committed a day of rounds before the old one ends', async () => {
    const seeds = keeper(database)
    const old = await seeds.chainInUse(1)
    await use(database, old, 13)
    expect((await seeds.chainInUse(1)).id).toBe(old.id)
    expect(await chainsOfGame(database.db, 1)).toHaveLength(1)

    await use(database, old, 1)
    expect((await seeds.chainInUse(1)).id).toBe(old.id)
    const [, next] = await chainsOfGame(database.db, 1)
    expect(next).toMatchObject({ used: 0, length: 20 })

    await use(database, old, 5)
    expect((await seeds.chainInUse(1)).id).toBe(old.id)
    await use(database, old, 1)
    expect((await seeds.chainInUse(1)).id).toBe(next?.id)
    expect(await chainsOfGame(database.db, 1)).toHaveLength(2)
  })

  it('cannot be read with another secret key; the error names both keys and no secret', async () => {
    const chain = await keeper(database).chainInUse(1)
    const other = `another ${KEY}`
    await expect(keeper(database, { key: other }).seedOf(chain.id, 1)).rejects.toThrow(
      `the seeds of chain ${chain.id} are encrypted with key ${secretCipher(KEY).keyId}, and SEED_KEY is key ${secretCipher(other).keyId}`,
    )
    expect(await keeper(database).seedOf(chain.id, 1)).toMatch(/^[0-9a-f]{64}$/)
  })

  it('cannot be read if the encrypted secret is another chain’s', async () => {
    const seeds = keeper(database)
    const [first, second] = [await seeds.chainInUse(1), await seeds.chainInUse(2)]
    await database.owner.query('alter table fairness.chain disable trigger chain_guarded')
    await database.owner.query('update fairness.chain set encrypted_secret = $1 where id = $2', [
      first.encryptedSecret,
      second.id,
    ])
    await expect(keeper(database).seedOf(second.id, 1)).rejects.toThrow(DecryptionFailed)
  })
})
