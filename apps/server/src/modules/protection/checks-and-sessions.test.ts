/** The reality check and the session of play that it belongs to, at exact instants. */
import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { acknowledgeRealityCheck, protectionNow, setRealityCheck } from './protection-store.ts'
import { writeProtectionTerms } from './protection-terms.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.UTC(2026, 10, 20, 4)

/** A player whose session began at noon; it ends half an hour after the last bet, and a check is due each hour. */
async function playing() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const terms = { timeZone: 'UTC', sessionBreakMs: HOUR / 2, checkEveryMs: HOUR, limits: [] }
  await owner.transaction((tx) => writeProtectionTerms(tx, terms))
  await database.freezeClock(NOON)
  const playerId = await addPlayer(database, { u: 0 })
  const stake = (amount: number, at: number) =>
    owner.query('select protection.count_stakes(array[$1::integer], array[$2::bigint], $3)', [
      playerId,
      amount,
      new Date(at),
    ])
  await stake(100, NOON)
  return {
    database,
    db,
    playerId,
    stake,
    set: (everyMinutes: number) => setRealityCheck(db, { playerId, everyMinutes }),
    acknowledge: () => acknowledgeRealityCheck(db, playerId),
    standing: () => protectionNow(db, playerId),
    /** Why a stake would be refused now. */
    refusal: async () =>
      (
        await owner.query<{ reason: string; facts: object }>(
          `select reason, facts from protection.judge_stakes(array[$1::integer], '{1}', app.now())`,
          [playerId],
        )
      )[0],
    log: () =>
      owner.query(
        'select at, what, details from protection.change where player_id = $1 order by id',
        [playerId],
      ),
    times: () =>
      owner.one(
        `select checked_at as "checkedAt", session_active_at as "activeAt"
         from protection.player where player_id = $1`,
        [playerId],
      ),
  }
}

/** A bet each 20 minutes until 40 minutes after noon. */
async function playingOn() {
  const ann = await playing()
  await ann.stake(20, NOON + 20 * MINUTE)
  await ann.stake(3, NOON + 40 * MINUTE)
  return ann
}

it('a session of play lasts until half an hour after its last bet', async () => {
  const { database, standing } = await playing()
  await database.freezeClock(NOON + HOUR / 2 - 1)
  expect(await standing()).toMatchObject({ beganAt: NOON, checkAt: NOON + HOUR, staked: 100n })
  await database.freezeClock(NOON + HOUR / 2)
  expect(await standing()).toMatchObject({ beganAt: null, checkAt: null })
})

describe('a reality check', () => {
  it('is due an hour after the session began, at that very millisecond', async () => {
    const { database, refusal, acknowledge, log } = await playingOn()
    await database.freezeClock(NOON + HOUR - 1)
    expect(await refusal()).toBeUndefined()
    expect(await acknowledge()).toBe(false)
    expect(await log()).toEqual([])
    await database.freezeClock(NOON + HOUR)
    expect(await refusal()).toMatchObject({ reason: 'reality_check_due' })
  })

  it('shows the length of the session, its stakes and payouts, and what is left; acknowledged, it continues the session', async () => {
    const { database, playerId, refusal, acknowledge, standing, log, times } = await playingOn()
    await database.owner.query(
      'update protection.player set session_paid_out = 50 where player_id = $1',
      [playerId],
    )
    const shown = (elapsed_s: string) => ({
      began_at: String(NOON / 1_000),
      elapsed_s,
      staked: '123',
      won: '50',
      net: '-73',
    })
    await database.freezeClock(NOON + HOUR + 1_999)
    expect(await refusal()).toEqual({ reason: 'reality_check_due', facts: shown('3601') })
    await database.freezeClock(NOON + HOUR)
    expect(await acknowledge()).toBe(true)
    expect(await refusal()).toBeUndefined()
    expect(await times()).toEqual({ checkedAt: NOON + HOUR, activeAt: NOON + HOUR })
    expect(await log()).toEqual([
      { at: NOON + HOUR, what: 'check_acknowledged', details: shown('3600') },
    ])
    await database.freezeClock(NOON + HOUR + HOUR / 2 - 1)
    expect(await standing()).toMatchObject({ beganAt: NOON, checkAt: NOON + 2 * HOUR })
  })

  it('cannot be acknowledged when the session is over', async () => {
    const { database, acknowledge, log } = await playingOn()
    await database.freezeClock(NOON + 70 * MINUTE)
    expect(await acknowledge()).toBe(false)
    expect(await log()).toEqual([])
  })

  it('is as often as the player chooses, which he cannot change while one is due', async () => {
    const { database, set, standing, log } = await playingOn()
    expect(await set(15)).toBe('set')
    expect(await standing()).toMatchObject({ checkMinutes: 15, checkAt: NOON + 15 * MINUTE })
    await database.freezeClock(NOON + 15 * MINUTE)
    expect(await set(240)).toBe('reality_check_due')
    expect(await standing()).toMatchObject({ checkMinutes: 15 })
    await database.freezeClock(NOON + 15 * MINUTE - 1)
    expect(await set(240)).toBe('set')
    expect(await standing()).toMatchObject({ checkMinutes: 240, checkAt: NOON + 4 * HOUR })
    expect(await log()).toEqual([
      { at: NOON, what: 'check_set', details: { before: null, after: 15 } },
      { at: NOON + 15 * MINUTE - 1, what: 'check_set', details: { before: 15, after: 240 } },
    ])
  })
})
