/** Payouts to wallets: a payment counts once the chain shows it, to this payee and of this amount. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { withdrawInfo } from '@sum28/contract/money-routes.ts'
import { closing } from '@sum28/contract/own-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  acceptPayout,
  correctPayout,
  makeBankBatch,
  oneBankBatch,
  reopenPayout,
} from '@sum28/contract/staff-bank-routes.ts'
import * as held from '@sum28/contract/staff-money-routes.ts'
import { playerWithdrawals } from '@sum28/contract/staff-players-routes.ts'
import { confirmProposal, listProposals } from '@sum28/contract/staff-proposal-routes.ts'
import {
  explainDifference,
  listChainDifferences,
  listWithdrawals,
  oneWithdrawal,
  proposeReversal,
  recordPayout,
  takePayment,
} from '@sum28/contract/staff-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { beforeAll, expect, it } from 'vitest'
import { LOCAL_FAUCET_ADDRESS } from '#src/adapters/chain/local-tron-node.ts'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import { fail } from '#src/adapters/chain/tron-call.ts'
import type { BlockHead, TransactionInfo, TronNode } from '#src/adapters/chain/tron-node.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { comparisonBegins, setClocksApart } from '#src/modules/games/catalog.ts'
import { exclude } from '#src/modules/protection/protection-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, giveAddress, takeDeposit } from '#testing/database/fixtures.ts'
import { serveLocalNode } from '#testing/hosts/served-local-node.ts'
import { addPayMethod } from '#testing/people/cash-desk.ts'
import {
  approvedWithdrawal,
  newWallet,
  recordPaid,
  sendBankAnswers,
  TEST_WALLET,
} from '#testing/people/cashier.ts'
import { confirmRefund, proposeRefund } from '#testing/people/proposals.ts'
import { addSeatedPlayer, changePlayer } from '#testing/people/seated-player.ts'
import { addStaff, type StaffSession, staffSession } from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { API_ALONE, answerTo, expectSuccess, shareTestApp } from '#testing/product/test-app.ts'
import { readPayouts } from './chain-payout.ts'
import { heldDepositById } from './refund-deposit.ts'

const U = 1_000_000n
const HOUR_MS = 3_600_000
const UNKNOWN = 'ab'.repeat(32)

const test = shareTestApp(API_ALONE)
let chain: Awaited<ReturnType<typeof serveLocalNode>>
let ann: StaffSession
let bob: StaffSession
let cat: StaffSession

async function signInAll() {
  ann = await staffSession(test)
  bob = await staffSession(test, 'finance')
  cat = await addStaff(test, 'finance')
}

beforeAll(async () => {
  // Its blocks are later than all that staff have decided.
  chain = await serveLocalNode({ database: test.database }, () => {})
  await signInAll()
  return chain.close
})

/** A withdrawal of 120 u to a wallet, by default the test's, which Ann has approved. */
const approved = (wallet?: string) => approvedWithdrawal(test, { to: 'wallet', by: ann, wallet })

type Transfer = { to?: string; u?: bigint; contract?: string }

/** Puts a transaction with these transfers on the chain, and returns its id. */
async function sent(transfers: Transfer[], failed?: 'reverted' | 'receipt'): Promise<string> {
  const { txId } = await chain.local.add({
    transfers: transfers.map(
      ({ to = TEST_WALLET, u = 120n, contract = USDT_MAINNET_CONTRACT }) => ({
        to,
        from: LOCAL_FAUCET_ADDRESS,
        amountMicro: u * U,
        contract,
      }),
    ),
    ...(failed && { failed }),
  })
  return txId
}

/** Makes the chain's blocks solid, and reads the payouts of them. */
async function read(second: TronNode | null = null, node: TronNode = chain.node) {
  await chain.growSolid()
  return readPayouts(
    {
      db: test.database.db,
      second,
      node,
      contract: USDT_MAINNET_CONTRACT,
      log: captureLog().log,
    },
    new AbortController().signal,
  )
}

/** A node that says this of each transaction, and of its newest solid block. */
const saying = (info: Partial<TransactionInfo>, head?: BlockHead): TronNode => ({
  ...chain.node,
  async solidTransaction(...ask) {
    const answer = await chain.node.solidTransaction(...ask)
    return answer.ok ? { ok: true, value: { ...answer.value, ...info } } : answer
  },
  async solidHead() {
    return head ? { ok: true, value: head } : await chain.node.solidHead()
  },
})

/** A node whose newest solid block is of this time. */
const solidUntil = (at: number, of: Partial<TronNode> = {}): TronNode => ({
  ...chain.node,
  async solidHead() {
    return { ok: true, value: { blockNumber: Math.round(at / 3_000), blockTime: new Date(at) } }
  },
  ...of,
})

