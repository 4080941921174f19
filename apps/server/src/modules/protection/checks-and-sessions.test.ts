/** The reality check and the session of play that it belongs to, at exact instants. */
import { beforeEach, describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { acknowledgeRealityCheck, protectionNow, setRealityCheck } from './protection-store.ts'
import { writeProtectionTerms } from './protection-terms.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.UTC(2026, 10, 20, 4)

const { database, db, owner } = eachTestDatabase()
let playerId: number

/** A player whose session began at noon; it ends half an hour after the last bet, and a check is due each hour. */
beforeEach(async () => {
  const terms = { timeZone: 'UTC', sessionBreakMs: HOUR / 2, checkEveryMs: HOUR, limits: [] }
  await owner.transaction((tx) => writeProtectionTerms(tx, terms))
  await database.freezeClock(NOON)
  playerId = await addPlayer(database, { u: 0 })
  await stake(100, NOON)
})

function stake(amount: number, at: number) {
  return owner.query('select protection.count_stakes(array[$1::integer], array[$2::bigint], $3)', [
    ...[playerId, amount, new Date(at)],
  ])
}

const standing = () => protectionNow(db, playerId)
const acknowledge = () => acknowledgeRealityCheck(db, playerId)
const set = (everyMinutes: number) => setRealityCheck(db, { playerId, everyMinutes })

/** Why a stake would be refused now. */
function refusal() {
  return owner.first<{ reason: string; facts: object }>(
    `select reason, facts from protection.judge_stakes(array[$1::integer], '{1}', app.now())`,
    [playerId],
  )
}

function log() {
  return owner.query('select at, what, details from protection.change order by id')
}

/** A bet each 20 minutes until 40 minutes after noon. */
async function playOn(): Promise<void> {
  await stake(20, NOON + 20 * MINUTE)
  await stake(3, NOON + 40 * MINUTE)
}

it('a session of play lasts until half an hour after its last bet', async () => {
  await database.freezeClock(NOON + HOUR / 2 - 1)
  expect(await standing()).toMatchObject({ beganAt: NOON, checkAt: NOON + HOUR, staked: 100n })
  await database.freezeClock(NOON + HOUR / 2)
  expect(await standing()).toMatchObject({ beganAt: null, checkAt: null })
})

describe('a reality check', () => {
  it('is due an hour after the session began, at that very millisecond', async () => {
    await playOn()
    await database.freezeClock(NOON + HOUR - 1)
    expect(await refusal()).toBeUndefined()
    expect(await acknowledge()).toBe(false)
    expect(await log()).toEqual([])
    await database.freezeClock(NOON + HOUR)
    expect(await refusal()).toMatchObject({ reason: 'reality_check_due' })
  })

  it('shows the length of the session, its stakes and payouts, and what is left; acknowledged, it continues the session', async () => {
    await playOn()
    await owner.query('update protection.player set session_paid_out = 50')
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
    expect(
      await owner.query('select checked_at, session_active_at from protection.player'),
    ).toEqual([{ checked_at: NOON + HOUR, session_active_at: NOON + HOUR }])
    expect(await log()).toEqual([
      { at: NOON + HOUR, what: 'check_acknowledged', details: shown('3600') },
    ])
    await database.freezeClock(NOON + HOUR + HOUR / 2 - 1)
    expect(await standing()).toMatchObject({ beganAt: NOON, checkAt: NOON + 2 * HOUR })
  })

  it('cannot be acknowledged when the session is over', async () => {
    await playOn()
    await database.freezeClock(NOON + 70 * MINUTE)
    expect(await acknowledge()).toBe(false)
    expect(await log()).toEqual([])
  })

  it('is as often as the player chooses, which he cannot change while one is due', async () => {
    await playOn()
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
