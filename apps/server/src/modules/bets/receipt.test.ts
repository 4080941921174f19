/**
 * Goal: the published data of a round, and a receipt for its player, are true, enough to check the draw and the bet,
 * and published neither too early nor to others. Method: the whole product, whose clock the test sets, and the same
 * check that the app and the offline verifier make.
 */
import { chains, fairnessRound } from '@sum28/contract/fairness-routes.ts'
import { issueList, playOrder } from '@sum28/contract/lottery-routes.ts'
import { orderInfo, orderList, userInfo } from '@sum28/contract/user-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { parseOdds } from '@sum28/domain/odds.ts'
import { BEACON_SCHEME } from '@sum28/fairness/beacon.ts'
import { HAS_PYTHON, runPython } from '@sum28/fairness/testing/python.ts'
import {
  type ReceiptOrder,
  type VerifyStep,
  verdictOf,
  verifyRound,
} from '@sum28/fairness/verify-round.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { confirmRoundVoid, proposeRoundVoid } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { addBettor, driveByHand } from '#testing/product/driven-game.ts'
import { moveToDraw, moveToSeal, openIssueFor, TRUE_SCHEDULE } from '#testing/product/play-round.ts'
import {
  deposit,
  registerMember,
  type TestApp,
  type TestMember,
  useWorkersApp,
} from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { type Receipt, type ReceiptLog, readReceipt } from './receipt.ts'

type Round = { gameId: number; issue: string }

async function roundToBetIn(test: TestApp, gameId = 1): Promise<Round> {
  return { gameId, issue: await openIssueFor(test, 60) }
}

async function bet(
  test: TestApp,
  member: TestMember,
  { gameId, issue }: Round,
  { rules = [1], stake = '100' }: { rules?: number[]; stake?: string } = {},
): Promise<string> {
  const reply = await test.call(
    playOrder,
    {
      issue,
      game_id: gameId,
      plan_id: gameId * 10 + 1,
      play_type: JSON.stringify(rules),
      money: stake,
    },
    member,
  )
  if (reply.code !== 1) throw new Error(JSON.stringify(reply))
  return reply.data.orderNo
}

async function published(test: TestApp, { gameId, issue }: Round) {
  const { data } = await test.call(fairnessRound, { game_id: gameId, issue })
  return data
}

async function receiptOf(test: TestApp, member: TestMember, orderNo: string): Promise<Receipt> {
  const reply = await test.call(orderInfo, { orderNo }, member)
  expect(reply.code).toBe(1)
  return reply.data
}

type Published = Awaited<ReturnType<typeof published>>

function check(round: Published, receipt?: Receipt): VerifyStep[] {
  const proof = receipt?.proof
  return verifyRound({
    round,
    ...(receipt &&
      proof && {
        receipt: { ...proof, leaf_index: proof.leaf_index ?? -1 },
        order: orderOf(receipt),
      }),
  })
}

function orderOf({ selections, ...receipt }: Receipt): ReceiptOrder {
  return {
    orderNo: receipt.orderNo,
    gameId: receipt.game_id,
    issue: receipt.issue,
    planId: receipt.plan_id,
    playType: receipt.play_type,
    classes: selections.map((selection) => selection.class),
    oddsMilli: selections.map(({ odds }) => parseOdds(odds) ?? Number.NaN),
    stakes: selections.map(({ stake }) => amountFromWire(stake)),
    total: amountFromWire(receipt.quantity),
    rulesVersion: receipt.rules_version,
    lotteryCode: receipt.lottery_code,
    settlement:
      receipt.settled_at === null
        ? null
        : {
            payout: amountFromWire(receipt.payout),
            status: receipt.status,
            profit: amountFromWire(receipt.profit),
            whetherHit: receipt.whether_hit,
            payouts: selections.map(({ payout }) => amountFromWire(payout)),
            hits: selections.map(({ hit }) => hit),
          },
  }
}

