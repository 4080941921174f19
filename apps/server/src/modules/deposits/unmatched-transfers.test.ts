/**
 * Goal: an unmatched USDT transfer ends with one outcome, and assigned money exists once, in the ledger and on the
 * chain. Method: the real chain, watcher and API, and two people.
 */

import { randomBytes } from 'node:crypto'
import { noticeList } from '@sum28/contract/index-routes.ts'
import { recharge } from '@sum28/contract/money-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { chainAgainstBooks } from '@sum28/contract/staff-books-routes.ts'
import { playerActions } from '@sum28/contract/staff-players-routes.ts'
import { confirmProposal, proposeAdjustment } from '@sum28/contract/staff-proposal-routes.ts'
import { explainDifference, listChainDifferences } from '@sum28/contract/staff-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import {
  assignTransfer,
  dismissTransfer,
  listUnmatchedTransfers,
  reopenTransfer,
} from '@sum28/contract/staff-transfer-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import { tronNode } from '#src/adapters/chain/tron-node.ts'
import { rescanChain } from '#src/jobs/chain-rescan.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { addStaff, type StaffSession, staffSession } from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import {
  answerTo,
  expectSuccess,
  keepFromRunning,
  registerMember,
  sendUsdt,
  shareTestApp,
  type TestMember,
  untilWatched,
} from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'

const MICRO = 1_000_000n
const NOTE = 'a receipt of the exchange'

type Key = { tx_id: string; log_index: number }

const test = shareTestApp()

// Its daily comparison would count the transfers that the tests write, which are on no chain.
beforeAll(() => keepFromRunning(test.database, 'compare-with-chain'))

/** A member and two cashiers. */
async function setUp() {
  const { owner } = test.database
  return {
    owner,
    ann: await registerMember(test),
    boss: await staffSession(test),
    finance: await staffSession(test, 'finance'),
    /** How many new differences of chain and ledger there are. */
    async differences(): Promise<number> {
      const { found } = await rescanChain(
        {
          db: test.database.db,
          node: tronNode({ url: `${test.app.url}/tron` }),
          watchersNode: tronNode({ url: `${test.app.url}/tron` }),
          contract: USDT_MAINNET_CONTRACT,
          chain: 'local',
          pollMs: 50,
          log: captureLog().log,
          timeZone: 'UTC',
          now: Date.now,
        },
        new AbortController().signal,
      )
      return found
    },
  }
}

/** Sends to a spare address, which no member has, by the chain; the watcher has recorded it. */
async function sent(micro: bigint): Promise<Key> {
  const spare = await eventually(async () => {
    const addresses = await test.database.owner.column<string>(
      'select address from deposits.spare_address order by derivation_index desc',
    )
    return addresses.length >= 20 ? addresses[0] : undefined
  })
  const { txId, blockNumber } = await sendUsdt(test, spare, micro)
  await untilWatched(test, blockNumber)
  return { tx_id: txId, log_index: 0 }
}