const pay = (id: number, reference: string, by = bob) => recordPaid(test, { id, reference }, by)
async function correct(id: number, reference: string | undefined, by: StaffSession) {
  const seen = { seen_reference: (await shown(id)).payout_reference ?? '' }
  return reference === undefined
    ? test.call(reopenPayout, { id, ...seen, reason: 'A slip' }, by)
    : test.call(correctPayout, { id, ...seen, reason: 'A slip', reference }, by)
}
const accept = (id: number, reference: string, by: StaffSession) =>
  test.call(acceptPayout, { id, reference, reason: 'The exchange took a fee' }, by)
const shown = async (id: number) => (await test.call(oneWithdrawal, { id }, ann)).data

async function instantOf(id: number, at: 'requested_at' | 'decided_at' | 'paid_at') {
  const text = `select ${at} as at from withdrawals.withdrawal where id = $1`
  return Math.floor(await test.database.owner.value<number>(text, [id]))
}

/** How often the player of a session was told that a withdrawal of 120 u was paid. */
async function timesTold(member: { token: string }) {
  const { data } = await test.call(noticeList, {}, member)
  return data.zhannei.filter(({ title }) => title === 'Withdrawal of 120.00 u paid out').length
}

const withdrawing = async (member: { token: string }) =>
  (await test.call(closing, {}, member)).data.withdrawing

it('a payout to a wallet is paid once its transaction is solid, and then the player is told', async () => {
  const { id, member } = await approved()
  expect(await pay(id, 'nonsense')).toMatchObject({
    code: 400,
    data: { fields: { reference: expect.stringContaining('64') } },
  })
  const reference = await sent([{}])
  expectSuccess(await pay(id, reference.toUpperCase()))
  const awaited = { state: 'on_chain', payout_chain: 'awaited', payout_reference: reference }
  expect(await shown(id)).toMatchObject(awaited)
  expect([await withdrawing(member), await timesTold(member)]).toEqual(['120.00', 0])
  expect(await read()).toEqual({ seen: 1, wrong: 0 })
  expect(await shown(id)).toMatchObject({ state: 'paid', payout_chain: 'seen' })
  expect([await withdrawing(member), await timesTold(member)]).toEqual(['0.00', 1])
  expect(await answerTo(correct(id, UNKNOWN, cat))).toBe('already_decided')
  await expectAlwaysTrue(test.database.owner)
})

it('a transaction that failed, or pays something else, is wrong, and another person corrects it', async () => {
  const wrong = [
    { fault: 'other_payee', reference: await sent([{ to: LOCAL_FAUCET_ADDRESS }]) },
    { fault: 'other_amount', reference: await sent([{ u: 119n }, { u: 121n }]) },
    { fault: 'failed', reference: await sent([{}], 'reverted') },
    { fault: 'failed', reference: await sent([{}], 'receipt') },
    // Of another token.
    { fault: 'failed', reference: await sent([{ contract: LOCAL_FAUCET_ADDRESS }]) },
  ]
  const ids: number[] = []
  for (const { reference } of wrong) {
    const { id } = await approved()
    await pay(id, reference)
    ids.push(id)
  }
  expect(await read()).toEqual({ seen: 0, wrong: 5 })
  for (const [at, { fault }] of wrong.entries()) {
    expect(await shown(ids[at] ?? 0)).toMatchObject({ state: 'payout_wrong', payout_fault: fault })
  }
  expect((await test.call(startNeeds, {}, ann)).data.needs).toContainEqual(
    expect.objectContaining({ need: 'payouts_wrong', count: 5 }),
  )
  const [id = 0] = ids
  const right = await sent([{}])
  expect(await answerTo(correct(id, right, bob))).toBe('second_person_needed')
  expect(await correct(id, 'nonsense', cat)).toMatchObject({ code: 400 })
  // An empty field does not say that it was not paid at all.
  expect(await correct(id, '', cat)).toMatchObject({ code: 400 })
  const paidAt = (await shown(id)).paid_at ?? 0
  await test.database.shiftClock(5_000)
  expectSuccess(await correct(id, right, cat))
  expect(await shown(id)).toMatchObject({
    state: 'on_chain',
    payout_fault: null,
    earlier_references: [wrong[0]?.reference],
  })
  // Of who recorded it, not of the correction; the log is a moment later.
  expect((await shown(id)).paid_at).toBeLessThan(paidAt + 5)
  // Whoever named the last one does not correct it; the person before him does.
  expect(await answerTo(correct(id, UNKNOWN, cat))).toBe('second_person_needed')
  expect(await read()).toEqual({ seen: 1, wrong: 0 })
  await expectAlwaysTrue(test.database.owner)
})

