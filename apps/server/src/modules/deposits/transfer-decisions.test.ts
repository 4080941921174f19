/** What may be made of a transfer, by what became of it before: each function, in each state. */
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/always-true.ts'
import { addPlayer, cashOf } from '#testing/fixtures.ts'
import { somebodyWaits } from '#testing/lock-wait.ts'
import { staffToken } from '#testing/staff-token.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import {
  confirmProposal,
  dismiss,
  proposeAssignment,
  refuseProposal,
  reopen,
} from './assignment-store.ts'

const TX = 'ab'.repeat(32)
const KEY = { txId: TX, logIndex: 0 }
const AMOUNT = 7_000_000n
type State = 'credited by the chain' | 'waiting' | 'proposed' | 'assigned' | 'dismissed' | 'nowhere'

/** A transfer in a state, with two cashiers and the functions as they call them. */
async function transferThatIs(state: State) {
  const database = await createTestDatabase()
  const { db, owner } = database
  const player = await addPlayer(database, { u: 0 })
  const [ann, bob] = [await staffToken(database), await staffToken(database)]
  await owner.query(`insert into deposits.address (player_id, address) select $1, 'T1' where $2`, [
    player,
    state === 'credited by the chain',
  ])
  await owner.query(`insert into deposits.watcher_place (chain, block) values ('c', 0)`)
  if (state !== 'nowhere') {
    await db.query(`select deposits.take_block('c', 1, app.now(), $1, current_date)`, [
      JSON.stringify([
        { tx_id: TX, log_index: 0, from_address: 'T0', to_address: 'T1', amount: String(AMOUNT) },
      ]),
    ])
  }
  const reason = 'a test'
  const does = {
    propose: (session = ann) =>
      db.transaction((tx) =>
        proposeAssignment(tx, { ...KEY, playerId: player, note: 'x', session }),
      ),
    confirm: (session = bob, id = 1) =>
      db.transaction((tx) => confirmProposal(tx, { id, session, onDay: '2026-11-20' })),
    refuse: (session = bob, id = 1) =>
      db.transaction((tx) => refuseProposal(tx, { id, session, reason })),
    dismiss: (session = bob) => db.transaction((tx) => dismiss(tx, { ...KEY, session, reason })),
    reopen: (session = bob) => db.transaction((tx) => reopen(tx, { ...KEY, session, reason })),
  }
  if (state === 'proposed' || state === 'assigned') await does.propose()
  if (state === 'assigned') await does.confirm()
  if (state === 'dismissed') await does.dismiss()
  return { database, owner, player, ann, bob, does }
}

const SAID: Record<
  State,
  Record<'propose' | 'confirm' | 'refuse' | 'dismiss' | 'reopen', unknown>
> = {
  'credited by the chain': {
    propose: 'decided',
    confirm: 'not_found',
    refuse: 'not_found',
    dismiss: 'decided',
    reopen: 'not_dismissed',
  },
  waiting: {
    propose: 1,
    confirm: 'not_found',
    refuse: 'not_found',
    dismiss: 'dismissed',
    reopen: 'not_dismissed',
  },
  proposed: {
    propose: 'already_proposed',
    confirm: 'confirmed',
    refuse: 'refused',
    dismiss: 'dismissed',
    reopen: 'not_dismissed',
  },
  assigned: {
    propose: 'decided',
    confirm: 'decided',
    refuse: 'decided',
    dismiss: 'decided',
    reopen: 'not_dismissed',
  },
  dismissed: {
    propose: 'decided',
    confirm: 'decided',
    refuse: 'decided',
    dismiss: 'decided',
    reopen: 'waiting',
  },
  nowhere: {
    propose: 'not_found',
    confirm: 'not_found',
    refuse: 'not_found',
    dismiss: 'not_found',
    reopen: 'not_found',
  },
}

describe('a transfer', () => {
  it.each(
    (Object.keys(SAID) as State[]).flatMap((state) =>
      (Object.keys(SAID[state]) as (keyof (typeof SAID)[State])[]).map((act) => ({ state, act })),
    ),
  )('that is $state, and somebody would $act', async ({ state, act }) => {
    const { database, owner, player, does } = await transferThatIs(state)
    const before = await cashOf(database, player)
    expect(await does[act]()).toBe(SAID[state][act])
    // Only a confirmation moves money, and it does so once.
    const credited = state === 'proposed' && act === 'confirm' ? AMOUNT : 0n
    expect((await cashOf(database, player)) - before).toBe(credited)
    await expectAlwaysTrue(owner)
  })

  it('is not confirmed by the person who proposed it', async () => {
    const { does, ann } = await transferThatIs('proposed')
    expect(await does.confirm(ann)).toBe('same_person')
  })

  it.each(['dismiss', 'propose'] as const)(
    'waits while it is credited and not yet committed, when somebody would %s it',
    async (act) => {
      const { database, owner, bob, does, player } = await transferThatIs('proposed')
      let acting: Promise<unknown> | undefined
      await database.db.transaction(async (tx) => {
        await confirmProposal(tx, { id: 1, session: bob, onDay: '2026-11-20' })
        acting = does[act]()
        await somebodyWaits(database)
      })
      expect(await acting).toBe('decided')
      expect(await cashOf(database, player)).toBe(AMOUNT)
      await expectAlwaysTrue(owner)
    },
  )
})
