/** What the database does when a person is frozen, or a freeze ends: each is called by itself. */
import { expect, it } from 'vitest'
import { callFunction, type Transaction } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { addSessions } from '#testing/database/stored-rows.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
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

const stateOf = ({ owner, playerId }: Stage) =>
  owner.value<string>('select state from accounts.player where id = $1', [playerId])

const freezings = ({ owner }: Stage) =>
  owner.query('select reason, frozen_at, lift_reason, lifted_at from accounts.freezing order by id')

it('a person is frozen once, and unfrozen once; a second freeze has a record of its own', async () => {
  const here = await stage()
  expect(await here.unfreeze()).toBe('not_frozen')
  expect(await here.freeze()).toBe('frozen')
  expect(await here.freeze()).toBe('already_frozen')
  expect(await stateOf(here)).toBe('frozen')
  await here.freezeClock(LATER)
  expect(await here.unfreeze()).toBe('active')
  expect(await here.unfreeze()).toBe('not_frozen')
  expect(await stateOf(here)).toBe('active')
  const first = {
    reason: 'asked about',
    frozen_at: NOW,
    lift_reason: 'explained',
    lifted_at: LATER,
  }
  expect(await freezings(here)).toEqual([first])
  await here.freezeClock(LATER + 1)
  await here.freeze()
  await here.unfreeze()
  const second = { ...first, frozen_at: LATER + 1, lifted_at: LATER + 1 }
  expect(await freezings(here)).toEqual([first, second])
})

it('neither a robot nor an unknown number is frozen or unfrozen', async () => {
  const here = await stage()
  const robot = await addPlayer(here.database, { u: 0, robot: true })
  await changePlayer(here, robot, `state = 'frozen'`)
  for (const id of [robot, 999_999]) {
    expect(await here.freeze(id)).toBe('not_found')
    expect(await here.unfreeze(id)).toBe('not_found')
  }
  expect(await freezings(here)).toEqual([])
})

it('a closed account stays closed', async () => {
  const here = await stage()
  await changePlayer(here, here.playerId, `state = 'closed', closed_at = app.now()`)
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
    const late = await answerAfter(here, {
      first: async (tx) => expect(await here.unfreeze(here.playerId, tx)).toBe('active'),
      second: () => here[second](),
    })
    expect(late).toBe(answer)
  },
)

it('a freeze waits for the balance before it holds the person, as bets and withdrawals do', async () => {
  const here = await stage()
  const held = (tx: Transaction, row: string) =>
    tx.query(`select from ${row} = $1 for no key update nowait`, [here.playerId])
  const late = await answerAfter(here, {
    first: (tx) => held(tx, 'ledger.balance where holder_id'),
    second: () => here.freeze(),
    whileWaiting: async (tx) => expect(await held(tx, 'accounts.player where id')).toHaveLength(1),
  })
  expect(late).toBe('frozen')
})

it('a frozen account completes no bet and no withdrawal request that was in progress', async () => {
  const here = await stage()
  const robust = await addPlayer(here)
  const round = await openTestRound(here)
  await here.freeze()
  const orders = [orderFor(here.playerId, round), orderFor(robust, round)]
  expect(await placeAll(here, orders)).toEqual(['account_locked', null])
  expect(
    await here.db.query(
      `select reason from withdrawals.request($1, 1, 100000000, current_date, null, null)`,
      [here.playerId],
    ),
  ).toEqual([{ reason: 'account_locked' }])
  expect(await cashOf(here, here.playerId)).toBe(1_000_000_000n)
  await expectAlwaysTrue(here.owner)
})

it('a freeze waits for a running bet, and refuses the next', async () => {
  const here = await stage()
  const round = await openTestRound(here)
  const order = { ...orderFor(here.playerId, round), ord: 0 }
  let waited = false
  const frozen = await answerAfter(here, {
    first: (tx) => tx.query('select reason from bets.place($1::jsonb)', [JSON.stringify([order])]),
    second: async () => [await here.freeze(), waited],
    whileWaiting: async () => {
      waited = true
    },
  })
  expect(frozen).toEqual(['frozen', true])
  expect(await placeAll(here, [orderFor(here.playerId, round)])).toEqual(['account_locked'])
  expect(await here.owner.query('select status from bets.bet')).toEqual([{ status: 'accepted' }])
  await expectAlwaysTrue(here.owner)
})