it('a transaction that pays less is a part, as another person says, and a further one pays the rest', async () => {
  const { id, member } = await approved()
  const [most, failed, rest] = [
    await sent([{ u: 119n }]),
    await sent([{}], 'reverted'),
    await sent([{ u: 1n }]),
  ]
  await pay(id, most)
  expect(await withdrawing(member)).toBe('120.00')
  expect(await read()).toEqual({ seen: 0, wrong: 1 })
  const wrong = { state: 'payout_wrong', payout_fault: 'other_amount', seen_amount: '119.00' }
  expect(await shown(id)).toMatchObject(wrong)
  // What the chain shows is owed no more, also while nobody has judged it.
  expect(await withdrawing(member)).toBe('1.00')
  expect(await answerTo(accept(id, most, bob))).toBe('second_person_needed')
  expect(await answerTo(accept(id, rest, cat))).toBe('already_decided')
  expect(await accept(id, most, cat)).toMatchObject({ code: 1, data: { state: 'part' } })
  const part = { state: 'to_pay', paid_part: '119.00', rest: '1.00', payout_reference: null }
  expect(await shown(id)).toMatchObject(part)
  expect(await answerTo(pay(id, rest, cat))).toBe('second_person_needed')
  expect(await answerTo(pay(id, most))).toBe('reference_used')
  await pay(id, failed)
  expect(await read()).toEqual({ seen: 0, wrong: 1 })
  expectSuccess(await correct(id, rest, cat))
  expect(await withdrawing(member)).toBe('1.00')
  expect(await read()).toEqual({ seen: 1, wrong: 0 })
  expect(await shown(id)).toMatchObject({ state: 'paid', paid_part: '119.00', rest: '0.00' })
  expect([await withdrawing(member), await timesTold(member)]).toEqual(['0.00', 1])
  const found = await test.call(listWithdrawals, { q: most }, ann)
  expect(found.data.list).toMatchObject([{ id }])
  await expectAlwaysTrue(test.database.owner)
})

it('the rest of a payout that cannot be paid goes back to the balance, and the part stays paid', async () => {
  const { id, member } = await approved()
  const before = (await test.call(withdrawInfo, {}, member)).data.money
  const most = await sent([{ u: 119n }])
  await pay(id, most)
  // It was looked for before its block was solid, as usual.
  await test.database.owner.query('select withdrawals.note_absent_payout($1, $2, app.now())', [
    id,
    most,
  ])
  await read()
  expectSuccess(await accept(id, most, cat))
  expectSuccess(await test.call(proposeReversal, { id, reason: 'Too small to be sent' }, cat))
  const about = { subject: `withdrawal:${id}` }
  const [proposal] = (await test.call(listProposals, about, ann)).data.list
  expectSuccess(await test.call(confirmProposal, { id: proposal?.id ?? 0 }, ann))
  const after = (await test.call(withdrawInfo, {}, member)).data
  expect(Number(after.money) - Number(before)).toBe(1)
  const returned = { status: 'returned', quantity: '120.00', paid_part: '119.00' }
  expect(after.latest[0]).toMatchObject(returned)
  const listed = (await test.call(playerWithdrawals, { user_id: member.id }, ann)).data.list
  expect(listed).toMatchObject([{ state: 'reversed', quantity: '120.00', paid_part: '119.00' }])
  expect(await shown(id)).toMatchObject({ state: 'reversed', rest: '1.00' })
  const { data } = await test.call(noticeList, {}, member)
  expect(data.zhannei[0]?.title).toBe('Withdrawal of 1.00 u could not be paid')
  // For the sums from which an identity or a second person is needed, the part was paid.
  const sums = await test.database.owner.column<boolean>(
    `select withdrawals.takes_two(next) from withdrawals.withdrawal, withdrawals.terms,
       unnest('{0,1}'::bigint[]) less,
       lateral (select (jsonb_populate_record(withdrawal, jsonb_build_object('state', 'waiting',
         'amount', two_persons_from - paid_part - less))).*) next
     where withdrawal.id = $1 order by less`,
    [id],
  )
  expect(sums).toEqual([true, false])
  await expectAlwaysTrue(test.database.owner)
})

it('a transaction that pays more is accepted by two persons besides the one who named it', async () => {
  const { id, member } = await approved()
  const much = await sent([{ u: 1_000n }])
  await pay(id, much)
  await read()
  expect(await shown(id)).toMatchObject({ state: 'payout_wrong', seen_amount: '1000.00' })
  expect(await accept(id, much, cat)).toMatchObject({ data: { state: 'first_approval' } })
  for (const by of [bob, cat]) {
    expect(await answerTo(accept(id, much, by))).toBe('second_person_needed')
  }
  expect(await timesTold(member)).toBe(0)
  expect(await accept(id, much, ann)).toMatchObject({ data: { state: 'accepted' } })
  expect(await shown(id)).toMatchObject({ state: 'paid', payout_chain: 'seen' })
  expect([await withdrawing(member), await timesTold(member)]).toEqual(['0.00', 1])
  await expectAlwaysTrue(test.database.owner)
})

