/** What the database checks, waits for and writes when staff reset a player's security code. */
import { beforeEach, describe, expect, it } from 'vitest'
import { only, type Transaction } from '#src/db/database.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addPayMethod } from '#testing/people/cash-desk.ts'
import { confirm, end, propose } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const LATER = NOW + 60_000
const LONG_AGO = new Date(Date.UTC(2026, 9, 1))

/** A person who set a code long ago, and two members of staff. */
async function stage() {
  const database = await createTestDatabase()
  await database.freezeClock(NOW)
  const [ann, bob] = [
    await staffToken(database, { role: 'finance' }),
    await staffToken(database, { role: 'finance' }),
  ]
  const { db, owner } = database
  const playerId = await addPlayer(database)
  const setCode = (id: number) =>
    owner.query(
      `insert into accounts.security_code (player_id, code_hash, changed_at) values ($1, 'x', $2)`,
      [id, LONG_AGO],
    )
  await setCode(playerId)
  const within = <Result>(work: (tx: Transaction) => Promise<Result>, tx?: Transaction) =>
    tx ? work(tx) : db.transaction(work)
  return {
    ...{ database, db, owner, playerId, ann, bob, setCode },
    propose: (id = playerId, session = ann) =>
      within((tx) => propose(tx, { kind: 'code_reset', subject: `player:${id}`, session })),
    confirm: (
      { id = 1, session = bob }: { id?: number; session?: string } = {},
      tx?: Transaction,
    ) => within((inner) => confirm(inner, id, session), tx),
    end: ({ id = 1, session = ann }: { id?: number; session?: string } = {}, tx?: Transaction) =>
      within((inner) => end(inner, id, session), tx),
    resets: () =>
      owner.query(
        `select player_id, reason, state, proposed_by, proposed_at, coalesce(confirmed_by, ended_by) as decided_by,
           coalesce(confirmed_at, ended_at) as decided_at, end_reason
         from staff.proposal order by id`,
      ),
    close: (tx: { query: typeof owner.query } = owner) =>
      tx.query(`update accounts.player set state = 'closed', closed_at = app.now() where id = $1`, [
        playerId,
      ]),
    player: async () => ({
      ...only(
        await owner.query<{ hold: number | null }>(
          'select sensitive_changed_at as hold from accounts.player where id = $1',
          [playerId],
        ),
      ),
      codes: (
        await owner.query('select from accounts.security_code where player_id = $1', [playerId])
      ).length,
    }),
  }
}

const PROPOSED = { reason: 'a test', proposed_by: 1, proposed_at: NOW }
const OPEN = { state: 'proposed', decided_by: null, decided_at: null, end_reason: null }

let here: Awaited<ReturnType<typeof stage>>
beforeEach(async () => {
  here = await stage()
})

