/** What not even the owner of the database may change of rounds, draws and chains by a plain statement. */
import { beforeAll, describe, expect, it } from 'vitest'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import {
  drawTestRound,
  openTestRound,
  sealTestRound,
  settleTestRound,
  someDraw,
  type TestRound,
  voidTestRound,
} from '#testing/database/fixtures.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { proposeRoundVoid } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { storeDraw, storeValue, voidRound } from './round-store.ts'

const GAME_DAY = '2026-11-20'
/** How long a round waits for its value. */
const WAITS_MS = 600_000

const database = shareTestDatabase()

/** A round in each state, and a voided one whose bets are settled. Nothing that is tried with them is kept. */
let rounds: Record<'settled' | 'drawn' | 'refunded' | 'voided' | 'sealed' | 'open', TestRound>

beforeAll(async () => {
  const { db } = database
  rounds = {
    settled: await openTestRound(database),
    drawn: await openTestRound(database),
    refunded: await openTestRound(database),
    voided: await openTestRound(database),
    sealed: await openTestRound(database),
    open: await openTestRound(database),
  }
  await sealTestRound(database, rounds.sealed)
  await settleTestRound(database, rounds.settled)
  await drawTestRound(database, rounds.drawn, [1, 2, 3])
  await voidTestRound(database, rounds.voided)
  await voidTestRound(database, rounds.refunded)
  expect(await settleRound(db, rounds.refunded, GAME_DAY)).toBe(0)
})

/** Tries a statement and takes it back. */
async function answerTo(statement: string): Promise<string> {
  const taken = database.owner.transaction(async (tx) => {
    await tx.query(statement)
    throw new Error('accepted')
  })
  return taken.catch((error: Error) => error.message)
}

const tried = ({ issue }: TestRound, change: string) =>
  answerTo(`update rounds.round set ${change} where issue = ${issue}`)

/** What a seal writes with the state, where it is not written yet. */
const CLOSED_BOOK = `sealed_at = coalesce(sealed_at, seals_at), book_size = coalesce(book_size, 0),
  book_root = coalesce(book_root, sha256('book'))`

it('the states of a round only go forward', async () => {
  const ways: string[] = []
  for (const [from, round] of Object.entries(rounds)) {
    for (const to of ['open', 'sealed', 'drawn', 'settled']) {
      const answer = await tried(round, `state = '${to}', ${CLOSED_BOOK}`)
      if (answer === 'accepted') ways.push(`${from} to ${to}`)
      else expect(answer).toMatch(/cannot go from/)
    }
  }
  expect(ways.toSorted()).toEqual([
    'drawn to drawn',
    'drawn to settled',
    'open to open',
    'open to sealed',
    'sealed to drawn',
    'sealed to sealed',
    'settled to settled',
  ])
  for (const from of ['drawn', 'settled'] as const) {
    const voided = `state = 'voided', void_reason = 'sealed_late', voided_at = app.now()`
    expect(await tried(rounds[from], voided)).toMatch(/cannot go from/)
  }
})

it('a seal by the owner of the database needs its book and its time, which is before the end', async () => {
  for (const [change, constraint] of [
    [`sealed_at = seals_at`, 'sealed_with_its_book'],
    [`book_root = sha256('book'), book_size = 0`, 'sealed_with_its_book'],
    [`voids_at = voids_at`, 'sealed_with_its_book'],
    [`sealed_at = draws_at, book_root = sha256(''), book_size = 0`, 'before_its_end'],
  ] as const) {
    expect(await tried(rounds.open, `state = 'sealed', ${change}`)).toContain(constraint)
  }
})

it('when a witness saw a round’s book is written once, and hinders nothing else', async () => {
  const round = await openTestRound(database)
  await sealTestRound(database, round)
  expect(await tried(round, 'witnessed_at = sealed_at')).toBe('accepted')
  await database.owner.query('update rounds.round set witnessed_at = sealed_at where issue = $1', [
    round.issue,
  ])
  for (const other of [`witnessed_at + interval '1 ms'`, 'null']) {
    expect(await tried(round, `witnessed_at = ${other}`)).toMatch(/never changes/)
  }
  await database.freezeClock(round.drawsAt + 1)
  expect(await storeDraw(database.db, round, someDraw([1, 2, 3]))).toBe(true)
  // In time is before the value exists, to the millisecond.
  expect(
    await database.owner.query(
      `select rounds.was_witnessed(jsonb_populate_record(round,
         jsonb_build_object('witnessed_at', rounds.value_at(round) + early))) as seen
       from rounds.round, unnest(array['-1 ms', '0']::interval[]) early where issue = $1`,
      [round.issue],
    ),
  ).toEqual([{ seen: true }, { seen: false }])
})