it('a transaction from before the request is wrong, even of this amount to this payee', async () => {
  const { id } = await approved()
  const at = await instantOf(id, 'requested_at')
  const timed = (blockTimeStamp: number | null, head = at) =>
    saying({ blockTimeStamp }, { blockNumber: 1, blockTime: new Date(head) })
  await pay(id, await sent([{}]))
  // The clocks of chain and database may differ by ten minutes. A chain that is still behind says nothing of it.
  expect(await read(null, timed(at - 600_001, at - 600_001))).toEqual({ seen: 0, wrong: 0 })
  expect(await read(null, timed(at - 600_001, at - 600_000))).toEqual({ seen: 0, wrong: 1 })
  expect(await shown(id)).toMatchObject({ state: 'payout_wrong', payout_fault: 'before_request' })
  await correct(id, await sent([{}]), cat)
  // Without its time nothing is known.
  expect(await read(null, timed(null))).toEqual({ seen: 0, wrong: 0 })
  // Before the approval, which a restore may have undone.
  expect(await read(null, timed(at - 600_000))).toEqual({ seen: 1, wrong: 0 })
  await expectAlwaysTrue(test.database.owner)
})

it('of a withdrawal that was asked for while the clock was ahead no transaction is an earlier one', async () => {
  const { db, owner } = test.database
  const change = (id: number, set: string) =>
    owner.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(`update withdrawals.withdrawal set ${set} where id = $1`, [id])
    })
  const apart = async (isApart: boolean) =>
    setClocksApart(db, isApart, { began: await comparisonBegins(db) })
  const paidBefore = `requested_at = paid_at + interval '1 year', decided_at = paid_at`
  const approvedBefore = `decided_at = requested_at - interval '1 hour'`
  for (const [why, ahead] of [
    ['it was paid before', (id: number) => change(id, paidBefore)],
    ['it was approved before', (id: number) => change(id, approvedBefore)],
    ['the clock is still ahead', () => apart(true)],
  ] as const) {
    const { id } = await approved()
    await pay(id, await sent([{}]))
    const blockTimeStamp = (await instantOf(id, 'requested_at')) - 700_000
    await ahead(id)
    expect(await read(null, saying({ blockTimeStamp })), why).toEqual({ seen: 1, wrong: 0 })
  }
  await apart(false)
  await expectAlwaysTrue(owner)
})

it('a payout that was sent later than was said after a freeze is wrong', async () => {
  const { id, member } = await approved()
  const at = await instantOf(id, 'decided_at')
  await test.call(takePayment, { id }, bob)
  await changePlayer(test.database, member.id, `state = 'frozen'`)
  const record = { id, reference: await sent([{}]), sent_at: Math.floor(at / 1_000) }
  expectSuccess(await test.call(recordPayout, record, bob))
  // The clocks of chain and database may differ by ten minutes.
  const later = saying({ blockTimeStamp: record.sent_at * 1_000 + 600_001 })
  expect(await read(null, later)).toEqual({ seen: 0, wrong: 1 })
  const wrong = { state: 'payout_wrong', payout_fault: 'sent_later', seen_amount: '120.00' }
  expect(await shown(id)).toMatchObject(wrong)
  await expectAlwaysTrue(test.database.owner)
})

/** The file of a batch, which Bob takes. */
async function batchFile(id: number): Promise<string> {
  const headers = { Token: bob.token }
  return (await test.fetch(`/api/staff/money/bankBatchFile?id=${id}`, { headers })).text()
}

const setHold = (hours: number) =>
  test.database.owner.query('update withdrawals.terms set hold = make_interval(hours => $1)', [
    hours,
  ])

const STOPS = [
  ['the freeze', `staff.freeze_player($1, 'stolen', $2)`],
  ['the hold', `accounts.note_sensitive_change($1) from (values ($2::text)) session`],
  ['the demand for a new password', 'console_players.require_password($1, $2)'],
] as const

