/** Likenesses between accounts, from the marks of each to the decision of staff, by direct calls at exact instants. */
import { describe, expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter, withoutRetry } from '#testing/database/simultaneous-calls.ts'
import { readBy } from '#testing/database/table-reads.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { lostMarks } from './likeness.ts'
import { exclude, protectionNow, requestEnd } from './protection-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 20, 4)

type Kind = 'email' | 'document' | 'wallet' | 'card' | 'device'

/** Some players with readable names, and the calls about them. */
async function stage(...names: string[]) {
  const database = await createTestDatabase()
  const { db, owner } = database
  await database.freezeClock(NOON)
  const ids: Record<string, number> = {}
  for (const name of names) ids[name] = await addPlayer(database, { u: 0, name })
  const id = (name: string) => {
    const playerId = ids[name]
    if (playerId === undefined) throw new Error(`no player ${name}`)
    return playerId
  }
  return {
    database,
    id,
    /** Gives a value of a kind. Returns whether it is new, or the hours, rounded up, after which it may be given. */
    give: (name: string, kind: Kind, ...values: string[]) => give(database, id(name), kind, values),
    /** Stores a value that the player had before. */
    had: (name: string, kind: Kind, value: string) =>
      owner.query(
        `select protection.note_earlier_marks(array[$1::integer], array[$2], array[sha256($3::text::bytea)], 'test')`,
        [id(name), kind, value],
      ),
    rest: (name: string, lasting = '48 hours') =>
      exclude(db, { playerId: id(name), kind: 'time_out', lasting }),
    set: (name: string, change: string) =>
      owner.query(`update protection.player set ${change} where player_id = $1`, [id(name)]),
    likenesses: async () =>
      await owner.column<string>(`select concat_ws(' ', player.username, 'like', other.username, 'in', like_in,
             case when holds then 'held' else 'shown' end, decision) as line
           from protection.exclusion
             join accounts.player on player.id = player_id join accounts.player other on other.id = like_player
           where exclusion.kind = 'likeness' order by exclusion.id`),
    /** Staff's decision about the only open likeness of the player, in a kind; `again`: about a decided one. */
    decide: async (name: string, confirms: boolean, kind: Kind = 'card', again = false) =>
      owner.value<string>(
        `select protection.decide_likeness(id, $1, 'seen', $2, $5) as answer from protection.exclusion
         where kind = 'likeness' and player_id = $3 and like_in = $4 and (decided_at is null) <> $5`,
        [confirms, await staffToken(database), id(name), kind, again],
      ),
    underReview: async (name: string) =>
      await owner.value<boolean>(
        'select under_review as review from protection.player where player_id = $1',
        [id(name)],
      ),
    /** The hours that an account's break goes on, rounded up; null without one. */
    breakOf: async (name: string) =>
      owner.value<number | null>(
        `select nullif(ceil(greatest(0, extract(epoch from excluded_until - app.now())) / 3600), 0)::integer as hours
         from protection.player where player_id = $1`,
        [id(name)],
      ),
    log: async (name: string) =>
      await owner.column<string>(
        'select what from protection.change where player_id = $1 order by id',
        [id(name)],
      ),
  }
}

async function give(
  { owner }: { owner: Queryable },
  playerId: number,
  kind: Kind,
  values: string[],
) {
  const { isNew, hours } = await owner.one<{ isNew: boolean; hours: number | null }>(
    `select is_new as "isNew", ceil(extract(epoch from may_at - app.now()) / 3600)::integer as hours
     from protection.note_mark($1, $2, array(select sha256(value::bytea) from unnest($3::text[]) value), 'test')`,
    [playerId, kind, values],
  )
  return hours === null ? (isNew ? 'new' : 'known') : `in ${hours} hours`
}

describe('a value that an account gives while another one with it excludes itself', () => {
  it.each(['gives it', 'had it'] as const)(
    'is found by the exclusion if the account %s first',
    async (how) => {
      const { database, id, give, likenesses } = await stage('ann', 'bob')
      await give('ann', 'card', '1')
      const answer = await answerAfter(database, {
        first: (tx) =>
          how === 'gives it'
            ? tx.query(`select protection.note_mark($1, 'card', array[sha256('1')], 'test')`, [
                id('bob'),
              ])
            : tx.query(
                `select protection.note_earlier_marks(array[$1::integer], array['card'], array[sha256('1')], 'test')`,
                [id('bob')],
              ),
        second: () =>
          exclude(database.db, { playerId: id('ann'), kind: 'time_out', lasting: '48 hours' }),
      })
      expect(answer).toBe('begun')
      expect(await likenesses()).toEqual(['bob like ann in card shown'])
    },
  )

  it('finds the exclusion if that is first', async () => {
    const { database, id, give, likenesses, underReview } = await stage('ann', 'bob')
    await give('ann', 'card', '1')
    const answer = await answerAfter(database, {
      first: (tx) => tx.query(`select protection.exclude($1, 'time_out', '48 hours')`, [id('ann')]),
      second: () => give('bob', 'card', '1'),
    })
    expect(answer).toBe('new')
    expect(await likenesses()).toEqual(['bob like ann in card held'])
    expect(await underReview('bob')).toBe(true)
  })
})

