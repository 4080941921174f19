/**
 * Goal: an unmatched USDT transfer ends with one outcome, and assigned money exists once, in the ledger and on the
 * chain. Method: the real chain, watcher and API, two people, and races.
 */

import { noticeList } from '@sum28/contract/index-routes.ts'
import { quantityLogList, recharge } from '@sum28/contract/money-routes.ts'
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { auditChain, listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { confirmProposal, endProposal } from '@sum28/contract/staff-proposal-routes.ts'
import { listChainDifferences, recordBankDeposit } from '@sum28/contract/staff-routes.ts'
import {
  assignTransfer,
  dismissTransfer,
  listUnmatchedTransfers,
  reopenTransfer,
} from '@sum28/contract/staff-transfer-routes.ts'
import { register, userInfo } from '@sum28/contract/user-routes.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import { tronNode } from '#src/adapters/chain/tron-node.ts'
import { rescanChain } from '#src/jobs/chain-rescan.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { addStaff, type StaffSession, staffSession } from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import {
  createTestApp,
  eventually,
  mailTo,
  registerMember,
  TEST_PASSWORD,
  type TestApp,
  type TestMember,
} from '#testing/product/test-app.ts'

const MICRO = 1_000_000n
const NOTE = 'a receipt of the exchange'

type Key = { tx_id: string; log_index: number }

/** A product with two cashiers, and transfers to addresses that belong to no member. */
async function setUp() {
  const test = await createTestApp()
  const { owner, db } = test.database
  await eventually(async () => {
    const spare = await owner.query('select from deposits.spare_address')
    return spare.length >= 20 || undefined
  })
  const spare = await owner.query<{ address: string }>(
    'select address from deposits.spare_address order by derivation_index desc limit 2',
  )
  const chain = test.app.chain
  if (!chain) throw new Error('the demo has a chain')

  /** Makes a block solid, and waits until the watcher has handled it. */
  async function seen(last: number): Promise<void> {
    await test.addBlocks()
    await eventually(async () => {
      const [height] = await owner.query<{ block: number }>(
        'select block::integer from deposits.watcher_height',
      )
      return (height?.block ?? 0) >= last || undefined
    })
  }

  return {
    test,
    owner,
    ann: await registerMember(test, 'ann_lee'),
    boss: await staffSession(test),
    finance: await staffSession(test, 'finance'),
    seen,
    /** Sends to an address that belongs to no member, and waits until the watcher has recorded it. */
    async stray(micro: bigint): Promise<Key> {
      const sent = chain.transfer({ to: spare[0]?.address ?? '', amountMicro: micro })
      if (!sent.ok) throw new Error(sent.message)
      await seen(sent.blockNumber)
      return { tx_id: sent.txId, log_index: 0 }
    },
    /** How many new differences of chain and ledger there are. */
    async differences(): Promise<number> {
      const { found } = await rescanChain(
        {
          db,
          node: tronNode({ url: `${test.app.url}/tron` }),
          watchersNode: tronNode({ url: `${test.app.url}/tron` }),
          ...{ timeZone: 'UTC', now: Date.now },
          contract: USDT_MAINNET_CONTRACT,
          chain: 'local',
          pollMs: 50,
          log: captureLog().log,
        },
        new AbortController().signal,
      )
      return found
    },
  }
}

async function proposed(
  test: TestApp,
  by: StaffSession,
  of: Key & { user_id: number },
): Promise<{ id: number }> {
  const { code, data } = await test.call(assignTransfer, { ...of, note: NOTE }, by)
  expect(code).toBe(1)
  return data
}

const reasonOf = async (reply: Promise<{ data: unknown }>) =>
  ((await reply).data as { reason?: string } | null)?.reason ?? 'done'

const moneyOf = async (test: TestApp, who: TestMember) =>
  (await test.call(userInfo, {}, who)).data.money

async function listed(test: TestApp, by: StaffSession, state?: 'assigned' | 'dismissed') {
  const { data } = await test.call(listUnmatchedTransfers, state ? { state } : {}, by)
  return data.list
}