it.each(STOPS)(
  'a payout is compared with %s that stood when it was sent, whatever time is said, and so is one of a batch; and another person than its sender judges it',
  async (_, stop) => {
    const [byHand, wallet] = [await approved(), newWallet()]
    const inBatch = await approved(wallet)
    await test.call(takePayment, { id: byHand.id }, bob)
    const { data: batch } = await test.call(makeBankBatch, { kind: 'wallet' }, bob)
    await batchFile(batch.id ?? 0)
    await setHold(24)
    for (const { member } of [byHand, inBatch]) {
      await test.database.owner.query(`select ${stop}`, [member.id, cat.token])
    }
    await test.database.shiftClock(5_000)
    const now = await test.database.owner.value<number>('select app.now() as now')
    const record = { id: byHand.id, reference: await sent([{}]), sent_at: Math.floor(now / 1_000) }
    expectSuccess(await test.call(recordPayout, record, bob))
    const lines = `${inBatch.id},120.00,paid,${await sent([{ to: wallet }])},`
    expectSuccess(await sendBankAnswers(test, { id: batch.id ?? 0, lines }, cat))
    // Within the ten minutes of the time that was said, and after those of the obstacle.
    const then = saying({ blockTimeStamp: record.sent_at * 1_000 + 597_000 })
    expect(await read(null, then)).toEqual({ seen: 0, wrong: 2 })
    for (const { id } of [byHand, inBatch]) {
      expect(await shown(id)).toMatchObject({ state: 'payout_wrong', payout_fault: 'sent_later' })
    }
    await setHold(0)
    // Bob took the file; Cat brought the answer.
    const { id } = inBatch
    const reference = (await shown(id)).payout_reference ?? ''
    for (const by of [bob, cat]) {
      expect((await test.call(oneWithdrawal, { id }, by)).data.yours).toBe(false)
      const refused = { reason: 'second_person_needed' }
      expect((await accept(id, reference, by)).data).toMatchObject(refused)
      expect((await correct(id, undefined, by)).data).toMatchObject(refused)
    }
    // One other person is enough: in a house of two there is none besides.
    expect((await shown(id)).yours).toBe(true)
    expect(await accept(id, reference, ann)).toMatchObject({ data: { state: 'accepted' } })
    expect(await shown(id)).toMatchObject({ state: 'paid', payout_chain: 'seen' })
  },
)

it('a payout that was sent after a freeze was lifted and a hold was over is right', async () => {
  const { owner } = test.database
  const { id, member } = await approved()
  await test.call(takePayment, { id }, bob)
  await owner.query(`update withdrawals.terms set hold = interval '4 seconds'`)
  await owner.query('select accounts.note_sensitive_change($1)', [member.id])
  await owner.query(`select staff.freeze_player($1, 'stolen', $2)`, [member.id, ann.token])
  await owner.query(
    `select staff.unfreeze_player($1, 'found', date_trunc('second', app.now()), $2)`,
    [member.id, ann.token],
  )
  await test.database.shiftClock(5_000)
  const now = await owner.value<number>('select app.now() as now')
  const record = { id, reference: await sent([{}]), sent_at: Math.floor(now / 1_000) }
  expectSuccess(await test.call(recordPayout, record, bob))
  const later = saying({ blockTimeStamp: record.sent_at * 1_000 + 597_000 })
  expect(await read(null, later)).toEqual({ seen: 1, wrong: 0 })
  await setHold(0)
})

it('a transaction of which the nodes leave out how it ended is awaited for 56 hours before it counts as failed', async () => {
  const { id } = await approved()
  await pay(id, await sent([{}]))
  const paidAt = await instantOf(id, 'paid_at')
  const head = (hours: number) => ({
    blockNumber: 1,
    blockTime: new Date(paidAt + hours * HOUR_MS),
  })
  const omissions = [{ receipt: {} }, { receipt: undefined, log: undefined }, { log: [] }]
  for (const omission of omissions) {
    expect(await read(null, saying(omission, head(55.9)))).toEqual({ seen: 0, wrong: 0 })
  }
  // One node's time alone ends nothing, nor does a node that says none.
  for (const second of [
    saying({ log: [] }, head(1)),
    saying({ log: [] }, { blockNumber: 9, blockTime: null }),
  ]) {
    expect(await read(second, saying({ log: [] }, head(60)))).toEqual({ seen: 0, wrong: 0 })
  }
  // One that says it failed is not enough before that time, and no hindrance after it.
  const failing = (hours: number) => saying({ receipt: { result: 'REVERT' } }, head(hours))
  expect(await read(failing(55.9), saying({ log: [] }, head(55.9)))).toEqual({ seen: 0, wrong: 0 })
  expect(await read(failing(56.1), saying({ log: [] }, head(56.1)))).toEqual({ seen: 0, wrong: 1 })
  expect(await shown(id)).toMatchObject({ state: 'payout_wrong', payout_fault: 'failed' })
})