describe('a value that an account gives', () => {
  it('is new unless the account gave the same of that kind before', async () => {
    const { give } = await stage('ann', 'bob')
    expect(await give('ann', 'card', '1')).toBe('new')
    expect(await give('ann', 'card', '1')).toBe('known')
    expect(await give('ann', 'card', '2')).toBe('new')
    expect(await give('ann', 'wallet', '1')).toBe('new')
    expect(await give('bob', 'card', '1')).toBe('new')
    // Known under an earlier key.
    expect(await give('ann', 'card', '3', '2')).toBe('known')
  })

  it('is no number of those if it is a mailbox, a device or one from before', async () => {
    const { give, had } = await stage('ann')
    for (let at = 0; at < 7; at += 1) {
      expect(await give('ann', at % 2 ? 'email' : 'device', `${at}`)).toBe('new')
      await had('ann', 'card', `had ${at}`)
      expect(await give('ann', 'card', `another ${at}`, `had ${at}`)).toBe('known')
    }
    for (let at = 0; at < 6; at += 1) expect(await give('ann', 'card', `${at}`)).toBe('new')
    expect(await give('ann', 'card', '6')).toBe('in 24 hours')
  })
})

it('what excluded players had before is counted when the only key that it is known under is taken away', async () => {
  const { database, id, give, rest } = await stage('ann', 'bob')
  const { db, owner } = database
  for (const name of ['ann', 'bob'] as const)
    for (const value of ['before', 'now']) await give(name, 'email', `${name} ${value}`)
  await rest('ann')
  const lost = (...keyIds: string[]) => lostMarks(db, { keyIds })
  // The job marks again what an account has now.
  await owner.query(
    `select protection.note_earlier_marks(array[$1::integer], array['email'], array[sha256('now')], 'later')`,
    [id('ann')],
  )
  expect(await lost('later', 'test')).toEqual([])
  expect(await lost('later')).toEqual([{ keyId: 'test', marks: 1 }])
  await database.freezeClock(NOON + 2 * DAY)
  expect(await lost('later')).toEqual([])
})

describe('an account that gives a value of another', () => {
  it('is held if the other is on a break, until its end, and is told so in no way but the log', async () => {
    const { database, give, rest, likenesses, underReview, log } = await stage('ann', 'bob', 'eve')
    await give('ann', 'card', '1')
    await rest('ann')
    await database.freezeClock(NOON + 2 * DAY - 1)
    expect(await give('bob', 'card', '1')).toBe('new')
    await database.freezeClock(NOON + 2 * DAY)
    expect(await give('eve', 'card', '1')).toBe('new')
    // Of bob, who is under review now, and not of ann.
    expect(await likenesses()).toEqual(['bob like ann in card held', 'eve like bob in card held'])
    expect(await underReview('bob')).toBe(true)
    expect(await log('bob')).toEqual(['review_begun'])
  })

  it('is held if the other is under review, and not if nothing holds it', async () => {
    const { give, set, likenesses } = await stage('ann', 'bob', 'eve')
    await give('ann', 'card', '1')
    await give('bob', 'card', '1')
    expect(await likenesses()).toEqual([])
    await set('ann', 'under_review = true')
    await give('eve', 'card', '1')
    expect(await likenesses()).toEqual(['eve like ann in card held'])
  })

  it('is held for the same value of the same kind, and for no other, nor for its own', async () => {
    const { give, rest, likenesses, underReview } = await stage('ann', 'bob')
    await give('ann', 'wallet', '1')
    await rest('ann')
    await give('bob', 'wallet', '2')
    await give('ann', 'wallet', '3')
    // The same text is another value in another kind.
    await give('bob', 'card', '1')
    expect(await likenesses()).toEqual([])
    for (const name of ['ann', 'bob']) expect(await underReview(name)).toBe(false)
    await give('bob', 'wallet', '1')
    expect(await likenesses()).toEqual(['bob like ann in wallet held'])
  })

  it('is held at once if staff were only shown it before', async () => {
    const { give, rest, likenesses, underReview } = await stage('ann', 'bob')
    for (const name of ['ann', 'bob']) await give(name, 'card', '1')
    await rest('ann')
    expect(await likenesses()).toEqual(['bob like ann in card shown'])
    await give('ann', 'card', '2')
    await give('bob', 'card', '2')
    expect(await likenesses()).toEqual(['bob like ann in card held'])
    expect(await underReview('bob')).toBe(true)
  })

  it('is not held again for a kind that staff have decided on, until the other’s next break', async () => {
    const { database, give, rest, decide, likenesses } = await stage('ann', 'bob')
    for (const value of ['1', '2', '3']) await give('ann', 'card', value)
    await give('ann', 'wallet', '1')
    await rest('ann')
    await give('bob', 'card', '1')
    // At the very instant at which the break began.
    expect(await decide('bob', false)).toBe('released')
    const first = 'bob like ann in card held released'
    await give('bob', 'card', '2')
    expect(await likenesses()).toEqual([first])
    await give('bob', 'wallet', '1')
    expect(await likenesses()).toEqual([first, 'bob like ann in wallet held'])
    await database.freezeClock(NOON + 3 * DAY)
    await rest('ann')
    expect(await likenesses()).toEqual([
      first,
      'bob like ann in wallet held',
      'bob like ann in card shown',
    ])
  })
})