describe('an unmatched transfer', () => {
  it('is credited to the player whom one proposes and another confirms, and is a deposit like any other', async () => {
    const { test, owner, ann, boss, finance, stray, seen, differences } = await setUp()
    const key = await stray(12_345_678n)
    expect(await listed(test, finance)).toMatchObject([
      { ...key, quantity: '12.345678', state: 'waiting', proposal: null },
    ])
    // The product's own daily comparison may have come first.
    expect(await differences()).toBeLessThanOrEqual(1)
    expect((await test.call(listChainDifferences, {}, boss)).data.list).toHaveLength(1)

    const proposal = await proposed(test, finance, { ...key, user_id: ann.id })
    expect(await moneyOf(test, ann)).toBe('0.00')
    expect((await listed(test, boss))[0]).toMatchObject({
      ...{ state: 'proposed', proposal: proposal.id, user_id: ann.id, username: 'ann_lee' },
      ...{ reason: NOTE, proposed_by: 'finance', decided_by: null },
    })
    expect(await reasonOf(test.call(confirmProposal, proposal, finance))).toBe(
      'second_person_needed',
    )
    expect(await moneyOf(test, ann)).toBe('0.00')
    expect(await test.call(confirmProposal, proposal, boss)).toMatchObject({
      code: 1,
      data: { state: 'confirmed' },
    })

    expect(await moneyOf(test, ann)).toBe('12.345678')
    expect((await test.call(recharge, {}, ann)).data.transfers).toMatchObject([
      { tx_id: key.tx_id, quantity: '12.345678', status: 'credited' },
    ])
    const { data: rows } = await test.call(quantityLogList, {}, ann)
    expect(rows as LedgerRow[]).toMatchObject([
      { type: 0, mark: 'USDT deposit', quantity: '12.345678', status: 1 },
    ])
    const { zhannei } = (await test.call(noticeList, {}, ann)).data
    expect(zhannei).toMatchObject([{ title: 'Deposit of 12.345678 u credited' }])
    await mailTo(test, ann.email, ({ subject }) => subject.includes('12.345678'))
    expect(await listed(test, boss)).toEqual([])
    expect(await listed(test, boss, 'assigned')).toMatchObject([
      { ...key, state: 'assigned', decided_by: 'owner', user_id: ann.id },
    ])
    const { data: log } = await test.call(listAuditRows, { limit: 2 }, boss)
    const subject = `transfer:${key.tx_id}:0`
    expect(log.list).toMatchObject([
      { action: 'transfer_assigned', staff: 'owner', subject, details: { player_id: ann.id } },
      { action: 'transfer_proposed', staff: 'finance', subject, details: { note: NOTE } },
    ])

    // The watcher and the comparison read the chain again from before it.
    expect(await differences()).toBe(0)
    const { data: found } = await test.call(listChainDifferences, {}, boss)
    expect(found.list).toMatchObject([
      { kind: 'unmatched', tx_id: key.tx_id, decision: 'assigned' },
    ])
    await test.stop()
    await owner.query(
      'update deposits.watcher_height set block = (select block - 1 from deposits.transfer)',
    )
    await test.restart()
    await seen(test.app.chain?.solidHeight() ?? 0)
    expect(await differences()).toBe(0)
    expect(await cashOf(test.database, ann.id)).toBe(12_345_678n)
    await expectAlwaysTrue(owner)
  })

  it('stays with the member to whom it was assigned when its address is given to another', async () => {
    const { test, owner, ann, boss, finance, differences } = await setUp()
    // The address that the next member gets.
    const [next] = await owner.query<{ address: string }>(
      `select address from deposits.spare_address order by derivation_index limit 1`,
    )
    const sent = test.app.chain?.transfer({ to: next?.address ?? '', amountMicro: 5n * MICRO })
    if (!sent?.ok) throw new Error('not sent')
    const key = { tx_id: sent.txId, log_index: 0 }
    await test.addBlocks()
    await eventually(async () => (await listed(test, boss)).length === 1 || undefined)
    const bob = await registerMember(test, 'bob_ray')
    expect((await test.call(recharge, {}, bob)).data.usdt).toBe(next?.address)
    const proposal = await proposed(test, finance, { ...key, user_id: ann.id })
    await test.call(confirmProposal, proposal, boss)
    expect([await moneyOf(test, ann), await moneyOf(test, bob)]).toEqual(['5.00', '0.00'])
    expect((await test.call(recharge, {}, bob)).data.transfers).toEqual([])
    expect(await differences()).toBe(0)
    await expectAlwaysTrue(owner)
  })

  it('is pending again when a proposal is refused, and may then be assigned to another', async () => {
    const { test, owner, ann, boss, finance, stray } = await setUp()
    const bob = await registerMember(test, 'bob_ray')
    const key = await stray(MICRO)
    const wrong = await proposed(test, finance, { ...key, user_id: bob.id })
    expect(
      await reasonOf(test.call(assignTransfer, { ...key, user_id: ann.id, note: NOTE }, boss)),
    ).toBe('already_proposed')
    const refusal = { ...wrong, reason: 'the receipt is of another' }
    expect(await reasonOf(test.call(endProposal, refusal, finance))).toBe('done')
    expect(await reasonOf(test.call(endProposal, refusal, boss))).toBe('already_decided')
    expect(await reasonOf(test.call(confirmProposal, wrong, boss))).toBe('already_decided')
    expect((await test.call(confirmProposal, wrong, boss)).msg).toContain('finance was first')
    expect(await listed(test, boss)).toMatchObject([{ state: 'waiting', proposal: null }])

    const right = await proposed(test, boss, { ...key, user_id: ann.id })
    await test.call(confirmProposal, right, finance)
    expect([await moneyOf(test, ann), await moneyOf(test, bob)]).toEqual(['1.00', '0.00'])
    for (const again of [
      test.call(assignTransfer, { ...key, user_id: bob.id, note: NOTE }, finance),
      test.call(dismissTransfer, { ...key, reason: 'too late' }, finance),
      test.call(confirmProposal, right, boss),
      test.call(endProposal, { ...right, reason: 'too late' }, boss),
    ]) {
      expect(await reasonOf(again)).toBe('already_decided')
      expect((await again).msg).toContain('finance was first')
    }
    expect(await reasonOf(test.call(reopenTransfer, { ...key, reason: 'too late' }, finance))).toBe(
      'not_dismissed',
    )
    await expectAlwaysTrue(owner)
  })

  it('is dismissed with a reason, is no difference then, and can be reopened', async () => {
    const { test, owner, ann, boss, finance, stray, differences } = await setUp()
    const key = await stray(3n * MICRO)
    const open = await proposed(test, finance, { ...key, user_id: ann.id })
    const reason = 'dust of an unknown sender'
    expect(await reasonOf(test.call(dismissTransfer, { ...key, reason }, boss))).toBe('done')
    expect(await reasonOf(test.call(dismissTransfer, { ...key, reason }, boss))).toBe(
      'already_decided',
    )
    expect(await reasonOf(test.call(confirmProposal, open, boss))).toBe('already_decided')
    expect(
      await reasonOf(test.call(assignTransfer, { ...key, user_id: ann.id, note: NOTE }, finance)),
    ).toBe('already_decided')
    expect(await listed(test, boss)).toEqual([])
    expect(await listed(test, boss, 'dismissed')).toMatchObject([
      { state: 'dismissed', user_id: null, reason, decided_by: 'owner' },
    ])
    expect(await differences()).toBe(0)
    expect(await moneyOf(test, ann)).toBe('0.00')

    expect(await reasonOf(test.call(reopenTransfer, { ...key, reason: 'found' }, finance))).toBe(
      'done',
    )
    const right = await proposed(test, finance, { ...key, user_id: ann.id })
    await test.call(confirmProposal, right, boss)
    expect(await moneyOf(test, ann)).toBe('3.00')
    const { data: log } = await test.call(listAuditRows, { limit: 4 }, boss)
    expect(log.list.map(({ action }) => action)).toEqual([
      'transfer_assigned',
      'transfer_proposed',
      'transfer_reopened',
      'transfer_dismissed',
    ])
    await expectAlwaysTrue(owner)
  })

  it('is not recorded as a bank deposit', async () => {
    const { test, ann, finance, stray } = await setUp()
    const { tx_id: tx } = await stray(MICRO)
    for (const reference of [
      tx,
      `0x${tx.toUpperCase()}`,
      `USDT: ${tx.slice(0, 30)} ${tx.slice(30)}`,
      'f'.repeat(64),
    ]) {
      const recorded = test.call(
        recordBankDeposit,
        { user_id: ann.id, money: '1', reference },
        finance,
      )
      expect(await reasonOf(recorded), reference).toBe('reference_is_transfer')
    }
  })

  it('must name an existing member and an existing transfer, and every fault names its field', async () => {
    const { test, boss, finance, stray } = await setUp()
    const key = await stray(MICRO)
    const player = await addPlayer(test.database, { u: 0 })
    const robot = await addPlayer(test.database, { u: 0, robot: true })
    const { data: visitor } = await test.call(register, {
      ...{ username: 'just_looking', password: TEST_PASSWORD, group_id: 2, adult: true },
    })
    const assign = async (change: object) =>
      (await test.call(assignTransfer, { ...key, user_id: player, note: NOTE, ...change }, finance))
        .data as unknown
    expect(await assign({ user_id: 999_999 })).toMatchObject({
      reason: 'not_found',
      field: 'user_id',
    })
    expect(await assign({ user_id: robot })).toMatchObject({
      reason: 'not_found',
      field: 'user_id',
    })
    expect(await assign({ user_id: visitor.userinfo.id })).toMatchObject({ reason: 'member_only' })
    expect(await assign({ log_index: 7 })).toMatchObject({ reason: 'not_found', field: 'tx_id' })
    expect(await assign({ tx_id: 'f'.repeat(64) })).toMatchObject({ field: 'tx_id' })
    for (const [field, wrong] of Object.entries({
      tx_id: 'abc',
      log_index: -1,
      user_id: 'ann',
      note: ' ',
    })) {
      expect(await assign({ [field]: wrong })).toMatchObject({
        reason: 'invalid_input',
        fields: { [field]: expect.any(String) },
      })
    }
    for (const call of [
      test.call(confirmProposal, { id: 999 }, boss),
      test.call(endProposal, { id: 999, reason: 'x' }, boss),
      test.call(dismissTransfer, { ...key, log_index: 9, reason: 'x' }, boss),
      test.call(reopenTransfer, { ...key, log_index: 9, reason: 'x' }, boss),
    ]) {
      expect(await call).toMatchObject({ http: 404, data: { reason: 'not_found' } })
    }
    expect(await listed(test, boss)).toMatchObject([{ state: 'waiting' }])
  })

  it('is assigned to a frozen member too, who has it after the freeze', async () => {
    const { test, owner, ann, boss, finance, stray } = await setUp()
    const key = await stray(MICRO)
    await owner.query(`update accounts.player set state = 'frozen' where id = $1`, [ann.id])
    const proposal = await proposed(test, finance, { ...key, user_id: ann.id })
    await test.call(confirmProposal, proposal, boss)
    expect(await cashOf(test.database, ann.id)).toBe(MICRO)
    await expectAlwaysTrue(owner)
  })

  it('can only be handled by the roles whose work it is', async () => {
    const { test, ann, stray, finance } = await setUp()
    const key = await stray(MICRO)
    const [support, other] = [await addStaff(test, 'support'), await addStaff(test, 'support')]
    const auditor = await addStaff(test, 'auditor')
    const request = { ...key, user_id: ann.id, note: NOTE }
    expect(await test.call(assignTransfer, request, auditor)).toMatchObject({ code: 403 })
    const proposal = await proposed(test, support, { ...key, user_id: ann.id })
    for (const person of [other, auditor]) {
      expect(await test.call(listUnmatchedTransfers, {}, person)).toMatchObject({ code: 1 })
      for (const call of [
        test.call(confirmProposal, proposal, person),
        test.call(endProposal, { ...proposal, reason: 'x' }, person),
        test.call(dismissTransfer, { ...key, reason: 'x' }, person),
        test.call(reopenTransfer, { ...key, reason: 'x' }, person),
      ]) {
        expect(await call).toMatchObject({ code: 403 })
      }
    }
    expect(await reasonOf(test.call(confirmProposal, proposal, finance))).toBe('done')
  })

  it('has one outcome when all decide at once', async () => {
    const { test, owner, ann, boss, finance, seen, differences } = await setUp()
    const third = await addStaff(test, 'finance')
    const bob = await registerMember(test, 'bob_ray')
    const spare = await owner.query<{ address: string }>(
      'select address from deposits.spare_address order by derivation_index desc limit 1',
    )
    const amounts = new Map<string, bigint>()
    const expected = new Map([
      [ann.id, 0n],
      [bob.id, 0n],
    ])
    type Move = 'confirm' | 'refuse' | 'dismiss' | 'assign' | 'bank'
    const moves = fc.array(
      fc.constantFrom<Move>('confirm', 'confirm', 'refuse', 'dismiss', 'assign', 'bank'),
      { minLength: 2, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(moves, fc.bigInt({ min: 1n, max: 9_999_999n }), async (chosen, micro) => {
        const sent = test.app.chain?.transfer({ to: spare[0]?.address ?? '', amountMicro: micro })
        if (!sent?.ok) throw new Error('not sent')
        await seen(sent.blockNumber)
        const key = { tx_id: sent.txId, log_index: 0 }
        amounts.set(sent.txId, micro)
        const proposal = await proposed(test, finance, { ...key, user_id: ann.id })
        const act: Record<Move, (by: StaffSession) => Promise<{ code: number }>> = {
          confirm: (by) => test.call(confirmProposal, proposal, by),
          refuse: (by) => test.call(endProposal, { ...proposal, reason: 'a race' }, by),
          dismiss: (by) => test.call(dismissTransfer, { ...key, reason: 'a race' }, by),
          assign: (by) => test.call(assignTransfer, { ...key, user_id: bob.id, note: NOTE }, by),
          bank: (by) =>
            test.call(recordBankDeposit, { user_id: ann.id, money: '1', reference: sent.txId }, by),
        }
        const replies = await Promise.all(
          chosen.map((move, at) => act[move](at % 2 === 0 ? boss : third)),
        )
        const done = (move: Move) =>
          replies.filter(({ code }, at) => code === 1 && chosen[at] === move).length
        const [row] = await owner.query<{ player: number | null }>(
          'select player_id as player from deposits.transfer where tx_id = $1',
          [sent.txId],
        )
        expect(done('bank')).toBe(0)
        expect(done('confirm') + done('refuse')).toBeLessThanOrEqual(1)
        expect(done('confirm') + done('dismiss')).toBeLessThanOrEqual(1)
        expect(row?.player).toBe(done('confirm') === 1 ? ann.id : null)
        if (done('confirm') === 1) expected.set(ann.id, (expected.get(ann.id) ?? 0n) + micro)
      }),
      { numRuns: 8 },
    )
    for (const [id, cash] of expected) expect(await cashOf(test.database, id)).toBe(cash)

    // All open transfers are assigned, and then chain and ledger agree.
    for (const { tx_id, log_index, proposal } of await listed(test, boss)) {
      if (proposal !== null)
        await test.call(endProposal, { id: proposal, reason: 'the end' }, finance)
      expect(
        await reasonOf(test.call(dismissTransfer, { tx_id, log_index, reason: 'the end' }, boss)),
      ).toBe('done')
    }
    expect(await differences()).toBe(0)
    expect((await test.call(auditChain, {}, boss)).data.broken_at).toBeNull()
    await expectAlwaysTrue(owner)
  })

  it('is credited once when two people confirm the same at once, each time', async () => {
    const { test, owner, ann, boss, finance } = await setUp()
    const third = await addStaff(test, 'finance')
    // In one block, as the watcher handles it.
    await owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
       select repeat('ab', 32), height, 1, app.now(), 'T', address, 1000000 + height
       from generate_series(1, 20) height,
         (select address from deposits.spare_address limit 1) spare`,
    )
    let sum = 0n
    for (let height = 1; height <= 20; height += 1) {
      const key = { tx_id: 'ab'.repeat(32), log_index: height }
      const proposal = await proposed(test, finance, { ...key, user_id: ann.id })
      const replies = await Promise.all(
        [boss, third, boss, third].map((by) => test.call(confirmProposal, proposal, by)),
      )
      expect(replies.filter(({ code }) => code === 1)).toHaveLength(1)
      sum += MICRO + BigInt(height)
    }
    expect(await cashOf(test.database, ann.id)).toBe(sum)
    await expectAlwaysTrue(owner)
  })
})