describe('the reset of a code', () => {
  it('is proposed once at a time, of a person who has a code', async () => {
    const [codeless, robot] = [
      await addPlayer(here.database),
      await addPlayer(here.database, { u: 0, robot: true }),
    ]
    await here.setCode(robot)
    expect(await here.propose(codeless)).toBe('code_not_set')
    for (const id of [robot, 999_999]) expect(await here.propose(id)).toBe('not_found')
    expect(await here.resets()).toEqual([])
    expect(await here.propose()).toBe('proposed')
    expect(await here.propose(here.playerId, here.bob)).toBe('already_proposed')
    expect(await here.resets()).toEqual([{ player_id: here.playerId, ...PROPOSED, ...OPEN }])
    await here.end()
    expect(await here.propose()).toBe('proposed')
  })

  it('is confirmed once: the code is gone, its player signed out, and the hold begins', async () => {
    const { owner, playerId } = here
    await owner.query(
      `insert into accounts.session (token_hash, player_id, net_at_start) values ('live', $1, 0)`,
      [playerId],
    )
    await here.propose()
    await here.database.freezeClock(LATER)
    expect(await here.confirm()).toBe('confirmed')
    const decided = { state: 'confirmed', decided_by: 2, decided_at: LATER, end_reason: null }
    const first = [{ player_id: playerId, ...PROPOSED, ...decided }]
    expect(await here.resets()).toEqual(first)
    expect(await here.player()).toEqual({ hold: LATER, codes: 0 })
    expect(await owner.query('select ended_at, ended_by from accounts.session')).toEqual([
      { ended_at: LATER, ended_by: 'staff' },
    ])
    expect(await here.confirm()).toBe('decided')
    expect(await here.end()).toBe('decided')
    expect(await here.resets()).toEqual(first)
  })

  it('is ended once, and nothing else changes', async () => {
    await here.propose()
    const before = await here.player()
    await here.database.freezeClock(LATER)
    expect(await here.end()).toBe('withdrawn')
    const decided = {
      state: 'withdrawn',
      decided_by: 1,
      decided_at: LATER,
      end_reason: 'a mistake',
    }
    const first = [{ player_id: here.playerId, ...PROPOSED, ...decided }]
    expect(await here.resets()).toEqual(first)
    expect(await here.end()).toBe('decided')
    expect(await here.confirm()).toBe('decided')
    expect(await here.resets()).toEqual(first)
    expect(await here.player()).toEqual(before)
  })

  it('is neither confirmed nor ended under an unknown number', async () => {
    expect(await here.confirm({ id: 999 })).toBe('not_found')
    expect(await here.end({ id: 999 })).toBe('not_found')
  })

  it('is not confirmed by who proposed it', async () => {
    await here.propose()
    const before = await here.player()
    expect(await here.confirm({ session: here.ann })).toBe('same_person')
    expect(await here.player()).toEqual(before)
  })

  it('of a closed account is neither proposed nor confirmed', async () => {
    await here.propose()
    await here.close()
    expect(await here.confirm()).toBe('account_closed')
    await here.end()
    expect(await here.propose()).toBe('account_closed')
    expect(await here.player()).toMatchObject({ codes: 1 })
  })

  it('is not confirmed once the code was changed after the proposal', async () => {
    await here.propose()
    await here.database.freezeClock(LATER)
    await here.owner.query('update accounts.security_code set changed_at = app.now()')
    expect(await here.confirm()).toBe('code_known')
    expect(await here.player()).toMatchObject({ codes: 1 })
  })
})

describe('what is not committed yet is waited for and seen:', () => {
  it('the closing of an account, by a proposal', async () => {
    expect(await answerAfter(here, { first: here.close, second: () => here.propose() })).toBe(
      'account_closed',
    )
  })

  it('the end of a proposal, by who confirms it', async () => {
    await here.propose()
    const decided = { first: (tx: Transaction) => here.end({}, tx), second: () => here.confirm() }
    expect(await answerAfter(here, decided)).toBe('decided')
  })

  it('the confirmation of a proposal, by who ends it', async () => {
    await here.propose()
    const decided = { first: (tx: Transaction) => here.confirm({}, tx), second: () => here.end() }
    expect(await answerAfter(here, decided)).toBe('decided')
  })

  it('a change of the code, by a confirmation', async () => {
    await here.propose()
    await here.database.freezeClock(LATER)
    // A change holds the player before the code.
    const change = async (tx: Transaction) => {
      await tx.query('select from accounts.player where id = $1 for no key update', [here.playerId])
      await tx.query('update accounts.security_code set changed_at = app.now()')
    }
    expect(await answerAfter(here, { first: change, second: () => here.confirm() })).toBe(
      'code_known',
    )
  })

  it('a withdrawal, by a confirmation', async () => {
    await here.propose()
    await here.database.freezeClock(LATER)
    const id = await addPayMethod(here.database, here.playerId)
    const ask = async (tx: Transaction) => {
      const rows = await tx.query(
        `select reason from withdrawals.request($1, $2, 100000000, '2026-11-20', null, null)`,
        [here.playerId, id],
      )
      expect(rows).toEqual([{ reason: null }])
    }
    expect(await answerAfter(here, { first: ask, second: () => here.confirm() })).toBe('code_known')
  })
})

const PROPOSED_AT = '2026-11-20 12:00:00.001Z'

it.each([
  ['before the proposal', '2026-11-20 12:00Z', false],
  ['at the very moment of the proposal', PROPOSED_AT, false],
  ['after the proposal', '2026-11-20 12:00:00.002Z', true],
])('a code that was changed, or used for a withdrawal, %s', async (_when, at, known) => {
  const { owner } = here
  await owner.query('update accounts.security_code set changed_at = $1', [at])
  const withdrew = await addPlayer(here.database)
  await owner.query(
    `insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, requested_at)
     values ($1, 1, $2, 5000000, '2026-11-20', 0, $3)`,
    [withdrew, await addPayMethod(here.database, withdrew), at],
  )
  for (const playerId of [here.playerId, withdrew]) {
    const knows = 'select console_players.knows_code($1, $2) as known'
    expect(await owner.query(knows, [playerId, PROPOSED_AT])).toEqual([{ known }])
  }
})