describe('a value that many accounts have', () => {
  const others = Array.from({ length: 23 }, (_, n) => `other${n}`)

  it('holds each of them by twenty others at most, and first by those that are excluded', async () => {
    const { give, rest, set, likenesses, underReview } = await stage(...others, 'ann', 'last')
    // Past breaks are none.
    for (const name of others) await set(name, `excluded_until = app.now() - interval '1 hour'`)
    await give('ann', 'device', '1')
    await rest('ann')
    for (const name of [...others, 'last']) await give(name, 'device', '1')
    const ofLast = (await likenesses()).filter((line) => line.startsWith('last '))
    expect(ofLast).toEqual(
      ['ann', ...others.slice(0, 19)].map((name) => `last like ${name} in device held`),
    )
    expect(await underReview('last')).toBe(true)
  })

  it('shows staff the twenty oldest of those that were there before a break', async () => {
    const { give, rest, likenesses } = await stage('ann', ...others)
    for (const name of ['ann', ...others]) await give(name, 'email', 'same')
    await rest('ann')
    const shown = others.slice(0, 20).map((name) => `${name} like ann in email shown`)
    expect((await likenesses()).sort()).toEqual(shown.sort())
  })
})

it('a decision, and who is one person with whom, is found by an index however many likenesses an account has', async () => {
  const { database, id } = await stage('ann', 'bob')
  const { owner } = database
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in)
     select $1, 'likeness', app.now(), 1000 + n, 'device' from generate_series(1, 3000) n`,
    [id('bob')],
  )
  // Of others, who are each two accounts, or not.
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in, decision, decided_at,
       decided_by, decide_reason)
     select 10000 + n, 'likeness', app.now(), 20000 + n, 'device',
       case when n % 2 = 0 then 'confirmed' else 'released' end, app.now(), 1, 'seen' from generate_series(1, 3000) n`,
  )
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in, decision, decided_at,
       decided_by, decide_reason)
     values ($1, 'likeness', app.now(), $2, 'card', 'confirmed', app.now(), 1, 'seen')`,
    [id('ann'), id('bob')],
  )
  await owner.query('analyze protection.exclusion')
  for (const [call, values] of [
    ['is_decided($1, $2, $3)', [id('bob'), id('ann'), 'device']],
    ['same_person_as($1)', [id('ann')]],
    ['same_person_as($1)', [10_002]],
  ] as const) {
    const reads = await owner.transaction((tx) =>
      readBy(tx, () => tx.query(`select protection.${call}`, values)),
    )
    const read = reads.find(({ name }) => name === 'protection.exclusion')
    expect((read?.rows ?? 0) + (read?.fetches ?? 0), call).toBeLessThan(10)
  }
})

describe('accounts that were there before a break', () => {
  it('are shown if they have a value of the excluded player, and not held', async () => {
    const { give, rest, likenesses, underReview } = await stage('ann', 'bob', 'eve')
    await give('ann', 'card', '1')
    await give('bob', 'card', '1')
    await give('eve', 'card', '2')
    // The same text in another kind is another value.
    await give('eve', 'wallet', '1')
    await rest('ann')
    expect(await likenesses()).toEqual(['bob like ann in card shown'])
    expect(await underReview('bob')).toBe(false)
  })

  it('are shown as well if he gives their value during the break, until its last instant', async () => {
    const { database, give, rest, likenesses } = await stage('ann', 'bob')
    for (const value of ['1', '2']) await give('bob', 'card', value)
    await rest('ann')
    await database.freezeClock(NOON + 2 * DAY)
    await give('ann', 'card', '1')
    expect(await likenesses()).toEqual([])
    await database.freezeClock(NOON + 2 * DAY - 1)
    await give('ann', 'card', '2')
    expect(await likenesses()).toEqual(['bob like ann in card shown'])
  })

  it('are not shown if their own break lasts as long', async () => {
    const { give, rest, likenesses } = await stage('ann', 'bob', 'eve', 'kim')
    for (const name of ['ann', 'bob', 'eve', 'kim']) await give(name, 'email', 'same')
    await rest('kim', '47 hours')
    await rest('bob', '48 hours')
    await rest('eve', '49 hours')
    const before = await likenesses()
    await rest('ann', '48 hours')
    expect((await likenesses()).slice(before.length)).toEqual(['kim like ann in email shown'])
  })

  it('are shown once, and once more at the next break after a decision', async () => {
    const { database, give, rest, decide, likenesses } = await stage('ann', 'bob')
    for (const name of ['ann', 'bob']) await give(name, 'card', '1')
    await rest('ann', '24 hours')
    await rest('ann', '48 hours')
    expect(await likenesses()).toEqual(['bob like ann in card shown'])
    expect(await decide('bob', false)).toBe('released')
    await rest('ann', '72 hours')
    // That break began at the instant of the decision, which counts for it.
    expect(await likenesses()).toHaveLength(1)
    await database.freezeClock(NOON + 1)
    await rest('ann', '96 hours')
    expect(await likenesses()).toEqual([
      'bob like ann in card shown released',
      'bob like ann in card shown',
    ])
  })
})

it('whether staff have decided is known for these two and this kind, since the other’s last break began', async () => {
  const { database, id, decide, give, rest } = await stage('ann', 'bob', 'eve')
  await give('ann', 'card', '1')
  await rest('ann')
  await give('bob', 'card', '1')
  const decided = async (of: string, other: string, kind: Kind) =>
    await database.owner.value<boolean>('select protection.is_decided($1, $2, $3) as yes', [
      id(of),
      id(other),
      kind,
    ])
  expect(await decided('bob', 'ann', 'card')).toBe(false)
  await decide('bob', false)
  expect(await decided('bob', 'ann', 'card')).toBe(true)
  await rest('eve')
  expect(await decided('bob', 'ann', 'wallet')).toBe(false)
  expect(await decided('bob', 'eve', 'card')).toBe(false)
  expect(await decided('eve', 'ann', 'card')).toBe(false)
  // A later likeness of the other is no break of his.
  await database.freezeClock(NOON + HOUR)
  await database.owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in)
     values ($1, 'likeness', app.now(), $2, 'card')`,
    [id('ann'), id('eve')],
  )
  expect(await decided('bob', 'ann', 'card')).toBe(true)
  await rest('ann', '72 hours')
  expect(await decided('bob', 'ann', 'card')).toBe(false)
})

