/** The break of an excluded player, given to an account that staff confirm as his. */
import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { exclude, protectionNow, requestEnd } from './protection-store.ts'

const HOUR = 3_600_000
/** Noon of 20 November 2026 in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)
const FOREVER = 'infinity'

/** A break of one player that began before noon; whether it is shared at a time, and until when. */
async function sharedBreak(
  broke: { kind: 'time_out' | 'self_exclusion'; endsAt: number; endRequestedAt?: number },
  at: number,
) {
  const database = await createTestDatabase()
  const { owner } = database
  const [from, to] = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, ends_at, end_requested_at)
     values ($1, $2, $3, $4, $5)`,
    [
      ...[from, broke.kind, new Date(NOON - 9_000 * HOUR), new Date(broke.endsAt)],
      broke.endRequestedAt === undefined ? null : new Date(broke.endRequestedAt),
    ],
  )
  const shared = await owner.value<boolean>(
    'select protection.share_exclusion($1, $2, $3) as shared',
    [to, from, new Date(at)],
  )
  const [row] = await owner.query<{ until: string | null; breaks: bigint }>(
    `select coalesce((extract(epoch from nullif(excluded_until, 'infinity')) * 1000)::bigint::text,
         excluded_until::text) as until,
       (select count(*) from protection.exclusion where exclusion.player_id = player.player_id) as breaks
     from protection.player where player_id = $1`,
    [to],
  )
  return { shared: shared, until: row?.until, breaks: Number(row?.breaks) }
}

const NOTHING = { shared: false, until: null, breaks: 0 }
const until = (end: number | typeof FOREVER) => ({ shared: true, until: String(end), breaks: 1 })

describe('a break is shared with an account of the same person', () => {
  const timeOut = { kind: 'time_out', endsAt: NOON } as const
  const exclusion = {
    kind: 'self_exclusion',
    endsAt: NOON - 100 * HOUR,
    endRequestedAt: NOON - 24 * HOUR,
  } as const

  it.each([
    ['a time-out, until its last millisecond', timeOut, NOON - 1, until(NOON)],
    ['no time-out that is over', timeOut, NOON, NOTHING],
    [
      'a self-exclusion, without an end, until the player asks to return',
      { kind: 'self_exclusion', endsAt: NOON - HOUR },
      NOON,
      until(FOREVER),
    ],
    ['one whose player has asked, for a day from then', exclusion, NOON - 1, until(NOON)],
    ['no self-exclusion when that day is over', exclusion, NOON, NOTHING],
  ] as const)('%s', async (_, broke, at, expected) => {
    expect(await sharedBreak(broke, at)).toEqual(expected)
  })
})

/** At noon a player began a time-out of 42 days, and got a self-exclusion whose time ends in an hour. */
async function longTimeOutWithSharedExclusion() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const [from, to] = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
  await database.freezeClock(NOON)
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, ends_at)
     values ($1, 'self_exclusion', app.now() - interval '6 months', app.now() + interval '1 hour')`,
    [from],
  )
  expect(await exclude(db, { playerId: to, kind: 'time_out', lasting: '42 days' })).toBe('begun')
  expect(
    await owner.query('select protection.share_exclusion($1, $2, app.now()) as shared', [to, from]),
  ).toEqual([{ shared: true }])
  return { database, db, to }
}

it('a time-out goes on to its end, although a shared self-exclusion ends before it', async () => {
  const { database, db, to } = await longTimeOutWithSharedExclusion()
  const end = NOON + 42 * 24 * HOUR
  await database.freezeClock(NOON + HOUR)
  expect(await requestEnd(db, to)).toBe('end_requested')
  expect(await protectionNow(db, to)).toMatchObject({ excludedBy: 'time_out', excludedUntil: end })
  await database.freezeClock(end)
  expect(await protectionNow(db, to)).toMatchObject({ excludedBy: null })
})

it('a shared self-exclusion is shown as what goes on, although a time-out ends later than its time', async () => {
  const { database, db, to } = await longTimeOutWithSharedExclusion()
  const shown = { excludedBy: 'self_exclusion', excludedUntil: null, mayAskFrom: NOON + HOUR }
  expect(await protectionNow(db, to)).toMatchObject(shown)
  await database.freezeClock(NOON + 60 * 24 * HOUR)
  expect(await protectionNow(db, to)).toMatchObject(shown)
})