describe('a round and its receipts', () => {
  const test = useWorkersApp()
  let [ann, ben] = [] as unknown as [TestMember, TestMember]
  let round: Round
  /** What was published of it when it was open, sealed and settled. */
  let [opened, sealed, settled] = [] as unknown as [Published, Published, Published]
  /** A bet on long and short, and its receipt before the seal. */
  let orderNo: string
  let pending: Receipt
  let others: (readonly [TestMember, string])[]

  beforeAll(async () => {
    ann = await registerMember(test)
    ben = await registerMember(test)
    await deposit(test, ann, 5_000)
    await deposit(test, ben, 5_000)
    round = await roundToBetIn(test, 3)
    opened = await published(test, round)
    orderNo = await bet(test, ann, round, { rules: [1, 2], stake: '100.25' })
    pending = await receiptOf(test, ann, orderNo)
    others = [
      [ben, await bet(test, ben, round, { rules: [4], stake: '120.5' })],
      [ann, await bet(test, ann, round, { rules: [3, 413] })],
    ]
    await moveToSeal(test)
    sealed = await published(test, round)
    await moveToDraw(test, round.issue)
    settled = await published(test, round)
  })

  it('name what will decide the draw from the opening on, and show the seed only after it', () => {
    expect(opened).toMatchObject({
      game_id: 3,
      issue: round.issue,
      status: 'open',
      seed: null,
      digits: null,
      beacon: { kind: 'local', scheme: BEACON_SCHEME, signature: null, randomness: null },
      book: { root: null, size: null, sealed_at: null },
    })
    expect(sealed).toMatchObject({ status: 'sealed', seed: null, digits: null })
    expect(sealed.beacon.signature).toBeNull()
    expect(settled.seed).toMatch(/^[0-9a-f]{64}$/)
    const { chain_id, index, commitment, ends_at } = opened
    expect(settled).toMatchObject({ chain_id, index, commitment, ends_at })
    expect(settled.beacon).toMatchObject({
      ...opened.beacon,
      signature: expect.any(String),
      randomness: expect.any(String),
    })
    expect(settled.book).toMatchObject({ root: expect.stringMatching(/^[0-9a-f]{64}$/), size: 3 })
    const sealedAt = settled.book.sealed_at
    expect(sealedAt).toBeGreaterThanOrEqual(ends_at - Number(TRUE_SCHEDULE.SEAL_SECONDS))
    expect(sealedAt).toBeLessThan(ends_at)
  })

  it('pass the check when drawn, each receipt with them', async () => {
    expect(verdictOf(check(settled))).toBe('verified')
    const positions: (number | null)[] = []
    for (const [member, number] of [[ann, orderNo] as const, ...others]) {
      const receipt = await receiptOf(test, member, number)
      const steps = check(receipt.proof, receipt)
      expect(steps.filter(({ ok }) => ok !== true)).toEqual([])
      expect(steps.map(({ name }) => name)).toContain('receipt-path')
      positions.push(receipt.proof.leaf_index)
    }
    expect(positions).toEqual([0, 1, 2])
  })

  it('contain all of a bet: selections, odds, stakes, result, payout and both balances', async () => {
    expect(pending).toMatchObject({
      orderNo,
      game_id: 3,
      plan_id: 31,
      plan_type: 0,
      unit: 'u',
      status: 0,
      quantity: '200.50',
      payout: '0.00',
      settled_at: null,
      witnessed: null,
      before: '5000.00',
      after: '4799.50',
      selections: [
        { class: 1, class_name: 'long', odds: '1.92', stake: '100.25', payout: '0.00', hit: null },
        { class: 2, class_name: 'short', odds: '1.92', stake: '100.25', payout: '0.00', hit: null },
      ],
      proof: { seed: null, digits: null, leaf_index: null, path: [], issue: round.issue },
    })
    const { proof } = pending
    expect(proof.leaf).toBe(`2|${orderNo}|31|[1,2]|1920,1920|1|100250000|${proof.nonce}`)
    expect(verdictOf(check(proof, pending))).toBe('unfinished')

    const after = await receiptOf(test, ann, orderNo)
    const sum = settled.digits?.reduce((total, digit) => total + digit, 0) ?? -1
    expect(after).toMatchObject({
      status: 1,
      payout: '192.48',
      profit: '-8.02',
      lottery_code: [...(settled.digits ?? []), sum].join(' '),
      before: pending.before,
      after: pending.after,
      proof: { leaf: proof.leaf, nonce: proof.nonce, leaf_index: 0, digits: settled.digits },
    })
    const [hit, missed] = [
      [true, '192.48'],
      [false, '0.00'],
    ]
    expect(after.selections.map(({ hit, payout }) => [hit, payout])).toEqual(
      sum >= 14 ? [hit, missed] : [missed, hit],
    )
    expect(after.settled_at).toBeGreaterThanOrEqual(settled.ends_at)
  })

  it('are shown to nobody but the bet’s own player', async () => {
    for (const wrong of [
      orderNo,
      `${orderNo}0`,
      orderNo.slice(0, -1),
      '20261120',
      '9'.repeat(26),
      "' or 1=1",
    ]) {
      const reply = await test.call(orderInfo, { orderNo: wrong }, ben)
      expect(reply).toMatchObject({ http: 404, data: { reason: 'not_found' } })
    }
    expect(await test.call(orderInfo, { orderNo })).toMatchObject({ http: 401 })
    expect(await test.call(orderInfo, { orderNo: '' }, ben)).toMatchObject({ http: 400 })

    // Neither list nor feed nor the public call has the nonce, by which a leaf could be guessed.
    const { data: list } = await test.call(orderList, {}, ann)
    expect(JSON.stringify([opened, settled, list])).not.toContain(pending.proof.nonce)
  })

  it('belong to a chain whose commitment was published before, and whose seeds hash into one another', async () => {
    const { data } = await test.call(chains, {})
    expect([...new Set(data.map(({ game_id }) => game_id))].sort()).toEqual([1, 2, 3, 4])
    const chain = data.find(({ game_id }) => game_id === 1)
    const results = (await test.call(issueList, { game_id: 1 })).data
    const issues = (Array.isArray(results) ? results : results.list).map(({ issue }) => issue)
    expect(issues.length).toBeGreaterThan(0)
    for (const issue of issues) {
      const round = await published(test, { gameId: 1, issue })
      expect(round).toMatchObject({ chain_id: chain?.id, commitment: chain?.commitment })
      expect(round.index).toBeLessThanOrEqual(chain?.used ?? 0)
      expect(chain?.committed_at).toBeLessThan(round.ends_at)
    }
    expect(Object.keys(chain ?? {}).sort()).toEqual(
      ['id', 'game_id', 'length', 'commitment', 'committed_at', 'used'].sort(),
    )
  })

  it('are not there for a round or a game that there is not', async () => {
    for (const input of [
      { game_id: 1, issue: '20200101001' },
      { game_id: 99, issue: '20261120001' },
      { game_id: 32_768, issue: '99999999999999' },
    ]) {
      expect(await test.call(fairnessRound, input)).toMatchObject({
        http: 404,
        data: { reason: 'not_found' },
      })
    }
  })

  it('of a round that two persons voided show its reason, its seed, the digits that would have been drawn, the returned stake and the bet in the closed book', async () => {
    const { db, owner } = test.database
    const cat = await registerMember(test)
    await deposit(test, cat, 1_000)
    const round = await roundToBetIn(test)
    const orderNo = await bet(test, cat, round, { rules: [1, 400] })
    await moveToSeal(test)
    const { book } = await published(test, round)
    const [session, other] = [await staffToken({ owner }), await staffToken({ owner })]
    expect(await proposeRoundVoid(db, { ...round, session })).toBe('proposed')
    expect(await confirmRoundVoid(db, { ...round, session: other })).toBe('confirmed')
    await moveToDraw(test, round.issue)

    const voided = await eventually(async () => {
      const current = await published(test, round)
      return current.void?.digits ? current : undefined
    })
    expect(voided).toMatchObject({
      digits: null,
      book: { ...book, witnessed_at: voided.book.witnessed_at },
      void: { reason: 'two_persons', voided_at: expect.any(Number) },
    })
    const receipt = await eventually(async () => {
      const current = await receiptOf(test, cat, orderNo)
      return current.status === 2 ? current : undefined
    })
    expect(receipt).toMatchObject({
      payout: '0.00',
      profit: '0.00',
      selections: [
        { hit: null, payout: '0.00' },
        { hit: null, payout: '0.00' },
      ],
    })
    expect(receipt.settled_at).not.toBeNull()
    expect((await test.call(userInfo, {}, cat)).data.money).toBe('1000.00')
    const steps = check(receipt.proof, receipt)
    expect(steps.filter(({ ok }) => ok !== true)).toEqual([])
    expect(steps.map(({ name }) => name)).toContain('void')
    expect(steps.find(({ name }) => name === 'receipt-path')?.ok).toBe(true)
  })
})