describe('the decision on a likeness', () => {
  /** Bob is held for a card of ann, who is on a break. */
  async function heldBob() {
    const all = await stage('ann', 'bob')
    await all.give('ann', 'card', '1')
    await all.give('ann', 'wallet', '1')
    await all.rest('ann')
    await all.give('bob', 'card', '1')
    const until = () => all.breakOf('bob')
    return { ...all, until }
  }

  it('releases the account without a break, even if another likeness is shown that does not hold it', async () => {
    const { database, id, decide, underReview, until, log, likenesses } = await heldBob()
    await database.owner.query(
      `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in)
       values ($1, 'likeness', app.now(), $2, 'wallet')`,
      [id('bob'), id('ann')],
    )
    expect(await decide('bob', false)).toBe('released')
    expect(await underReview('bob')).toBe(false)
    expect(await until()).toBeNull()
    expect(await log('bob')).toEqual(['review_begun', 'review_released'])
    expect(await likenesses()).toEqual([
      'bob like ann in card held released',
      'bob like ann in wallet shown',
    ])
  })

  it('confirms it, and gives it the break of the other', async () => {
    const { database, decide, underReview, until, log } = await heldBob()
    await database.freezeClock(NOON + 2 * DAY - HOUR)
    expect(await decide('bob', true)).toBe('confirmed')
    expect(await underReview('bob')).toBe(false)
    expect(await until()).toBe(1)
    expect(await log('bob')).toEqual(['review_begun', 'review_confirmed'])
  })

  it('gives it also to the accounts that were confirmed before to be the same person’s', async () => {
    const { database, give, rest, decide, log, breakOf } = await stage('ann', 'ben', 'cem')
    await give('ann', 'card', 'of ann')
    await rest('ann', '42 days')
    await give('ben', 'card', 'of ben')
    await rest('ben', '24 hours')
    await give('cem', 'card', 'of ben')
    await decide('cem', true)
    await database.freezeClock(NOON + 3 * DAY)
    expect(await breakOf('cem')).toBeNull()
    await give('ben', 'card', 'of ann')
    await decide('ben', true)
    for (const name of ['ben', 'cem']) expect(await breakOf(name), name).toBe(39 * 24)
    expect((await log('cem')).at(-1)).toBe('review_confirmed')
  })

  it('that is made again releases whoever is excluded only by it, and those held only for that', async () => {
    const { database, give, rest, decide, log, underReview, breakOf } = await stage(
      ...['ann', 'ben', 'cem', 'dan'],
    )
    await give('ben', 'card', 'of ben')
    await rest('ben', '24 hours')
    await give('cem', 'card', 'of ben')
    await give('ann', 'card', 'of ann')
    await rest('ann', '72 hours')
    await give('ben', 'card', 'of ann')
    await database.freezeClock(NOON + HOUR)
    await decide('cem', true)
    await decide('ben', true)
    // Further breaks of one are shared with the others too.
    await database.freezeClock(NOON + 2 * HOUR)
    await rest('ann', '90 hours')
    expect(await Promise.all(['ben', 'cem'].map(breakOf))).toEqual([90, 90])
    await database.freezeClock(NOON + 25 * HOUR)
    await give('ben', 'wallet', '2')
    await give('dan', 'wallet', '2')
    expect(await underReview('dan')).toBe(true)

    const again = (name: string, confirms: boolean) => decide(name, confirms, 'card', true)
    expect(await again('ben', true)).toBe('decided')
    expect(await again('ben', false)).toBe('released')
    expect(await Promise.all(['ann', 'ben', 'cem'].map(breakOf))).toEqual([67, null, null])
    expect(await underReview('dan')).toBe(false)
    for (const name of ['ben', 'cem', 'dan'])
      expect((await log(name)).at(-1), name).toBe('review_released')
    // And confirmed after all, it is shared as at first.
    expect(await again('ben', true)).toBe('confirmed')
    expect(await Promise.all(['ben', 'cem'].map(breakOf))).toEqual([67, 67])
  })

  it.each([
    ['longer', '72 hours', 71],
    ['shorter', '30 hours', 29],
  ])('that releases again leaves each account its own breaks: %s', async (_, lasting, left) => {
    const { database, decide, rest, until, breakOf } = await heldBob()
    await decide('bob', true)
    await rest('bob', lasting)
    await database.freezeClock(NOON + HOUR)
    expect(await decide('bob', false, 'card', true)).toBe('released')
    expect(await until()).toBe(left)
    expect(await breakOf('ann')).toBe(47)
  })

  it('shares a longer break that the other takes meanwhile', async () => {
    const { database, id, decide } = await heldBob()
    const answer = await answerAfter(database, {
      first: (tx) =>
        tx.query(`select protection.exclude($1, 'self_exclusion', '6 months')`, [id('ann')]),
      second: () => decide('bob', true),
    })
    expect(answer).toBe('confirmed')
    expect(
      await database.owner.query(
        `select excluded_until = 'infinity' as "forever" from protection.player where player_id = $1`,
        [id('bob')],
      ),
    ).toEqual([{ forever: true }])
  })

  it('that releases an account that was never held is in no log of its player', async () => {
    const { database, give, rest, decide, log } = await stage('ann', 'bob')
    for (const name of ['ann', 'bob']) await give(name, 'card', '1')
    await rest('ann')
    expect(await decide('bob', false)).toBe('released')
    await database.freezeClock(NOON + HOUR)
    expect(await decide('bob', true, 'card', true)).toBe('confirmed')
    expect(await decide('bob', false, 'card', true)).toBe('released')
    expect(await log('bob')).toEqual(['review_confirmed', 'review_released'])
  })

  it('confirms nothing when the break of the other is over, and can still release', async () => {
    const { database, decide, underReview, log } = await heldBob()
    await database.freezeClock(NOON + 2 * DAY)
    expect(await decide('bob', true)).toBe('not_excluded')
    expect(await underReview('bob')).toBe(true)
    expect(await log('bob')).toEqual(['review_begun'])
    expect(await decide('bob', false)).toBe('released')
    expect(await underReview('bob')).toBe(false)
  })

  it('is made once, and about a likeness only', async () => {
    const { database, decide, id, log } = await heldBob()
    await decide('bob', false)
    const token = await staffToken(database)
    const again = (kind: string, confirms: boolean) =>
      database.owner.query(
        'select protection.decide_likeness(id, $1, $2, $3) as answer from protection.exclusion where kind = $4',
        [confirms, 'again', token, kind],
      )
    for (const confirms of [true, false]) {
      expect(await again('likeness', confirms)).toEqual([{ answer: 'decided' }])
      expect(await again('time_out', confirms)).toEqual([{ answer: 'not_found' }])
    }
    expect(
      await database.owner.query(
        `select protection.decide_likeness(999, false, 'x', $1) as answer`,
        [token],
      ),
    ).toEqual([{ answer: 'not_found' }])
    expect(await log('bob')).toEqual(['review_begun', 'review_released'])
    expect(
      await database.owner.query(
        'select decision, decide_reason from protection.exclusion where player_id = $1',
        [id('bob')],
      ),
    ).toEqual([{ decision: 'released', decide_reason: 'seen' }])
  })

  it('ends the review only if no other likeness holds the account', async () => {
    const { give, decide, underReview, log } = await heldBob()
    await give('bob', 'wallet', '1')
    expect(await decide('bob', false)).toBe('released')
    expect(await underReview('bob')).toBe(true)
    expect(await log('bob')).not.toContain('review_released')
    expect(await decide('bob', false, 'wallet')).toBe('released')
    expect(await underReview('bob')).toBe(false)
    expect((await log('bob')).at(-1)).toBe('review_released')
  })

  it('waits for a likeness that is not committed yet, which then holds the account', async () => {
    const { database, id, decide, underReview } = await heldBob()
    const decided = await answerAfter(database, {
      first: async (tx) =>
        expect(await give({ owner: tx }, id('bob'), 'wallet', ['1'])).toBe('new'),
      second: () => decide('bob', false),
    })
    expect(decided).toBe('released')
    expect(await underReview('bob')).toBe(true)
  })
})