it('a transaction that is not on the chain is awaited for as long as it may be valid, and then the withdrawal can be paid again', async () => {
  const { id } = await approved()
  await pay(id, UNKNOWN)
  const paidAt = await instantOf(id, 'paid_at')
  const until = (hours: number, of?: Partial<TronNode>) => solidUntil(paidAt + hours * HOUR_MS, of)
  expect(await read(null, until(0))).toEqual({ seen: 0, wrong: 0 })
  expect(await shown(id)).toMatchObject({ state: 'on_chain' })
  expect(await answerTo(correct(id, undefined, cat))).toBe('too_early')
  await test.database.shiftClock(57 * HOUR_MS)
  await signInAll()
  expect(await answerTo(correct(id, undefined, bob))).toBe('second_person_needed')
  // The last answer is from the first minute, and the time alone proves nothing: each node has to say it now.
  const again = async () => (await correct(id, undefined, cat)).data
  const mayCome = async () => (await shown(id)).may_come
  expect(await again()).toMatchObject({ reason: 'too_early' })
  const silent = async () => fail({ kind: 'timeout' as const, message: 'silent' })
  const other = await sent([{}])
  for (const second of [
    until(57, { solidTransaction: silent }),
    until(57, {
      solidTransaction: (_, signal) => chain.node.solidTransaction({ txId: other }, signal),
    }),
    // One that stands still since the payout, or just not long enough after it.
    until(0),
    until(55.9),
  ]) {
    await read(second, until(57))
    expect(await mayCome()).toBe(true)
    expect(await again()).toMatchObject({ reason: 'too_early' })
  }
  expect(await read(until(57), until(56.1))).toEqual({ seen: 0, wrong: 0 })
  expect(await mayCome()).toBe(false)
  expect(await again()).toBeNull()
  expect(await shown(id)).toMatchObject({ state: 'to_pay', payout_reference: null, paid_at: null })
  // Who pays it sees what may have paid it.
  expect(await shown(id)).toMatchObject({ earlier_references: [UNKNOWN] })
  // Who let it be paid again does not pay it.
  expect(await answerTo(pay(id, await sent([{}]), cat))).toBe('second_person_needed')
  await pay(id, await sent([{}]))
  expect(await read()).toEqual({ seen: 1, wrong: 0 })
})

it('a payout is not paid while the second node says something else, and a run ends where it does not answer', async () => {
  const ids = [(await approved()).id, (await approved()).id]
  for (const id of ids) await pay(id, await sent([{}]))
  for (const [kind, times] of [
    ['timeout', 1],
    ['rate_limited', 1],
    ['refused', 1],
    // An answer of another form is about its transaction alone.
    ['malformed', 2],
  ] as const) {
    let asked = 0
    const failing = async () => {
      asked += 1
      return fail({ kind, message: 'no answer' })
    }
    expect(await read({ ...chain.node, solidTransaction: failing })).toEqual({ seen: 0, wrong: 0 })
    expect(asked, kind).toBe(times)
  }
  const altered: TronNode['solidTransaction'] = async (...ask) => {
    const answer = await chain.node.solidTransaction(...ask)
    return answer.ok ? { ok: true, value: { ...answer.value, log: [] } } : answer
  }
  expect(await read({ ...chain.node, solidTransaction: altered })).toEqual({ seen: 0, wrong: 0 })
  for (const id of ids) expect(await shown(id)).toMatchObject({ state: 'on_chain' })
  expect(await read(chain.node)).toEqual({ seen: 2, wrong: 0 })
})

it('wallets are paid by a batch: each transfer of a transaction pays one of its withdrawals', async () => {
  const [second, third] = [newWallet(), newWallet()]
  const ids = [(await approved()).id, (await approved(second)).id, (await approved(third)).id]
  await approved()
  const { data: batch } = await test.call(makeBankBatch, { kind: 'wallet' }, bob)
  expect(batch.payments).toBe(3)
  expect(await batchFile(batch.id ?? 0)).toContain(
    `${batch.id},${ids[0]},120.00,${TEST_WALLET},USDT (TRC20)`,
  )
  const answer = (reference: string) => {
    const lines = ids.map((id) => `${id},120.00,paid,${reference},`).join('\n')
    return sendBankAnswers(test, { id: batch.id, lines }, bob)
  }
  expect((await answer('NOT A TX')).msg).toContain('not the id of a transaction')
  // Two transfers for three withdrawals.
  expect(await answer(await sent([{ to: second }, {}]))).toMatchObject({ data: { paid: 3 } })
  expect(await read()).toEqual({ seen: 2, wrong: 1 })
  const states = await Promise.all(ids.map(async (id) => (await shown(id)).state))
  expect(states).toEqual(['paid', 'paid', 'payout_wrong'])
  const [, , wrong = 0] = ids
  expect(await shown(wrong)).toMatchObject({ payout_fault: 'other_payee' })
  // It goes back, and into the next batch once another person releases it.
  expectSuccess(await correct(wrong, undefined, cat))
  expect((await test.call(oneBankBatch, { id: batch.id }, ann)).data.list).toContainEqual(
    expect.objectContaining({ withdrawal_id: wrong, state: 'failed' }),
  )
  await expectAlwaysTrue(test.database.owner)
})

