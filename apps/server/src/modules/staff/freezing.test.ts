/** What the database does when a person is frozen, or a freeze ends: each is called by itself. */
import { expect, it } from 'vitest'
import { callFunction, type Transaction } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { addSessions } from '#testing/database/stored-rows.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addSeatedPlayers } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'

const BEFORE = Date.UTC(2026, 10, 20, 11)
const NOW = Date.UTC(2026, 10, 20, 12)
const LATER = NOW + 60_000

/** A person, and an owner who freezes and unfreezes him. */
async function stage() {
  const database = await createTestDatabase()
  await database.freezeClock(NOW)
  const [playerId, session] = [await addPlayer(database), await staffToken(database)]
  const change = (name: string, reason: string) =>
    function changed(id = playerId, within?: Transaction): Promise<string> {
      const work = (tx: Transaction) => callFunction<string>(tx, name, id, reason, session)
      return within ? work(within) : database.db.transaction(work)
    }
  const freeze = change('staff.freeze_player', 'asked about')
  const unfreeze = change('staff.unfreeze_player', 'explained')
  return { ...database, database, playerId, freeze, unfreeze }
}

type Stage = Awaited<ReturnType<typeof stage>>

async function stateOf({ owner, playerId }: Stage) {
  const rows = await owner.query<{ state: string }>(
    'select state from accounts.player where id = $1',
    [playerId],
  )
  return rows[0]?.state
}

const freezings = ({ owner }: Stage) =>
  owner.query('select reason, frozen_at, lift_reason, lifted_at from accounts.freezing order by id')

it('a person is frozen once, and unfrozen once', async () => {
  const here = await stage()
  expect(await here.unfreeze()).toBe('not_frozen')
  expect(await here.freeze()).toBe('frozen')
  expect(await here.freeze()).toBe('already_frozen')
  expect(await stateOf(here)).toBe('frozen')
  await here.freezeClock(LATER)
  expect(await here.unfreeze()).toBe('active')
  expect(await here.unfreeze()).toBe('not_frozen')
  expect(await stateOf(here)).toBe('active')
  expect(await freezings(here)).toEqual([
    { reason: 'asked about', frozen_at: NOW, lift_reason: 'explained', lifted_at: LATER },
  ])
})

it('the end of a second freeze changes nothing in the record of the first', async () => {
  const here = await stage()
  await here.freeze()
  await here.unfreeze()
  const [first] = await freezings(here)
  await here.freezeClock(LATER)
  await here.freeze()
  await here.unfreeze()
  expect(await freezings(here)).toEqual([
    first,
    { reason: 'asked about', frozen_at: LATER, lift_reason: 'explained', lifted_at: LATER },
  ])
})

it('neither a robot nor an unknown number is frozen or unfrozen', async () => {
  const here = await stage()
  const robot = await addPlayer(here.database, { u: 0, robot: true })
  await here.owner.query(`update accounts.player set state = 'frozen' where id = $1`, [robot])
  for (const id of [robot, 999_999]) {
    expect(await here.freeze(id)).toBe('not_found')
    expect(await here.unfreeze(id)).toBe('not_found')
  }
  expect(await freezings(here)).toEqual([])
})

it('a closed account stays closed', async () => {
  const here = await stage()
  await here.owner.query(
    `update accounts.player set state = 'closed', closed_at = app.now() where id = $1`,
    [here.playerId],
  )
  expect(await here.freeze()).toBe('account_closed')
  expect(await here.unfreeze()).toBe('not_frozen')
  expect(await stateOf(here)).toBe('closed')
})

it('a freeze ends the live sessions and devices of its player, and no others', async () => {
  const here = await stage()
  const { owner, playerId } = here
  await addSessions(here.database, playerId, BEFORE)
  await here.freeze()
  expect(
    await owner.query('select ended_at, ended_by from accounts.session order by token_hash'),
  ).toEqual([
    { ended_at: NOW, ended_by: 'frozen' },
    { ended_at: BEFORE, ended_by: 'logout' },
    { ended_at: null, ended_by: null },
  ])
  expect(
    await owner.query('select ended_at from accounts.remembered_device order by secret_hash'),
  ).toEqual([{ ended_at: NOW }, { ended_at: NOW }, { ended_at: BEFORE }, { ended_at: null }])
  expect(
    await owner.query(`select player_id <> $1 as other from accounts.known_device`, [playerId]),
  ).toEqual([{ other: true }])
})

it.each([
  ['a freeze', 'freeze', 'frozen'],
  ['another end of a freeze', 'unfreeze', 'not_frozen'],
] as const)(
  '%s waits for the end of a freeze that is not committed yet, and sees it',
  async (_what, second, answer) => {
    const here = await stage()
    await here.freeze()
    const { late } = await here.db.transaction(async (tx) => {
      expect(await here.unfreeze(here.playerId, tx)).toBe('active')
      const late = here[second]()
      await somebodyWaits(here)
      return { late }
    })
    expect(await late).toBe(answer)
  },
)

it('a freeze waits for the balance before it holds the person, as bets and withdrawals do', async () => {
  const here = await stage()
  const { owner, playerId } = here
  const { late } = await owner.transaction(async (tx) => {
    await tx.query('select from ledger.balance where holder_id = $1 for no key update', [playerId])
    const late = here.freeze()
    await somebodyWaits(here)
    const free = 'select from accounts.player where id = $1 for no key update nowait'
    expect(await tx.query(free, [playerId])).toHaveLength(1)
    return { late }
  })
  expect(await late).toBe('frozen')
})

it('a frozen account completes no bet and no withdrawal request that was in progress', async () => {
  const database = await createTestDatabase()
  const { owner, db } = database
  const [robust, frozen] = await addSeatedPlayers(database, 2)
  if (!robust || !frozen) throw new Error('no players')
  const round = await openTestRound(database)
  await owner.query(`update accounts.player set state = 'frozen' where id = $1`, [frozen.id])
  expect(
    await placeAll(database, [orderFor(frozen.id, round), orderFor(robust.id, round)]),
  ).toEqual(['account_locked', null])
  expect(
    await db.query(
      `select reason from withdrawals.request($1, 1, 100000000, current_date, null, null)`,
      [frozen.id],
    ),
  ).toEqual([{ reason: 'account_locked' }])
  expect(await cashOf(database, frozen.id)).toBe(10_000_000_000n)
  await expectAlwaysTrue(owner)
})

it('a freeze waits for a running bet, and refuses the next', async () => {
  const database = await createTestDatabase()
  const { owner, db } = database
  const id = await addPlayer(database)
  const round = await openTestRound(database)
  const session = await staffToken(database)
  let frozen = false
  let freezing: Promise<unknown> | undefined
  await owner.transaction(async (tx) => {
    await tx.query('select reason from bets.place($1::jsonb)', [
      JSON.stringify([{ ...orderFor(id, round), ord: 0 }]),
    ])
    freezing = db.query(`select staff.freeze_player($1, 'x', $2)`, [id, session]).then(() => {
      frozen = true
    })
    await somebodyWaits(database)
    expect(frozen).toBe(false)
  })
  await freezing
  expect(await placeAll(database, [orderFor(id, round)])).toEqual(['account_locked'])
  expect(await owner.query('select status from bets.bet')).toEqual([{ status: 'accepted' }])
  await expectAlwaysTrue(owner)
})