it('the key of marks is recorded in the order in which orders lock their players', async () => {
  const { database, id } = await stage('ann', 'bob')
  const [ann, bob] = [id('ann'), id('bob')]
  const stake = (tx: Queryable, player: number) =>
    tx.query('select protection.count_stakes(array[$1::integer], array[1::bigint], app.now())', [
      player,
    ])
  const marking = await answerAfter(database, {
    async first(tx) {
      const lock = 'select from ledger.balance where holder_id = any ($1) for no key update'
      await tx.query(lock, [[ann, bob]])
      await stake(tx, bob)
    },
    second: () =>
      withoutRetry(database.owner).query(`select protection.set_marked($1, 'key')`, [[ann, bob]]),
    whileWaiting: (tx) => stake(tx, ann),
  })
  expect(marking).toHaveLength(1)
})

describe('an account of a player who says that he is under age', () => {
  /** Ann has a card with each of the others, and says that she is under age. */
  async function childAnn(...others: string[]) {
    const at = await stage('ann', ...others)
    const call = (name: string, sql: string) =>
      at.database.owner.query(`select protection.${sql}`, [at.id(name)])
    for (const name of others) {
      await at.give('ann', 'card', name)
      await at.give(name, 'card', name)
    }
    const say = (name: string) => call(name, 'hold_under_age($1, 2012)')
    await say('ann')
    return {
      ...at,
      say,
      close: (name: string) =>
        at.database.owner.query('select own_account.close_account($1, null, null)', [at.id(name)]),
      release: (name: string) => call(name, 'set_proved_adult($1, true)'),
      holdAgain: (name: string) => call(name, 'set_proved_adult($1, false)'),
      held: () =>
        at.database.owner.column<string>(
          `select username as line from protection.player join accounts.player account on account.id = player_id
           where under_review order by account.id`,
        ),
    }
  }

  it('shows staff those like it, which are held by their decision, until it is decided otherwise', async () => {
    const { decide, held, likenesses, underReview, log } = await childAnn('bob', 'eve')
    expect(await likenesses()).toEqual([
      ...['bob like ann in card shown', 'eve like ann in card shown'],
    ])
    expect(await underReview('bob')).toBe(false)
    expect(await decide('bob', true)).toBe('confirmed')
    expect(await decide('eve', false)).toBe('released')
    expect(await held()).toEqual(['ann', 'bob'])
    // Both are held as long: neither is shown for the other.
    expect(await likenesses()).toHaveLength(2)
    expect(await decide('bob', false, 'card', true)).toBe('released')
    expect(await held()).toEqual(['ann'])
    expect(await underReview('bob')).toBe(false)
    expect((await log('bob')).at(-1)).toBe('review_released')
  })

  it('shows those that have what she gives later, and holds those that give what she has', async () => {
    const { give, decide, held, likenesses } = await childAnn('bob')
    await give('bob', 'wallet', '1')
    await give('ann', 'wallet', '1')
    expect(await likenesses()).toEqual([
      ...['bob like ann in card shown', 'bob like ann in wallet shown'],
    ])
    await give('bob', 'wallet', '2')
    await give('ann', 'wallet', '2')
    expect(await likenesses()).toHaveLength(2)
    expect(await decide('bob', true, 'wallet')).toBe('confirmed')
    expect(await held()).toEqual(['ann', 'bob'])
  })

  it('is held for a likeness that began it, and confirmed', async () => {
    const { give, decide, held, likenesses, underReview } = await childAnn('bob')
    expect(await decide('bob', false)).toBe('released')
    await give('ann', 'wallet', '1')
    await give('bob', 'wallet', '1')
    expect((await likenesses()).at(-1)).toBe('bob like ann in wallet held')
    expect(await underReview('bob')).toBe(true)
    expect(await decide('bob', true, 'wallet')).toBe('confirmed')
    expect(await held()).toEqual(['ann', 'bob'])
  })

  it('is held and released with the others that staff have confirmed as hers', async () => {
    const { release, holdAgain, say, decide, held, underReview, log } = await childAnn('bob', 'eve')
    await decide('bob', true)
    await decide('eve', true)
    await release('ann')
    expect(await held()).toEqual([])
    expect(await underReview('bob')).toBe(false)
    expect((await log('bob')).at(-1)).toBe('review_released')
    await holdAgain('ann')
    expect(await held()).toEqual(['ann', 'bob', 'eve'])
    expect((await log('bob')).at(-1)).toBe('review_begun')
    await say('bob')
    await release('ann')
    // He says so in Bob too.
    expect(await held()).toEqual(['ann', 'bob', 'eve'])
    expect((await log('ann')).at(-1)).toBe('review_begun')
    await decide('eve', false, 'card', true)
    expect(await held()).toEqual(['ann', 'bob'])
    await release('bob')
    expect(await held()).toEqual([])
  })

  it('is held until an adult’s identity is accepted where it was said, whatever is accepted elsewhere', async () => {
    const { database, id, release, holdAgain, decide, held } = await childAnn('bob')
    await decide('bob', true)
    await release('bob')
    expect(await held()).toEqual(['ann', 'bob'])
    await holdAgain('bob')
    expect(await held()).toEqual(['ann', 'bob'])
    const now = (name: string) => protectionNow(database.db, id(name))
    expect(await now('ann')).toMatchObject({ excludedBy: 'under_age' })
    // Who did not say so here is not told that he did.
    expect(await now('bob')).toMatchObject({ excludedBy: 'likeness' })
    await release('ann')
    expect(await now('ann')).toMatchObject({ excludedBy: null })
  })

  it.each([
    ['confirm', 'close', 'accept'],
    ['confirm', 'accept', 'close'],
    ['close', 'confirm', 'accept'],
    ['close', 'accept', 'confirm'],
    ['accept', 'confirm', 'close'],
    ['accept', 'close', 'confirm'],
  ] as const)(
    'is released by an adult’s identity elsewhere if she closed hers, and held again without it: %s, %s, %s',
    async (...steps) => {
      const { database, id, close, release, holdAgain, decide, held, log } = await childAnn('bob')
      const doStep = {
        confirm: () => decide('bob', true),
        accept: () => release('bob'),
        close: () => close('ann'),
      }
      for (const step of steps) await doStep[step]()
      expect(await held()).toEqual([])
      expect((await log('bob')).at(-1)).not.toBe('review_confirmed')
      await holdAgain('bob')
      expect(await held()).toEqual(['ann', 'bob'])
      expect((await log('bob')).at(-1)).toBe('review_begun')
      expect(await protectionNow(database.db, id('bob'))).toMatchObject({ excludedBy: 'likeness' })
      await release('bob')
      expect(await held()).toEqual([])
      expect(await decide('bob', false, 'card', true)).toBe('released')
      // Now it is no longer hers.
      expect(await held()).toEqual(['ann'])
      expect((await log('ann')).at(-1)).toBe('review_begun')
    },
  )

  it('is released, and not confirmed to its player, if it is proved to be an adult’s before hers is closed and confirmed', async () => {
    const { close, give, release, decide, held, log } = await childAnn('bob')
    await release('bob')
    await close('ann')
    await give('ann', 'wallet', '1')
    await give('bob', 'wallet', '1')
    expect(await held()).toEqual(['ann', 'bob'])
    expect(await decide('bob', true, 'wallet')).toBe('confirmed')
    expect(await held()).toEqual([])
    expect(await log('bob')).toEqual(['review_begun', 'review_released'])
  })

  it('is held at last, in its log too, if a decision ends its shared break and the identity that released it', async () => {
    const { close, release, rest, decide, held, log } = await childAnn('bob')
    await decide('bob', true)
    await release('bob')
    await close('ann')
    await rest('bob')
    expect(await decide('bob', false, 'card', true)).toBe('released')
    expect(await held()).toEqual(['ann'])
    expect((await log('ann')).slice(-2)).toEqual(['review_released', 'review_begun'])
  })

  it.each([
    ['confirm', 'close'],
    ['close', 'confirm'],
  ] as const)(
    'is not released by an identity that was accepted before she said so: %s, %s',
    async (...steps) => {
      const { database, say, close, release, holdAgain, decide, held } = await childAnn('bob')
      await release('bob')
      await database.freezeClock(NOON + HOUR)
      await say('ann')
      const doStep = { confirm: () => decide('bob', true), close: () => close('ann') }
      for (const step of steps) await doStep[step]()
      expect(await held()).toEqual(['ann', 'bob'])
      await holdAgain('bob')
      await release('bob')
      expect(await held()).toEqual([])
    },
  )

  it('is released with hers though it was said in it once, and released there', async () => {
    const { database, say, release, decide, held } = await childAnn('bob')
    await decide('bob', true)
    await release('ann')
    await say('bob')
    await release('bob')
    await database.freezeClock(NOON + HOUR)
    await say('ann')
    expect(await held()).toEqual(['ann', 'bob'])
    await release('ann')
    expect(await held()).toEqual([])
  })

  it('is held with all that are confirmed as one with an excluded player whom she resembles', async () => {
    const { database, id, give, rest, decide, underReview, log } = await stage('ann', 'bob', 'eve')
    for (const name of ['ann', 'bob']) await give(name, 'card', '1')
    for (const name of ['bob', 'eve']) await give(name, 'wallet', '2')
    await rest('bob')
    await decide('eve', true, 'wallet')
    await database.owner.query('select protection.hold_under_age($1, 2012)', [id('ann')])
    const held = () => Promise.all(['ann', 'bob', 'eve'].map(underReview))
    expect(await held()).toEqual([true, false, false])
    await decide('ann', true)
    expect(await held()).toEqual([true, true, true])
    expect((await log('eve')).at(-1)).toBe('review_begun')
    await decide('ann', false, 'card', true)
    expect(await held()).toEqual([true, false, false])
    expect((await log('eve')).at(-1)).toBe('review_released')
  })

  it('is not asked about again for a break that is over, if it is confirmed as hers', async () => {
    const { database, id, give, rest, decide, likenesses } = await stage('ann', 'bob')
    const say = () =>
      database.owner.query('select protection.hold_under_age($1, 2012)', [id('ann')])
    await rest('ann', '24 hours')
    for (const name of ['ann', 'bob']) await give(name, 'card', '1')
    await database.freezeClock(NOON + 2 * DAY)
    await say()
    const before = await likenesses()
    expect(await decide('bob', true)).toBe('confirmed')
    await database.freezeClock(NOON + 2 * DAY + HOUR)
    await say()
    expect(await likenesses()).toEqual(before.map((line) => `${line} confirmed`))
  })

  it('is asked about again, though it was decided while nothing held her: released between', async () => {
    const { database, release, holdAgain, decide, likenesses } = await childAnn('bob')
    await release('ann')
    await database.freezeClock(NOON + HOUR)
    expect(await decide('bob', true)).toBe('not_excluded')
    expect(await decide('bob', false)).toBe('released')
    await database.freezeClock(NOON + 2 * HOUR)
    await holdAgain('ann')
    expect((await likenesses()).at(-1)).toBe('bob like ann in card shown')
  })

  it('is asked about again, though it was decided before what it resembles was confirmed as hers', async () => {
    const { database, give, rest, decide, held, likenesses } = await childAnn('bob', 'kim')
    expect(await decide('kim', false)).toBe('released')
    for (const name of ['bob', 'kim']) await give(name, 'wallet', '1')
    await rest('bob', '24 hours')
    await database.freezeClock(NOON + 2 * DAY)
    expect(await decide('kim', false, 'wallet')).toBe('released')
    await database.freezeClock(NOON + 3 * DAY)
    expect(await decide('bob', true)).toBe('confirmed')
    expect(await held()).toEqual(['ann', 'bob'])
    expect((await likenesses()).at(-1)).toBe('kim like bob in wallet shown')
  })

  it('is asked about again, though it was decided before she said so', async () => {
    const { database, id, give, rest, decide, likenesses } = await stage('ann', 'bob')
    for (const name of ['ann', 'bob']) await give(name, 'card', '1')
    await rest('ann', '24 hours')
    await database.freezeClock(NOON + 2 * DAY)
    expect(await decide('bob', true)).toBe('not_excluded')
    expect(await decide('bob', false)).toBe('released')
    await database.freezeClock(NOON + 2 * DAY + HOUR)
    await database.owner.query('select protection.hold_under_age($1, 2012)', [id('ann')])
    expect((await likenesses()).at(-1)).toBe('bob like ann in card shown')
  })
})