/** A transfer to an address of no member, as the watcher records it. */
async function stray(micro = MICRO): Promise<Key> {
  const tx_id = randomBytes(32).toString('hex')
  await test.database.owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
     select $1, 0, 1, app.now(), 'T', max(address), $2 from deposits.spare_address`,
    [tx_id, micro],
  )
  return { tx_id, log_index: 0 }
}

async function proposed(by: StaffSession, of: Key & { user_id: number }): Promise<{ id: number }> {
  const { code, data } = await test.call(assignTransfer, { ...of, note: NOTE }, by)
  expect(code).toBe(1)
  return data
}

const moneyOf = async (who: TestMember) => (await test.call(userInfo, {}, who)).data.money

/** The rows about a transfer in the list of those that are open, or in this state. */
async function listed(
  by: StaffSession,
  { key, state }: { key: Key; state?: 'assigned' | 'dismissed' },
) {
  const { data } = await test.call(listUnmatchedTransfers, state ? { state } : {}, by)
  return data.list.filter(({ tx_id }) => tx_id === key.tx_id)
}

describe('an unmatched transfer', () => {
  it('is credited to the player whom one proposes and another confirms, and is a deposit like any other', async () => {
    const { owner, ann, boss, finance, differences } = await setUp()
    const key = await sent(12_345_678n)
    expect(await listed(finance, { key })).toMatchObject([
      { ...key, quantity: '12.345678', state: 'waiting', proposal: null },
    ])
    expect(await differences()).toBe(1)

    const proposal = await proposed(finance, { ...key, user_id: ann.id })
    expect(await moneyOf(ann)).toBe('0.00')
    expect(await listed(boss, { key })).toMatchObject([
      {
        state: 'proposed',
        proposal: proposal.id,
        user_id: ann.id,
        username: ann.username,
        reason: NOTE,
        proposed_by: 'finance',
        decided_by: null,
      },
    ])
    const { data: confirmed } = await test.call(confirmProposal, proposal, boss)
    expect(confirmed).toEqual({ state: 'confirmed' })
    expect((await test.call(recharge, {}, ann)).data).toMatchObject({
      money: '12.345678',
      transfers: [{ tx_id: key.tx_id, quantity: '12.345678', status: 'credited' }],
    })
    const { zhannei } = (await test.call(noticeList, {}, ann)).data
    expect(zhannei).toMatchObject([{ title: 'Deposit of 12.345678 u credited' }])
    expect(await listed(boss, { key })).toEqual([])
    expect(await listed(boss, { key, state: 'assigned' })).toMatchObject([
      { ...key, state: 'assigned', decided_by: 'owner', user_id: ann.id },
    ])
    const { data: log } = await test.call(listAuditRows, { limit: 2 }, boss)
    const subject = `transfer:${key.tx_id}:0`
    expect(log.list).toMatchObject([
      { action: 'transfer_assigned', staff: 'owner', subject, details: { player_id: ann.id } },
      { action: 'transfer_proposed', staff: 'finance', subject, details: { note: NOTE } },
    ])
    expect(await differences()).toBe(0)
    const { data: found } = await test.call(listChainDifferences, {}, boss)
    expect(found.list).toMatchObject([
      { kind: 'unmatched', tx_id: key.tx_id, decision: 'assigned' },
    ])
    await expectAlwaysTrue(owner)

    // It was another's: the amount as the console shows it is all of it.
    const debit = { user_id: ann.id, kind: 'debit', money: '12.34', deposit: proposal.id } as const
    const wrong = { ...debit, reason: 'It is of another' }
    const { data: back } = await test.call(proposeAdjustment, wrong, finance)
    expectSuccess(await test.call(confirmProposal, back, boss))
    expect((await test.call(recharge, {}, ann)).data).toMatchObject({
      money: '0.00',
      transfers: [],
    })
    expect(await listed(finance, { key })).toMatchObject([{ state: 'waiting' }])
    const bob = await registerMember(test)
    const anew = await proposed(finance, { ...key, user_id: bob.id })
    expectSuccess(await test.call(confirmProposal, anew, boss))
    expect(await moneyOf(bob)).toBe('12.345678')
    await owner.query('update deposits.rescan_height set block = begun_after')
    expect(await differences()).toBe(0)
    expect((await test.call(chainAgainstBooks, {}, boss)).data).toMatchObject({
      received: '12.345678',
      matched: '12.345678',
      difference: '0.00',
    })
    await expectAlwaysTrue(owner)
  })

  it('is dismissed with a reason, and can be reopened', async () => {
    const { owner, ann, boss, finance } = await setUp()
    const key = await stray(3n * MICRO)
    await proposed(finance, { ...key, user_id: ann.id })
    const reason = 'dust of an unknown sender'
    expectSuccess(await test.call(dismissTransfer, { ...key, reason }, boss))
    expect(await test.call(dismissTransfer, { ...key, reason }, finance)).toMatchObject({
      data: { reason: 'already_decided' },
      msg: expect.stringContaining('owner was first'),
    })
    expect(await listed(boss, { key })).toEqual([])
    expect(await listed(boss, { key, state: 'dismissed' })).toMatchObject([
      { state: 'dismissed', user_id: null, reason, decided_by: 'owner' },
    ])
    const reopening = { ...key, reason: 'found' }
    expectSuccess(await test.call(reopenTransfer, reopening, finance))
    const again = test.call(reopenTransfer, reopening, finance)
    expect(await answerTo(again)).toBe('not_dismissed')
    const right = await proposed(finance, { ...key, user_id: ann.id })
    expectSuccess(await test.call(confirmProposal, right, boss))
    expect(await moneyOf(ann)).toBe('3.00')
    const { data: log } = await test.call(listAuditRows, { limit: 5 }, boss)
    expect(log.list).toMatchObject([
      { action: 'transfer_assigned' },
      { action: 'transfer_proposed' },
      { action: 'transfer_reopened' },
      { action: 'transfer_dismissed' },
      // The proposal that the dismissal ended is in the log as any other that is refused.
      {
        action: 'transfer_proposal_refused',
        staff: 'owner',
        subject: `transfer:${key.tx_id}:0`,
        details: { player_id: ann.id, amount: '3.00', reason },
      },
    ])
    // The player's page has what was done about him.
    const { data: actions } = await test.call(playerActions, { user_id: ann.id }, boss)
    expect(actions.list.slice(0, 5)).toMatchObject(log.list.map(({ action }) => ({ action })))
    await expectAlwaysTrue(owner)
  })

  it('must be assigned to a member, and exist', async () => {
    const { boss, finance } = await setUp()
    const key = await stray()
    const player = await addPlayer(test.database, { u: 0 })
    const robot = await addPlayer(test.database, { u: 0, robot: true })
    const visitor = await addPlayer(test.database, { u: 0 })
    await changePlayer(test.database, visitor, 'group_id = 2')
    for (const [change, answer] of [
      [{ user_id: robot }, { reason: 'not_found', field: 'user_id' }],
      [{ user_id: visitor }, { reason: 'member_only' }],
      [{ log_index: 7 }, { reason: 'not_found', field: 'tx_id' }],
    ] as const) {
      const request = { ...key, user_id: player, note: NOTE, ...change } as never
      const { data } = await test.call(assignTransfer, request, finance)
      expect(data as unknown, JSON.stringify(change)).toMatchObject(answer)
    }
    expect(await listed(boss, { key })).toMatchObject([{ state: 'waiting' }])
  })
})

it('a difference of chain and ledger is counted until a cashier explains it, however old it is', async () => {
  const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
  const counted = async () => {
    const { needs } = (await test.call(startNeeds, {}, owner)).data
    return needs.find(({ need }) => need === 'differences_found')?.count ?? 0
  }
  const before = await counted()
  const added = (kind: string, txId: string, details: object) =>
    test.database.owner.value<number>(
      `insert into deposits.chain_difference (kind, tx_id, log_index, details, found_at)
       values ($1, $2, 0, $3, app.now() - interval '30 days') returning id::integer`,
      [kind, txId, JSON.stringify(details)],
    )
  const differs = await added('amount_differs', 'aa', { chain_amount: '1', recorded_amount: '2' })
  const nowhere = await added('missing_in_ledger', 'bb', { chain_amount: '1' })
  const about = async (ask: { due?: 'now' }) =>
    (await test.call(listChainDifferences, ask, owner)).data.list.filter(({ id }) =>
      [differs, nowhere].includes(id),
    )
  expect(await counted()).toBe(before + 2)

  const explain = (id: number, who: typeof owner) =>
    test.call(explainDifference, { id, reason: 'A fee of the node' }, who)
  expect(await explain(differs, await addStaff(test, 'support'))).toMatchObject({ code: 403 })
  expect(await explain(differs, finance)).toMatchObject({ code: 1 })
  expect(await explain(differs, owner)).toMatchObject({
    data: { reason: 'already_decided', by: 'finance' },
  })
  // It is credited or dismissed.
  expect(await explain(nowhere, owner)).toMatchObject({ data: { reason: 'not_found' } })
  expect(await about({ due: 'now' })).toMatchObject([{ id: nowhere }])
  expect(await counted()).toBe(before + 1)
  expect(await about({})).toMatchObject([
    { id: nowhere, to_explain: false, explanation: null },
    { id: differs, to_explain: false, explanation: 'A fee of the node', explained_by: 'finance' },
  ])
  const { data: log } = await test.call(listAuditRows, { limit: 1 }, owner)
  expect(log.list).toMatchObject([
    {
      action: 'difference_explained',
      staff: 'finance',
      subject: `difference:${differs}`,
      details: { reason: 'A fee of the node' },
    },
  ])
})