describe('what was announced of a round', () => {
  it('never changes, whatever its state', async () => {
    const { owner } = database
    // What the steps of a round's life write.
    const written = [
      ...['state', 'book_root', 'book_size', 'sealed_at', 'settled_at', 'voided_at', 'void_reason'],
      'witnessed_at',
    ]
    const columns = await owner.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
       where table_schema = 'rounds' and table_name = 'round' and column_name <> all ($1)`,
      [written],
    )
    expect(columns).toHaveLength(17)
    for (const { name, type } of columns) {
      const another =
        {
          text: `${name} || 'x'`,
          date: `${name} + 1`,
          'timestamp with time zone': `coalesce(${name} - interval '1 ms', draws_at + interval '1 s')`,
        }[type] ?? `${name} + 1`
      for (const [state, round] of Object.entries(rounds)) {
        expect(await tried(round, `${name} = ${another}`), `${name}, ${state}`).toMatch(
          /never changes/,
        )
      }
    }
  })

  it('nor does its book, the time of its seal, of its settlement or of its void, or the reason of that', async () => {
    const closed = ['sealed', 'drawn', 'settled'] as const
    for (const [column, another, states] of [
      ['book_root', 'sha256(book_root)', closed],
      ['book_size', 'book_size + 1', closed],
      ['sealed_at', `sealed_at - interval '1 ms'`, closed],
      ['settled_at', `settled_at + interval '1 ms'`, ['settled', 'refunded']],
      ['voided_at', `voided_at + interval '1 ms'`, ['voided', 'refunded']],
    ] as const) {
      for (const state of states) {
        const round = rounds[state]
        for (const value of [another, 'null']) {
          const change = `${column} = ${value}`
          expect(await tried(round, change), `${change}, ${state}`).toMatch(/never changes/)
        }
      }
    }
    for (const state of ['voided', 'refunded'] as const) {
      for (const reason of [`'beacon_late'`, `'two_persons'`, 'null']) {
        const change = `void_reason = ${reason}`
        expect(await tried(rounds[state], change)).toMatch(/never changes|is not proved/)
      }
    }
  })
})

describe('a void by the owner of the database', () => {
  it('needs a reason', async () => {
    for (const round of [rounds.open, rounds.sealed]) {
      for (const change of [
        `state = 'voided'`,
        `state = 'voided', voided_at = app.now()`,
        `state = 'voided', void_reason = 'sealed_late'`,
      ]) {
        expect(await tried(round, change), change).not.toBe('accepted')
      }
    }
  })

  const voided = (reason: string, at: string) =>
    `state = 'voided', void_reason = '${reason}', voided_at = ${at}`
  const REASONS = ['missed', 'sealed_late', 'beacon_late', 'two_persons'] as const

  it('is accepted if its reason is proved now and at the time that it names', async () => {
    const [late, waiting] = [await openTestRound(database), await openTestRound(database)]
    await sealTestRound(database, waiting)
    const earlier = (instant: string) => `${instant} - interval '1 ms'`
    const deadline = waiting.drawsAt + WAITS_MS
    for (const [round, clock, reason, at, accepted] of [
      [late, late.drawsAt - 1, 'sealed_late', 'app.now()', false],
      [late, late.drawsAt - 1, 'sealed_late', 'draws_at', false],
      [late, late.drawsAt, 'sealed_late', earlier('draws_at'), false],
      [late, late.drawsAt, 'sealed_late', 'draws_at', true],
      [waiting, deadline - 1, 'beacon_late', 'app.now()', false],
      [waiting, deadline - 1, 'beacon_late', 'voids_at', false],
      [waiting, deadline, 'sealed_late', 'app.now()', false],
      [waiting, deadline, 'beacon_late', 'draws_at', false],
      [waiting, deadline, 'beacon_late', earlier('voids_at'), false],
      [waiting, deadline, 'beacon_late', 'voids_at', true],
    ] as const) {
      await database.freezeClock(clock)
      const answer = await tried(round, voided(reason, at))
      expect(answer, `${reason} ${at}`).toMatch(accepted ? /^accepted$/ : /is not proved/)
    }
  })

  it('is refused for every reason before the end, whatever time it names, and for ever if the value is stored', async () => {
    const round = await openTestRound(database)
    await sealTestRound(database, round)
    const times = ['app.now()', `draws_at + interval '1 hour'`, `draws_at - interval '1 s'`]
    const expectRefusals = async () => {
      for (const change of REASONS.flatMap((reason) => times.map((at) => voided(reason, at)))) {
        expect(await tried(round, change), change).toMatch(/is not proved/)
      }
    }
    await expectRefusals()
    const deadline = round.drawsAt + WAITS_MS
    await database.freezeClock(deadline - 1)
    expect(await storeValue(database.db, round, someDraw())).toBe(true)
    for (const at of [deadline - 1, deadline, deadline + 86_400_000]) {
      await database.freezeClock(at)
      await expectRefusals()
    }
  })

  it('is accepted as two_persons only while the decision of two is there and the round has not ended', async () => {
    const session = await staffToken(database)
    await staffToken(database)
    const [first, second] = [await openTestRound(database), await openTestRound(database)]
    const byTwo = voided('two_persons', 'app.now()')
    /** Two persons' decision, dated before the round's end. */
    const decided = ({ issue }: TestRound) =>
      database.owner.query(
        `insert into staff.proposal (kind, subject, content, reason, state, proposed_by, proposed_at, confirmed_by,
           confirmed_at)
         select 'void', 'round:1:' || issue, '{}', 'why', 'confirmed', min(member.id), draws_at - interval '2 s',
           max(member.id), draws_at - interval '1 s'
         from rounds.round, staff.member where issue = $1 group by issue, draws_at`,
        [issue],
      )
    expect(await proposeRoundVoid(database.db, { ...first, session })).toBe('proposed')
    await database.freezeClock(first.drawsAt - 1_000)
    expect(await tried(first, byTwo)).toMatch(/is not proved/)
    await decided(first)
    expect(await tried(first, byTwo)).toBe('accepted')
    expect(await tried(second, byTwo)).toMatch(/is not proved/)
    await decided(second)
    expect(await tried(second, byTwo)).toBe('accepted')
    await database.freezeClock(second.drawsAt)
    const before = voided('two_persons', `draws_at - interval '1 s'`)
    expect(await tried(second, before)).toMatch(/is not proved/)
  })

  it('is not prepared by a reason that is written while the round goes on', async () => {
    const { db } = database
    const round = await openTestRound(database)
    const reason = `void_reason = 'beacon_late', voided_at = app.now()`
    expect(await tried(round, reason)).toMatch(/is not proved/)
    await sealTestRound(database, round)
    expect(await tried(round, reason)).toMatch(/is not proved/)
    // Once it is proved, it may be written; the void itself is proved anew.
    await database.freezeClock(round.drawsAt + WAITS_MS)
    await database.owner.query(`update rounds.round set ${reason} where issue = $1`, [round.issue])
    await database.freezeClock(round.drawsAt + WAITS_MS - 1)
    expect(await tried(round, `state = 'voided'`)).toMatch(/is not proved/)
    expect(await storeValue(db, round, someDraw())).toBe(true)
    await database.freezeClock(round.drawsAt + WAITS_MS)
    expect(await tried(round, `state = 'voided'`)).toMatch(/is not proved/)
  })
})

it('a draw that the owner of the database inserts is refused unless that very round is sealed', async () => {
  const [open, voided, sealed] = [
    await openTestRound(database),
    await openTestRound(database),
    await openTestRound(database),
  ]
  await sealTestRound(database, voided)
  await sealTestRound(database, sealed)
  await database.freezeClock(voided.drawsAt + WAITS_MS)
  expect(await voidRound(database.db, voided, 'beacon_late')).toBe(true)
  for (const [round, answer] of [
    [open, /is not sealed/],
    [voided, /is not sealed/],
    [sealed, /^accepted$/],
  ] as const) {
    const inserted = `insert into rounds.draw
        (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
      values (1, ${round.issue}, sha256('seed'), 'signature', sha256('beacon'), 1, 2, 3)`
    expect(await answerTo(inserted)).toMatch(answer)
  }
})

it('nothing of a committed chain changes but its count of used seeds, by one', async () => {
  const { owner } = database
  await openTestRound(database)
  const columns = await owner.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'fairness' and table_name = 'chain' and column_name not in ('id', 'used')`,
  )
  expect(columns).toHaveLength(6)
  const changes = columns.map(({ name, type }) => {
    if (type === 'bytea') return `${name} = sha256(${name})`
    if (type === 'text') return `${name} = ${name} || 'x'`
    return `${name} = ${name} + ${type.startsWith('timestamp') ? `interval '1 ms'` : '1'}`
  })
  const answers: Record<string, string> = {}
  changes.push('id = default', 'used = used + 2', 'used = used - 1')
  for (const change of ['used = used', 'used = used + 1', ...changes]) {
    answers[change] = await answerTo(`update fairness.chain set ${change}`)
  }
  const refused = 'a committed chain never changes, and its seeds are used one by one'
  expect(answers).toEqual({
    'used = used': 'accepted',
    'used = used + 1': 'accepted',
    ...Object.fromEntries(changes.map((change) => [change, refused])),
  })
})