describe('of two self-exclusions of one person', () => {
  const excluded = async (lasting: string, playerId: number, { db }: TestDatabase) =>
    expect(await exclude(db, { playerId, kind: 'self_exclusion', lasting })).toBe('begun')
  const SHORT = NOON + 182 * DAY

  it('the shorter one is shown to staff, and returning from it waits for them', async () => {
    const { database, id, give, likenesses, underReview, decide } = await stage('ann', 'bob')
    for (const name of ['ann', 'bob']) await give(name, 'card', '1')
    await excluded('6 months', id('bob'), database)
    const before = await likenesses()
    await excluded('60 months', id('ann'), database)
    expect((await likenesses()).slice(before.length)).toEqual(['bob like ann in card shown'])
    await database.freezeClock(SHORT)
    expect(await requestEnd(database.db, id('bob'))).toBe('end_requested')
    expect(await underReview('bob')).toBe(true)
    expect(await decide('bob', true)).toBe('confirmed')
    expect(await requestEnd(database.db, id('bob'))).toBe('too_early')
  })

  it('a later longer one holds for every account that staff have confirmed as his', async () => {
    const { database, id, give, decide } = await stage('ann', 'bob', 'eve', 'kim')
    for (const name of ['ann', 'bob']) await give(name, 'card', '1')
    for (const name of ['bob', 'eve']) await give(name, 'wallet', '2')
    for (const name of ['ann', 'kim']) await give(name, 'email', '3')
    await excluded('6 months', id('ann'), database)
    expect(await decide('bob', true)).toBe('confirmed')
    // Eve has no mark of ann's, but one of bob's, who is excluded by the decision.
    expect(await decide('eve', true, 'wallet')).toBe('confirmed')
    expect(await decide('kim', false, 'email')).toBe('released')
    await excluded('60 months', id('eve'), database)
    await database.freezeClock(SHORT)
    for (const name of ['ann', 'bob', 'eve']) {
      expect(await requestEnd(database.db, id(name))).toBe('too_early')
    }
    expect(await requestEnd(database.db, id('kim'))).toBe('not_excluded')
  })
})
