/** Likenesses between accounts, from the marks of each to the decision of staff, by direct calls at exact instants. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { likenessPage } from '#src/modules/console/players/likeness-store.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter, withoutRetry } from '#testing/database/simultaneous-calls.ts'
import { readBy } from '#testing/database/table-reads.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { lostMarks } from './likeness.ts'
import { exclude, protectionNow, requestEnd } from './protection-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 20, 4)

const { database, db, owner } = eachTestDatabase()
const ids = new Map<string, number>()

beforeEach(async () => {
  await database.freezeClock(NOON)
  ids.clear()
  await join('ann', 'bob', 'eve', 'kim')
})

async function join(...names: string[]): Promise<void> {
  for (const name of names) ids.set(name, await addPlayer(database, { u: 0, name }))
}

function id(name: string): number {
  return ids.get(name) ?? expect.fail(`no player ${name}`)
}

type Kind = 'email' | 'document' | 'wallet' | 'card' | 'device'

/** Gives a value, under several keys if there are several. Returns whether it is new, or when it may be given. */
async function give(
  name: string,
  kind: Kind,
  values: string | string[],
  by: Queryable = owner,
): Promise<string> {
  const { isNew, hours } = await by.one<{ isNew: boolean; hours: number | null }>(
    `select is_new as "isNew", ceil(extract(epoch from may_at - app.now()) / 3600)::integer as hours
     from protection.note_mark($1, $2, array(select sha256(value::bytea) from unnest($3::text[]) value), 'test')`,
    [id(name), kind, [values].flat()],
  )
  return hours === null ? (isNew ? 'new' : 'known') : `in ${hours} hours`
}

async function allGive(names: readonly string[], kind: Kind, value = '1'): Promise<void> {
  for (const name of names) await give(name, kind, value)
}

function rest(name: string, lasting = '48 hours', by: Queryable = db) {
  return exclude(by, { playerId: id(name), kind: 'time_out', lasting })
}

function selfExclude(name: string, lasting: string) {
  return exclude(db, { playerId: id(name), kind: 'self_exclusion', lasting })
}

/** Calls a function about a player; `call` has his id as $1. */
function about(name: string, call: string, by: Queryable = owner) {
  return by.query(`select ${call}`, [id(name)])
}

const sayUnderAge = (name: string) => about(name, 'protection.hold_under_age($1, 2012)')
const proveAdult = (name: string) => about(name, 'protection.set_proved_adult($1, true)')
const takeProofBack = (name: string) => about(name, 'protection.set_proved_adult($1, false)')
const close = (name: string) => about(name, 'own_account.close_account($1, null, null)')