async function playerOnBreak() {
  const player = await addPlayer(test.database, { u: 0 })
  await exclude(test.database.db, { playerId: player, kind: 'time_out', lasting: '24 hours' })
  return player
}

/** A held deposit of 7 u from the test's wallet, which staff say they paid back by this transaction; its number. */
async function refunded(player: number, reference: string, payment: string): Promise<number> {
  const { db, owner } = test.database
  const deposit = { playerId: player, micro: 7n * U, reference }
  await takeDeposit(owner, { ...deposit, from: TEST_WALLET })
  const id = await owner.value<number>('select max(id)::integer as id from protection.held_deposit')
  await proposeRefund(db, { id, session: ann.token })
  expect(await confirmRefund(db, { id, session: bob.token, payment })).toBe('confirmed')
  return id
}

it('the refund of a deposit that is read from the chain again, after a restore, may be of before that', async () => {
  const { owner } = test.database
  const player = await playerOnBreak()
  const tx = 'ad'.repeat(32)
  await giveAddress(owner, player, 'TReread')
  await owner.query(
    `update deposits.address set given_at = app.now() - interval '1 day' where player_id = $1`,
    [player],
  )
  await owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount, player_id, credited_at)
     values ($1, 3, 7, app.now() - interval '2 hours', $2, 'TReread', 7000000, $3, app.now())`,
    [tx, TEST_WALLET, player],
  )
  await refunded(player, `usdt:${tx}:3`, await sent([{ u: 7n }]))
  const hourAgo = (await owner.value<number>('select app.now() as now')) - HOUR_MS
  expect(await read(null, saying({ blockTimeStamp: hourAgo }))).toEqual({ seen: 1, wrong: 0 })
})

it('a held deposit is paid back once the chain shows its transaction, and else a difference of chain and ledger', async () => {
  const { db, owner } = test.database
  const player = await playerOnBreak()
  const never = 'ef'.repeat(32)
  const payments = [
    await sent([{ u: 7n }]),
    await sent([{ u: 6n }]),
    await sent([{ to: LOCAL_FAUCET_ADDRESS }]),
    never,
  ]
  const ids: number[] = []
  for (const [at, payment] of payments.entries())
    ids.push(await refunded(player, `test:${at}`, payment))
  const states = async () =>
    await owner.column<string>(
      'select refund_chain as state from protection.held_deposit where id = any ($1) order by id',
      [ids],
    )
  const now = await owner.value<number>('select app.now() as now')
  const until = (hours: number) => solidUntil(now + hours * HOUR_MS)
  expect(await read(null, until(55.9))).toEqual({ seen: 1, wrong: 2 })
  expect(await states()).toEqual(['seen', 'wrong', 'wrong', 'awaited'])
  expect(await read(null, until(56.1))).toEqual({ seen: 0, wrong: 1 })
  expect(
    await owner.query(
      `select kind, tx_id, (details ->> 'held_deposit')::integer as deposit from deposits.chain_difference order by 3`,
    ),
  ).toEqual([
    { kind: 'amount_differs', tx_id: payments[1], deposit: ids[1] },
    { kind: 'missing_on_chain', tx_id: payments[2], deposit: ids[2] },
    { kind: 'missing_on_chain', tx_id: never, deposit: ids[3] },
  ])
  // Another transaction takes the place of a wrong one, and the money leaves the books once.
  const id = ids[2] ?? 0
  expect(await readNeeds(db, ['refunds_due'])).toMatchObject([{ count: 3 }])
  await proposeRefund(db, { id, session: ann.token })
  expect(await heldDepositById(db, id)).toMatchObject({ state: 'refunding' })
  await confirmRefund(db, { id, session: bob.token, payment: await sent([{ u: 7n }]) })
  expect(await read(null, until(57))).toEqual({ seen: 1, wrong: 0 })
  expect(await heldDepositById(db, id)).toMatchObject({ state: 'refunded' })
  expect(await readNeeds(db, ['refunds_due'])).toMatchObject([{ count: 2 }])
  await expectAlwaysTrue(owner)
})

it('a held deposit is paid back to the wallet in its player’s account, as two persons say, and the chain is read for that one', async () => {
  const { db, owner } = test.database
  const { id: player, token } = await addSeatedPlayer(test.database, { u: 0, name: 'exchange' })
  await exclude(db, { playerId: player, kind: 'time_out', lasting: '24 hours' })
  const deposit = { playerId: player, micro: 8n * U, reference: 'test:exchange' }
  await takeDeposit(owner, { ...deposit, from: LOCAL_FAUCET_ADDRESS })
  const { data: listed } = await test.call(held.listHeldDeposits, { user_id: player }, ann)
  const id = listed.list[0]?.id ?? 0
  const propose = (payee: string) =>
    test.call(held.proposeRefund, { id, payee, reason: 'He wrote from his mailbox' }, ann)
  expect(await propose('nonsense')).toMatchObject({
    code: 400,
    data: { fields: { payee: expect.stringContaining('TRON') } },
  })
  expect(await propose(USDT_MAINNET_CONTRACT)).toMatchObject({ code: 400 })
  // Whoever writes from his mailbox cannot name a wallet of his own, nor save one in the account and be paid at once.
  expect(await propose(TEST_WALLET)).toMatchObject({
    code: 400,
    data: { fields: { payee: 'This is not the wallet in the player’s account' } },
  })
  await addPayMethod(test.database, player, 'wallet', TEST_WALLET)
  await changePlayer(test.database, player, 'sensitive_changed_at = app.now()')
  await setHold(24)
  const onHold = {
    code: 0,
    msg: expect.stringContaining('Nothing is paid back to this account now'),
    data: { reason: 'withdrawal_on_hold' },
  }
  expect(await propose(TEST_WALLET)).toMatchObject(onHold)
  await setHold(0)
  expectSuccess(await propose(TEST_WALLET))
  const about = { subject: `held_deposit:${id}` }
  const [proposal] = (await test.call(listProposals, about, bob)).data.list
  expect(proposal?.changes).toContainEqual({
    what: 'payee',
    before: LOCAL_FAUCET_ADDRESS,
    after: TEST_WALLET,
  })
  const reference = await sent([{ to: LOCAL_FAUCET_ADDRESS, u: 8n }])
  expectSuccess(await test.call(held.takeRefund, { id }, bob))
  // What was sent before a hold is recorded in it.
  await setHold(24)
  expectSuccess(await test.call(confirmProposal, { id: proposal?.id ?? 0, reference }, bob))
  await setHold(0)
  expect(await read()).toEqual({ seen: 0, wrong: 1 })
  // Its digits were those of another payment.
  const correction = (payment: string, by: StaffSession) =>
    test.call(
      held.correctRefund,
      { id, seen_reference: reference, reference: payment, reason: 'A slip' },
      by,
    )
  const right = await sent([{ u: 8n }])
  expect(await answerTo(correction(right, bob))).toBe('second_person_needed')
  expect(await correction('nonsense', ann)).toMatchObject({ code: 400 })
  const shownRefund = async () => (await test.call(held.oneHeldDeposit, { id }, ann)).data
  const { decided_by: payer, decided_at: paidAt } = await shownRefund()
  await test.database.shiftClock(5_000)
  expectSuccess(await correction(right.toUpperCase(), ann))
  const { data: log } = await test.call(listAuditRows, { limit: 1 }, ann)
  expect(log.list).toMatchObject([{ action: 'refund_corrected', subject: about.subject }])
  const notices = async () => (await test.call(noticeList, {}, { token })).data.zhannei
  expect(await notices()).toEqual([])
  // It left more than ten minutes after the hold began: it is paid, and staff explain why.
  await setHold(24)
  const leftAt = (await owner.value<number>('select app.now() as now')) + HOUR_MS
  expect(await read(null, saying({ blockTimeStamp: leftAt }))).toEqual({ seen: 1, wrong: 0 })
  await setHold(0)
  const { data: differences } = await test.call(listChainDifferences, { q: right }, ann)
  expect(differences.list).toMatchObject([{ kind: 'sent_later', to_explain: true }])
  const explain = { id: differences.list[0]?.id ?? 0, reason: 'Sent before' }
  for (const by of [bob, ann]) {
    const { data } = await test.call(explainDifference, explain, by)
    expect(data).toMatchObject({ reason: 'second_person_needed' })
  }
  expectSuccess(await test.call(explainDifference, explain, await addStaff(test, 'finance')))
  const [notice, ...others] = await notices()
  expect(others).toEqual([])
  expect(notice?.title).toBe('Deposit of 8.00 u paid back')
  expect(notice?.content).toContain(`${TEST_WALLET.slice(0, 4)}…${TEST_WALLET.slice(-5)}`)
  expect(await shownRefund()).toMatchObject({
    state: 'refunded',
    origin: LOCAL_FAUCET_ADDRESS,
    decided_by: payer,
    decided_at: paidAt,
    refund_reference: right,
    earlier_references: [reference],
    refund_corrected_by: 'owner',
    refund_to: TEST_WALLET,
  })
  await expectAlwaysTrue(owner)
})
