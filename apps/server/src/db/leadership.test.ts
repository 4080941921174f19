import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, eachTestDatabase } from '#testing/database/test-database.ts'
import { startTcpProxy, withoutWaiting } from '#testing/hosts/tcp-proxy.ts'
import { eventually } from '#testing/requests/patience.ts'
import { type Leadership, leadership } from './leadership.ts'

const { database } = eachTestDatabase()

/** The lead is lost only with its connection, however busy the machine is. */
const ANSWER_MS = 60_000

function contender(url = database.applicationUrl): Leadership {
  const made = leadership(url, { answerMs: ANSWER_MS, silenceMs: 600_000 })
  onTestFinished(() => made.close())
  return made
}

/** Breaks the connection of the process that drives a game, like a crash of its machine. */
async function breakLeader(gameId: number): Promise<void> {
  await database.owner.query(
    `select pg_terminate_backend(pid, 60000) from pg_locks
     where locktype = 'advisory' and classid = 28 and objid = $1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [gameId],
  )
}

describe('the lead of a game', () => {
  it('belongs to one process while it lives, for each game and each database', async () => {
    const other = await createTestDatabase()
    const [first, second] = [contender(), contender()]
    expect([await first.holds(1), await second.holds(2)]).toEqual([true, true])
    for (const _again of [1, 2, 3]) {
      expect([await first.holds(2), await second.holds(1)]).toEqual([false, false])
      expect([await first.holds(1), await second.holds(2)]).toEqual([true, true])
    }
    expect(await contender(other.applicationUrl).holds(1)).toBe(true)
  })

  it('goes to exactly one of many that try at once', async () => {
    const all = Array.from({ length: 8 }, () => contender())
    const answers = await Promise.all(all.map((each) => each.holds(3)))
    expect(answers.filter(Boolean)).toHaveLength(1)
  })

  it('goes to another when it is released, and no other lead goes with it', async () => {
    const [first, second] = [contender(), contender()]
    await first.holds(1)
    await first.holds(2)
    await second.release(1)
    expect(await second.holds(1)).toBe(false)
    await first.release(1)
    expect([await second.holds(1), await second.holds(2)]).toEqual([true, false])
    expect([await first.holds(1), await first.holds(2)]).toEqual([false, true])
  })

  it('goes to another when it ends, and when its connection is killed', async () => {
    const [first, second, third] = [contender(), contender(), contender()]
    await first.holds(1)
    await first.close()
    await eventually(() => second.holds(1))

    await breakLeader(1)
    expect(await third.holds(1)).toBe(true)
    // The one whose connection broke fails at most once, and then knows that it is no leader any more.
    await eventually(async () => (await second.holds(1).catch(() => null)) === false)
    expect(await third.holds(1)).toBe(true)
  })

  it('belongs to no process while the database is down, and to one when it is back', async () => {
    const first = contender()
    await first.holds(1)
    await database.takeAway()
    await expect(first.holds(1)).rejects.toThrow()
    await database.giveBack()
    await eventually(() => first.holds(1).catch(() => false))
  })

  it('is lost when the database’s connection stops answering, and won again over a new one', async () => {
    const proxy = await startTcpProxy(database.applicationUrl)
    const lead = contender(proxy.url)
    expect(await lead.holds(1)).toBe(true)
    proxy.silence('answers')
    await expect(withoutWaiting(proxy, () => lead.holds(1), ANSWER_MS)).rejects.toThrow()
    await eventually(() => lead.holds(1).catch(() => false))
  })
})