/** Inserts a likeness that does not hold the account. */
function addLikeness(name: string, other: string, kind: Kind) {
  return owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in)
     values ($1, 'likeness', app.now(), $2, $3)`,
    [id(name), id(other), kind],
  )
}

function likenesses(): Promise<string[]> {
  return owner.column<string>(
    `select concat_ws(' ', player.username, 'like', other.username, 'in', like_in,
       case when holds then 'held' else 'shown' end, decision) as line
     from protection.exclusion
       join accounts.player on player.id = player_id join accounts.player other on other.id = like_player
     where exclusion.kind = 'likeness' order by exclusion.id`,
  )
}

type Of = { kind?: Kind; again?: boolean }

/**
 * Staff's decision about the only open likeness of the player, in a kind; `again`: about a decided one. What they are
 * shown says before whether it can be confirmed.
 */
async function decide(
  name: string,
  confirms: boolean,
  { kind = 'card', again = false }: Of,
): Promise<string> {
  const listed = await likenessPage(db, { playerId: id(name) })
  const shown = ('list' in listed ? listed.list : []).find(
    ({ playerId, likeIn, state }) =>
      playerId === id(name) && likeIn === kind && (state !== 'open') === again,
  )
  const answer = await owner.value<string>(
    `select protection.decide_likeness(id, $1, 'seen', $2, $5) as answer from protection.exclusion
     where kind = 'likeness' and player_id = $3 and like_in = $4 and (decided_at is null) <> $5`,
    [confirms, await staffToken(database), id(name), kind, again],
  )
  if (confirms) expect(shown?.likeExcluded).toBe(answer !== 'not_excluded')
  return answer
}

const confirm = (name: string, of: Of = {}) => decide(name, true, of)
const release = (name: string, of: Of = {}) => decide(name, false, of)

/** The accounts that are held. */
function held(): Promise<string[]> {
  return owner.column<string>(
    `select username from protection.player join accounts.player account on account.id = player_id
     where under_review order by account.id`,
  )
}

/** The hours that the break of each account goes on, rounded up; null without one. */
function breaksOf(...names: string[]): Promise<(number | null)[]> {
  return Promise.all(
    names.map((name) =>
      owner.value<number | null>(
        `select nullif(ceil(greatest(0, extract(epoch from excluded_until - app.now())) / 3600), 0)::integer as hours
         from protection.player where player_id = $1`,
        [id(name)],
      ),
    ),
  )
}

function log(name: string): Promise<string[]> {
  return owner.column<string>(
    'select what from protection.change where player_id = $1 order by id',
    [id(name)],
  )
}

const lastLogged = async (name: string) => (await log(name)).at(-1)

describe('a value that an account gives while another one with it excludes itself', () => {
  it.each([
    ['gives it', `note_mark($1, 'card', array[sha256('1')], 'test')`],
    ['had it', `note_earlier_marks(array[$1::integer], '{card}', array[sha256('1')], 'test')`],
  ])('is found by the exclusion if the account %s first', async (_, call) => {
    await give('ann', 'card', '1')
    const answer = await answerAfter(database, {
      first: (tx) => about('bob', `protection.${call}`, tx),
      second: () => rest('ann'),
    })
    expect(answer).toBe('begun')
    expect(await likenesses()).toEqual(['bob like ann in card shown'])
  })

  it('finds the exclusion if that is first', async () => {
    await give('ann', 'card', '1')
    const answer = await answerAfter(database, {
      first: (tx) => rest('ann', '48 hours', tx),
      second: () => give('bob', 'card', '1'),
    })
    expect(answer).toBe('new')
    expect(await likenesses()).toEqual(['bob like ann in card held'])
    expect(await held()).toEqual(['bob'])
  })
})

describe('a value that an account gives', () => {
  it('is new unless the account gave the same of that kind before', async () => {
    expect(await give('ann', 'card', '1')).toBe('new')
    expect(await give('ann', 'card', '1')).toBe('known')
    expect(await give('ann', 'card', '2')).toBe('new')
    expect(await give('ann', 'wallet', '1')).toBe('new')
    expect(await give('bob', 'card', '1')).toBe('new')
    // Known under an earlier key.
    expect(await give('ann', 'card', ['3', '2'])).toBe('known')
  })

  it('is no number of those if it is a mailbox, a device or one from before', async () => {
    for (let at = 0; at < 7; at += 1) {
      expect(await give('ann', at % 2 ? 'email' : 'device', `${at}`)).toBe('new')
      await owner.query(
        `select protection.note_earlier_marks(array[$1::integer], '{card}', array[sha256($2::text::bytea)], 'test')`,
        [id('ann'), `had ${at}`],
      )
      expect(await give('ann', 'card', [`another ${at}`, `had ${at}`])).toBe('known')
    }
    for (let at = 0; at < 6; at += 1) expect(await give('ann', 'card', `${at}`)).toBe('new')
    expect(await give('ann', 'card', '6')).toBe('in 24 hours')
  })
})

it('what excluded players had before is counted when the only key that it is known under is taken away', async () => {
  for (const name of ['ann', 'bob'])
    for (const value of ['before', 'now']) await give(name, 'email', `${name} ${value}`)
  await rest('ann')
  const lost = (...keyIds: string[]) => lostMarks(db, { keyIds })
  // The job marks again what an account has now.
  await about(
    'ann',
    `protection.note_earlier_marks(array[$1::integer], '{email}', array[sha256('now')], 'later')`,
  )
  expect(await lost('later', 'test')).toEqual([])
  expect(await lost('later')).toEqual([{ keyId: 'test', marks: 1 }])
  await database.freezeClock(NOON + 2 * DAY)
  expect(await lost('later')).toEqual([])
})

describe('an account that gives a value of another', () => {
  it('is held if the other is on a break, until its end, or under review, and is told so in no way but the log', async () => {
    await give('ann', 'card', '1')
    await rest('ann')
    await database.freezeClock(NOON + 2 * DAY - 1)
    expect(await give('bob', 'card', '1')).toBe('new')
    await database.freezeClock(NOON + 2 * DAY)
    expect(await give('eve', 'card', '1')).toBe('new')
    // Of bob, who is under review now, and not of ann.
    expect(await likenesses()).toEqual(['bob like ann in card held', 'eve like bob in card held'])
    expect(await held()).toEqual(['bob', 'eve'])
    expect(await log('bob')).toEqual(['review_begun'])
  })

  it('is held for the same value of the same kind, and for no other, nor for its own, nor if nothing holds the other', async () => {
    await allGive(['ann', 'eve', 'kim'], 'wallet')
    await rest('ann')
    await give('bob', 'wallet', '2')
    await give('ann', 'wallet', '3')
    // The same text is another value in another kind.
    await give('bob', 'card', '1')
    const before = ['eve like ann in wallet shown', 'kim like ann in wallet shown']
    expect(await likenesses()).toEqual(before)
    expect(await held()).toEqual([])
    await give('bob', 'wallet', '1')
    expect(await likenesses()).toEqual([...before, 'bob like ann in wallet held'])
  })

  it('is held at once if staff were only shown it before', async () => {
    await allGive(['ann', 'bob'], 'card')
    await rest('ann')
    expect(await likenesses()).toEqual(['bob like ann in card shown'])
    await allGive(['ann', 'bob'], 'card', '2')
    expect(await likenesses()).toEqual(['bob like ann in card held'])
    expect(await held()).toEqual(['bob'])
  })

  it('is not held again for a kind that staff have decided on, until the other’s next break', async () => {
    for (const value of ['1', '2', '3', '4']) await give('ann', 'card', value)
    await give('ann', 'wallet', '1')
    await rest('ann')
    await give('bob', 'card', '1')
    // At the very instant at which the break began.
    expect(await release('bob')).toBe('released')
    const lines = ['bob like ann in card held released']
    await give('bob', 'card', '2')
    expect(await likenesses()).toEqual(lines)
    // Another kind, and others.
    await give('bob', 'wallet', '1')
    await allGive(['eve', 'bob'], 'card', '3')
    lines.push('bob like ann in wallet held', 'eve like ann in card held')
    lines.push('bob like eve in card held')
    expect(await likenesses()).toEqual(lines)
    // A later likeness of the other is no break of his.
    await database.freezeClock(NOON + HOUR)
    await addLikeness('ann', 'kim', 'card')
    await give('bob', 'card', '4')
    lines.push('ann like kim in card shown')
    expect(await likenesses()).toEqual(lines)
    await database.freezeClock(NOON + 3 * DAY)
    await rest('ann')
    expect(await likenesses()).toEqual([...lines, 'bob like ann in card shown'])
  })
})

it('an account like a closed one is held once, and only released where there was no break', async () => {
  for (const value of ['1', '2']) await give('ann', 'wallet', value)
  await close('ann')
  // However often and from however many processes at once.
  await Promise.all([1, 2, 3].map(() => give('bob', 'wallet', '1')))
  expect(await likenesses()).toEqual(['bob like ann in wallet held'])
  expect(await confirm('bob', { kind: 'wallet' })).toBe('not_excluded')
  expect(await release('bob', { kind: 'wallet' })).toBe('released')
  // What was decided holds for whatever else the closed account had of that kind.
  await give('bob', 'wallet', '2')
  expect(await held()).toEqual([])
})

describe('a value that many accounts have', () => {
  const others = Array.from({ length: 23 }, (_, n) => `other${n}`)

  it('holds each of them by twenty others at most, and first by those that are excluded', async () => {
    await join(...others, 'late', 'last')
    // Past breaks are none.
    await owner.query(`update protection.player set excluded_until = app.now() - interval '1 hour'`)
    await give('late', 'device', '1')
    await rest('late')
    await allGive([...others, 'last'], 'device')
    const ofLast = (await likenesses()).filter((line) => line.startsWith('last '))
    expect(ofLast).toEqual(
      ['late', ...others.slice(0, 19)].map((name) => `last like ${name} in device held`),
    )
    expect(await held()).toEqual([...others, 'last'])
  })

  it('shows staff the twenty oldest of those that were there before a break', async () => {
    await join(...others)
    await allGive(['ann', ...others], 'email')
    await rest('ann')
    const shown = others.slice(0, 20).map((name) => `${name} like ann in email shown`)
    expect((await likenesses()).sort()).toEqual(shown.sort())
  })
})

it('a decision, and who is one person with whom, is found by an index however many likenesses an account has', async () => {
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in)
     select $1, 'likeness', app.now(), 1000 + n, 'device' from generate_series(1, 3000) n`,
    [id('bob')],
  )
  // Of others, who are each two accounts, or not; and of these two.
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in, decision, decided_at,
       decided_by, decide_reason)
     select 10000 + n, 'likeness', app.now(), 20000 + n, 'device',
       case when n % 2 = 0 then 'confirmed' else 'released' end, app.now(), 1, 'seen' from generate_series(1, 3000) n
     union all
     select $1, 'likeness', app.now(), $2, 'card', 'confirmed', app.now(), 1, 'seen'`,
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
    await allGive(['ann', 'bob'], 'card')
    await give('eve', 'card', '2')
    // The same text in another kind is another value.
    await give('eve', 'wallet', '1')
    await rest('ann')
    expect(await likenesses()).toEqual(['bob like ann in card shown'])
    expect(await held()).toEqual([])
  })

  it('are shown as well if he gives their value during the break, until its last instant', async () => {
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
    await allGive(['ann', 'bob', 'eve', 'kim'], 'email')
    await rest('kim', '47 hours')
    await rest('bob', '48 hours')
    await rest('eve', '49 hours')
    const before = await likenesses()
    await rest('ann', '48 hours')
    expect((await likenesses()).slice(before.length)).toEqual(['kim like ann in email shown'])
  })

  it('are shown once, and once more at the next break after a decision', async () => {
    await allGive(['ann', 'bob'], 'card')
    await rest('ann', '24 hours')
    await rest('ann', '48 hours')
    expect(await likenesses()).toEqual(['bob like ann in card shown'])
    expect(await release('bob')).toBe('released')
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

describe('the decision on a likeness', () => {
  /** Bob is held for a card of ann, who is on a break. */
  async function holdBob(): Promise<void> {
    await give('ann', 'card', '1')
    await give('ann', 'wallet', '1')
    await rest('ann')
    await give('bob', 'card', '1')
  }

  it('releases the account without a break, unless another likeness holds it; one that is only shown does not', async () => {
    await holdBob()
    await give('bob', 'wallet', '1')
    await addLikeness('bob', 'ann', 'email')
    expect(await release('bob')).toBe('released')
    expect(await held()).toEqual(['bob'])
    expect(await log('bob')).not.toContain('review_released')
    expect(await release('bob', { kind: 'wallet' })).toBe('released')
    expect(await held()).toEqual([])
    expect(await breaksOf('bob')).toEqual([null])
    expect(await lastLogged('bob')).toBe('review_released')
    expect(await likenesses()).toEqual([
      'bob like ann in card held released',
      'bob like ann in wallet held released',
      'bob like ann in email shown',
    ])
  })

  it('confirms it while the break of the other lasts, and gives it that', async () => {
    await holdBob()
    await database.freezeClock(NOON + 2 * DAY)
    expect(await confirm('bob')).toBe('not_excluded')
    expect(await held()).toEqual(['bob'])
    expect(await log('bob')).toEqual(['review_begun'])
    await database.freezeClock(NOON + 2 * DAY - HOUR)
    expect(await confirm('bob')).toBe('confirmed')
    expect(await held()).toEqual([])
    expect(await breaksOf('bob')).toEqual([1])
    expect(await log('bob')).toEqual(['review_begun', 'review_confirmed'])
  })

  it('gives it also to the accounts that were confirmed before to be the same person’s', async () => {
    await give('ann', 'card', 'of ann')
    await rest('ann', '42 days')
    await give('bob', 'card', 'of bob')
    await rest('bob', '24 hours')
    await give('eve', 'card', 'of bob')
    await confirm('eve')
    await database.freezeClock(NOON + 3 * DAY)
    expect(await breaksOf('eve')).toEqual([null])
    await give('bob', 'card', 'of ann')
    await confirm('bob')
    expect(await breaksOf('bob', 'eve')).toEqual([39 * 24, 39 * 24])
    expect(await lastLogged('eve')).toBe('review_confirmed')
  })

  it('that is made again releases whoever is excluded only by it, and those held only for that', async () => {
    await give('bob', 'card', 'of bob')
    await rest('bob', '24 hours')
    await give('eve', 'card', 'of bob')
    await give('ann', 'card', 'of ann')
    await rest('ann', '72 hours')
    await give('bob', 'card', 'of ann')
    await database.freezeClock(NOON + HOUR)
    await confirm('eve')
    await confirm('bob')
    // Further breaks of one are shared with the others too.
    await database.freezeClock(NOON + 2 * HOUR)
    await rest('ann', '90 hours')
    expect(await breaksOf('bob', 'eve')).toEqual([90, 90])
    await database.freezeClock(NOON + 25 * HOUR)
    await allGive(['bob', 'kim'], 'wallet')
    expect(await held()).toEqual(['kim'])

    expect(await confirm('bob', { again: true })).toBe('decided')
    expect(await release('bob', { again: true })).toBe('released')
    expect(await breaksOf('ann', 'bob', 'eve')).toEqual([67, null, null])
    expect(await held()).toEqual([])
    for (const name of ['bob', 'eve', 'kim'])
      expect(await lastLogged(name), name).toBe('review_released')
    // And confirmed after all, it is shared as at first.
    expect(await confirm('bob', { again: true })).toBe('confirmed')
    expect(await breaksOf('bob', 'eve')).toEqual([67, 67])
  })

  it.each([
    ['longer', '72 hours', 71],
    ['shorter', '30 hours', 29],
  ])('that releases again leaves each account its own breaks: %s', async (_, lasting, left) => {
    await holdBob()
    await confirm('bob')
    await rest('bob', lasting)
    await database.freezeClock(NOON + HOUR)
    expect(await release('bob', { again: true })).toBe('released')
    expect(await breaksOf('ann', 'bob')).toEqual([47, left])
  })

  it('shares a longer break that the other takes meanwhile', async () => {
    await holdBob()
    const answer = await answerAfter(database, {
      first: (tx) => rest('ann', '42 days', tx),
      second: () => confirm('bob'),
    })
    expect(answer).toBe('confirmed')
    expect(await breaksOf('bob')).toEqual([42 * 24])
  })

  it('that releases an account that was never held is in no log of its player', async () => {
    await allGive(['ann', 'bob'], 'card')
    await rest('ann')
    expect(await release('bob')).toBe('released')
    await database.freezeClock(NOON + HOUR)
    expect(await confirm('bob', { again: true })).toBe('confirmed')
    expect(await release('bob', { again: true })).toBe('released')
    expect(await log('bob')).toEqual(['review_confirmed', 'review_released'])
  })

  it('is made once, and about a likeness only', async () => {
    await holdBob()
    await release('bob')
    const token = await staffToken(database)
    const again = (kind: string, confirms: boolean) =>
      owner.value(
        `select protection.decide_likeness(coalesce(min(id), 999), $1, 'again', $2)
         from protection.exclusion where kind = $3`,
        [confirms, token, kind],
      )
    for (const confirms of [true, false]) {
      expect(await again('likeness', confirms)).toBe('decided')
      expect(await again('time_out', confirms)).toBe('not_found')
      expect(await again('self_exclusion', confirms)).toBe('not_found')
    }
    expect(await log('bob')).toEqual(['review_begun', 'review_released'])
    expect(
      await owner.query(
        'select decision, decide_reason from protection.exclusion where player_id = $1',
        [id('bob')],
      ),
    ).toEqual([{ decision: 'released', decide_reason: 'seen' }])
  })

  it('waits for a likeness that is not committed yet, which then holds the account', async () => {
    await holdBob()
    const decided = await answerAfter(database, {
      first: async (tx) => expect(await give('bob', 'wallet', '1', tx)).toBe('new'),
      second: () => release('bob'),
    })
    expect(decided).toBe('released')
    expect(await held()).toEqual(['bob'])
  })
})

it('the key of marks is recorded in the order in which orders lock their players', async () => {
  const both = [id('ann'), id('bob')]
  const stake = (tx: Queryable, name: string) =>
    about(name, 'protection.count_stakes(array[$1::integer], array[1::bigint], app.now())', tx)
  const marking = await answerAfter(database, {
    async first(tx) {
      const lock = 'select from ledger.balance where holder_id = any ($1) for no key update'
      await tx.query(lock, [both])
      await stake(tx, 'bob')
    },
    second: () => withoutRetry(owner).query(`select protection.set_marked($1, 'key')`, [both]),
    whileWaiting: (tx) => stake(tx, 'ann'),
  })
  expect(marking).toHaveLength(1)
})

describe('an account of a player who says that he is under age', () => {
  /** Ann has a card with each of the others, and says that she is under age. */
  async function childAnn(...others: string[]): Promise<void> {
    for (const name of others) await allGive(['ann', name], 'card', name)
    await sayUnderAge('ann')
  }

  it('shows staff those like it, which are held by their decision, until it is decided otherwise', async () => {
    await childAnn('bob', 'eve')
    const shown = ['bob like ann in card shown', 'eve like ann in card shown']
    expect(await likenesses()).toEqual(shown)
    expect(await held()).toEqual(['ann'])
    expect(await confirm('bob')).toBe('confirmed')
    expect(await release('eve')).toBe('released')
    expect(await held()).toEqual(['ann', 'bob'])
    // Both are held as long: neither is shown for the other.
    expect(await likenesses()).toHaveLength(2)
    expect(await release('bob', { again: true })).toBe('released')
    expect(await held()).toEqual(['ann'])
    expect(await lastLogged('bob')).toBe('review_released')
  })

  it('shows those that have what she gives later, and holds those that give what she has', async () => {
    await childAnn('bob', 'eve')
    await allGive(['bob', 'ann'], 'wallet')
    expect((await likenesses()).at(-1)).toBe('bob like ann in wallet shown')
    await allGive(['bob', 'ann'], 'wallet', '2')
    expect(await likenesses()).toHaveLength(3)
    expect(await confirm('bob', { kind: 'wallet' })).toBe('confirmed')
    expect(await held()).toEqual(['ann', 'bob'])
    await allGive(['ann', 'eve'], 'wallet', '3')
    expect(await likenesses()).toContain('eve like ann in wallet held')
    expect(await held()).toEqual(['ann', 'bob', 'eve'])
    expect(await release('eve')).toBe('released')
    expect(await confirm('eve', { kind: 'wallet' })).toBe('confirmed')
    expect(await held()).toEqual(['ann', 'bob', 'eve'])
  })

  it('is held and released with the others that staff have confirmed as hers', async () => {
    await childAnn('bob', 'eve')
    await confirm('bob')
    await confirm('eve')
    await proveAdult('ann')
    expect(await held()).toEqual([])
    expect(await lastLogged('bob')).toBe('review_released')
    await takeProofBack('ann')
    expect(await held()).toEqual(['ann', 'bob', 'eve'])
    expect(await lastLogged('bob')).toBe('review_begun')
    await sayUnderAge('bob')
    await proveAdult('ann')
    // He says so in Bob too.
    expect(await held()).toEqual(['ann', 'bob', 'eve'])
    expect(await lastLogged('ann')).toBe('review_begun')
    await release('eve', { again: true })
    expect(await held()).toEqual(['ann', 'bob'])
    await proveAdult('bob')
    expect(await held()).toEqual([])
    // It was said in it once, and released there.
    await database.freezeClock(NOON + HOUR)
    await sayUnderAge('ann')
    expect(await held()).toEqual(['ann', 'bob'])
    await proveAdult('ann')
    expect(await held()).toEqual([])
  })

  it('is held until an adult’s identity is accepted where it was said, whatever is accepted elsewhere', async () => {
    await childAnn('bob')
    await confirm('bob')
    for (const act of [proveAdult, takeProofBack]) {
      await act('bob')
      expect(await held()).toEqual(['ann', 'bob'])
    }
    const why = async (name: string) => (await protectionNow(db, id(name)))?.excludedBy
    expect(await why('ann')).toBe('under_age')
    // Who did not say so here is not told that he did.
    expect(await why('bob')).toBe('likeness')
    await proveAdult('ann')
    expect(await why('ann')).toBeNull()
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
      await childAnn('bob')
      const doStep = {
        confirm: () => confirm('bob'),
        accept: () => proveAdult('bob'),
        close: () => close('ann'),
      }
      for (const step of steps) await doStep[step]()
      expect(await held()).toEqual([])
      expect(await lastLogged('bob')).not.toBe('review_confirmed')
      await takeProofBack('bob')
      expect(await held()).toEqual(['ann', 'bob'])
      expect(await lastLogged('bob')).toBe('review_begun')
      await proveAdult('bob')
      expect(await held()).toEqual([])
      expect(await release('bob', { again: true })).toBe('released')
      // Now it is no longer hers.
      expect(await held()).toEqual(['ann'])
      expect(await lastLogged('ann')).toBe('review_begun')
    },
  )

  it('is released, and not confirmed to its player, if it is proved to be an adult’s before hers is closed and confirmed', async () => {
    await childAnn('bob')
    await proveAdult('bob')
    await close('ann')
    await allGive(['ann', 'bob'], 'wallet')
    expect(await held()).toEqual(['ann', 'bob'])
    expect(await confirm('bob', { kind: 'wallet' })).toBe('confirmed')
    expect(await held()).toEqual([])
    expect(await log('bob')).toEqual(['review_begun', 'review_released'])
  })

  it('is held at last, in its log too, if a decision ends its shared break and the identity that released it', async () => {
    await childAnn('bob')
    await confirm('bob')
    await proveAdult('bob')
    await close('ann')
    await rest('bob')
    expect(await release('bob', { again: true })).toBe('released')
    expect(await held()).toEqual(['ann'])
    expect((await log('ann')).slice(-2)).toEqual(['review_released', 'review_begun'])
  })

  it.each([
    ['confirm', 'close'],
    ['close', 'confirm'],
  ] as const)(
    'is not released by an identity that was accepted before she said so: %s, %s',
    async (...steps) => {
      await childAnn('bob')
      await proveAdult('bob')
      await database.freezeClock(NOON + HOUR)
      await sayUnderAge('ann')
      const doStep = { confirm: () => confirm('bob'), close: () => close('ann') }
      for (const step of steps) await doStep[step]()
      expect(await held()).toEqual(['ann', 'bob'])
      await takeProofBack('bob')
      await proveAdult('bob')
      expect(await held()).toEqual([])
    },
  )

  it('is held with all that are confirmed as one with an excluded player whom she resembles', async () => {
    await allGive(['ann', 'bob'], 'card')
    await allGive(['bob', 'eve'], 'wallet')
    await rest('bob')
    await confirm('eve', { kind: 'wallet' })
    await sayUnderAge('ann')
    expect(await held()).toEqual(['ann'])
    await confirm('ann')
    expect(await held()).toEqual(['ann', 'bob', 'eve'])
    expect(await lastLogged('eve')).toBe('review_begun')
    await release('ann', { again: true })
    expect(await held()).toEqual(['ann'])
    expect(await lastLogged('eve')).toBe('review_released')
  })

  it('is not asked about again for a break that is over, if it is confirmed as hers', async () => {
    await rest('ann', '24 hours')
    await allGive(['ann', 'bob'], 'card')
    await database.freezeClock(NOON + 2 * DAY)
    await sayUnderAge('ann')
    const before = await likenesses()
    expect(await confirm('bob')).toBe('confirmed')
    await database.freezeClock(NOON + 2 * DAY + HOUR)
    await sayUnderAge('ann')
    expect(await likenesses()).toEqual(before.map((line) => `${line} confirmed`))
  })

  it.each([
    ['while nothing held her: released between', [sayUnderAge, proveAdult], takeProofBack],
    ['before she said so', [(name: string) => rest(name, '24 hours')], sayUnderAge],
  ])('is asked about again, though it was decided %s', async (_, before, after) => {
    await allGive(['ann', 'bob'], 'card')
    for (const act of before) await act('ann')
    await database.freezeClock(NOON + 2 * DAY)
    expect(await confirm('bob')).toBe('not_excluded')
    expect(await release('bob')).toBe('released')
    await database.freezeClock(NOON + 2 * DAY + HOUR)
    await after('ann')
    expect((await likenesses()).at(-1)).toBe('bob like ann in card shown')
  })

  it('is asked about again, though it was decided before what it resembles was confirmed as hers', async () => {
    await childAnn('bob', 'kim')
    expect(await release('kim')).toBe('released')
    await allGive(['bob', 'kim'], 'wallet')
    await rest('bob', '24 hours')
    await database.freezeClock(NOON + 2 * DAY)
    expect(await release('kim', { kind: 'wallet' })).toBe('released')
    await database.freezeClock(NOON + 3 * DAY)
    expect(await confirm('bob')).toBe('confirmed')
    expect(await held()).toEqual(['ann', 'bob'])
    expect((await likenesses()).at(-1)).toBe('kim like bob in wallet shown')
  })
})

describe('of two self-exclusions of one person', () => {
  const SHORT = NOON + 182 * DAY

  it('the shorter one is shown to staff, and returning from it waits for them', async () => {
    await allGive(['ann', 'bob'], 'card')
    await selfExclude('bob', '6 months')
    const before = await likenesses()
    await selfExclude('ann', '60 months')
    expect((await likenesses()).slice(before.length)).toEqual(['bob like ann in card shown'])
    await database.freezeClock(SHORT)
    expect(await requestEnd(db, id('bob'))).toBe('end_requested')
    expect(await held()).toEqual(['bob'])
    expect(await confirm('bob')).toBe('confirmed')
    expect(await requestEnd(db, id('bob'))).toBe('too_early')
  })

  it('a later longer one holds for every account that staff have confirmed as his', async () => {
    await allGive(['ann', 'bob'], 'card')
    await allGive(['bob', 'eve'], 'wallet')
    await allGive(['ann', 'kim'], 'email')
    await selfExclude('ann', '6 months')
    expect(await confirm('bob')).toBe('confirmed')
    // Eve has no mark of ann's, but one of bob's, who is excluded by the decision.
    expect(await confirm('eve', { kind: 'wallet' })).toBe('confirmed')
    expect(await release('kim', { kind: 'email' })).toBe('released')
    await selfExclude('eve', '60 months')
    await database.freezeClock(SHORT)
    for (const name of ['ann', 'bob', 'eve']) {
      expect(await requestEnd(db, id(name))).toBe('too_early')
    }
    expect(await requestEnd(db, id('kim'))).toBe('not_excluded')
  })
})