/** A bet in a sealed round, and how its receipt is read. */
async function sealedBet(readLogProof: ReceiptLog['readLogProof'] = async () => null) {
  const game = await driveByHand()
  const { db, owner } = game.database
  await game.driveAt(1)
  const playerId = await addBettor(game.database)
  await game.driveAt(181)
  const orderNo = await owner.value<string>('select order_no from bets.bet')
  const deps = { db, readLogProof, signReceipt: async () => '' }
  return { ...game, owner, read: () => readReceipt(deps, { playerId, orderNo }) }
}

const SECOND_VERIFIER = `
import json, sys, verify
print(json.dumps(verify.check(*verify.parse(sys.stdin.read()))))`

it('a receipt from between draw and settlement contradicts nothing, for both verifiers', async ({
  skip,
}) => {
  const { driveAt, owner, read } = await sealedBet()
  await owner.query('alter function bets.settle rename to settle_later')
  await expect(driveAt(214)).rejects.toThrow('bets.settle')
  const receipt = await read()
  expect(receipt).toMatchObject({
    settled_at: null,
    lottery_code: '',
    witnessed: null,
    proof: { status: 'drawn' },
  })
  expect(verdictOf(receipt ? check(receipt.proof, receipt) : [])).toBe('unfinished')
  skip(!HAS_PYTHON)
  const steps = runPython(SECOND_VERIFIER, receipt) as [name: string, holds: boolean | null][]
  expect(steps.flatMap(([name, holds]) => (holds ? [] : [[name, holds]]))).toEqual([
    ['your payout', null],
  ])
})

it('a receipt whose round is settled while it is read has what its bet was paid', async () => {
  const { driveAt, read } = await sealedBet(async () => {
    await driveAt(214)
    return null
  })
  const receipt = await read()
  expect(receipt).toMatchObject({ status: 1, payout: '192.00', proof: { status: 'settled' } })
  const steps = receipt ? check(receipt.proof, receipt) : []
  expect(steps.filter(({ ok }) => ok !== true)).toEqual([])
})
