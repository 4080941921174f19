/**
 * Goal: after any operations of players and staff in any order, the money equals that of an independent model.
 * Method: random operations through the API, some sent twice at once, within one round with a stopped clock; then the
 * round is drawn and every balance, every hold and the books as a whole are compared. fast-check prints its seed.
 */
import { heart, issueList, playOrder } from '@sum28/contract/lottery-routes.ts'
import { withdrawAction } from '@sum28/contract/money-routes.ts'
import type { IssueResult } from '@sum28/contract/replies.ts'
import { confirmProposal } from '@sum28/contract/staff-proposal-routes.ts'
import {
  approveWithdrawal,
  recordBankDeposit,
  rejectWithdrawal,
} from '@sum28/contract/staff-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { MODEL_RULES, MoneyModel } from '#testing/models/money-model.ts'
import { addWallet, setCode, TEST_CODE } from '#testing/people/cashier.ts'
import { type StaffSession, staffSession } from '#testing/people/staff.ts'
import { moveToDraw, moveToSeal, openIssue, timeOf } from '#testing/product/play-round.ts'
import {
  createTestApp,
  registerMember,
  type TestApp,
  type TestMember,
} from '#testing/product/test-app.ts'

const OPERATIONS = Number(process.env.MODEL_OPERATIONS ?? 120)
const PLAYERS = 3
const GAMES = 4

const player = fc.nat(PLAYERS - 1)
/** Hundredths of a unit. */
const cents = fc.integer({ min: 1, max: 60_000 })
const rules = fc.uniqueArray(fc.constantFrom(...Object.keys(MODEL_RULES).map(Number)), {
  minLength: 1,
  maxLength: 4,
})

const twice = fc.boolean()

function often<Fields>(
  weight: number,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) {
  return { weight, arbitrary: fc.record(fields) }
}

const operation = fc.oneof(
  often(3, {
    kind: fc.constant('deposit' as const),
    player,
    cents: fc.integer({ min: 1, max: 200_000 }),
  }),
  often(4, { kind: fc.constant('withdraw' as const), player, cents, twice }),
  often(4, { kind: fc.constantFrom('approve' as const, 'reject' as const), player, twice }),
  often(6, {
    kind: fc.constant('bet' as const),
    player,
    gameId: fc.integer({ min: 1, max: GAMES }),
    rules,
    cents,
    twice,
  }),
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

type Stage = {
  test: TestApp
  model: MoneyModel
  members: (TestMember & { payId: number })[]
  staff: Record<'owner' | 'finance' | 'cashier', StaffSession>
  count: number
}

const amountOf = (hundredths: number) => BigInt(hundredths) * 10_000n
const reasonOf = (reply: { data: unknown }) => (reply.data as { reason?: string } | null)?.reason

/** Sends a request once, or twice at the same time. */
async function send<Reply>(twice: boolean, request: () => Promise<Reply>): Promise<Reply[]> {
  return Promise.all(twice ? [request(), request()] : [request()])
}

async function perform(stage: Stage, op: Operation): Promise<void> {
  const { test, model } = stage
  const { owner, finance, cashier } = stage.staff
  const member = stage.members[op.player]
  if (!member) throw new Error('no such player')
  const key = `operation-${stage.count++}`

  if (op.kind === 'deposit') {
    const money = formatAmount(amountOf(op.cents))
    const recorded = await test.call(
      recordBankDeposit,
      { user_id: member.id, money, reference: `bank ${key}` },
      finance,
    )
    expect(recorded.code).toBe(1)
    const { id } = recorded.data
    for (const by of [owner, cashier]) {
      const confirmed = await send(true, () => test.call(confirmProposal, { id }, by))
      expect(confirmed.map(({ code }) => code).sort()).toEqual([0, 1])
      // Above the limits of adjustments another has to confirm it too.
      if (confirmed.some(({ data }) => data?.state === 'confirmed')) break
    }
    model.deposit(member.id, amountOf(op.cents))
  } else if (op.kind === 'withdraw') {
    const amount = amountOf(op.cents)
    const expected = model.refusalOfWithdrawal(member.id, amount)
    const replies = await send(op.twice, () =>
      test.call(
        withdrawAction,
        { pay_id: member.payId, money: formatAmount(amount), security_code: TEST_CODE },
        { token: member.token, key },
      ),
    )
    for (const reply of replies) expect(reasonOf(reply) ?? null).toBe(expected)
    const [first] = replies
    if (expected === null && first) model.requestWithdrawal(member.id, first.data.id, amount)
  } else if (op.kind === 'bet') {
    const beat = await test.call(heart, { plan_id: roomOf(op.gameId), game_id: op.gameId }, member)
    const { issue } = beat.data.issue
    const stake = amountOf(op.cents)
    const replies = await send(op.twice, () =>
      test.call(
        playOrder,
        {
          issue: issue || '20260101001',
          plan_id: roomOf(op.gameId),
          game_id: op.gameId,
          play_type: op.rules,
          money: formatAmount(stake),
        },
        { token: member.token, key },
      ),
    )
    const total = stake * BigInt(op.rules.length)
    const { cash } = model.purse(member.id)
    for (const reply of replies) {
      if (reply.code === 1) {
        expect(total <= cash && total >= 100_000_000n).toBe(true)
      } else {
        // The model does not define which of several reasons comes first, but one must apply.
        expect([
          'round_sealed',
          'round_closed',
          'round_wrong',
          'below_minimum',
          'above_maximum',
          'insufficient_balance',
          'below_entry',
        ]).toContain(reasonOf(reply))
        if (reasonOf(reply) === 'below_entry') expect(cash < 100_000_000n).toBe(true)
        if (reasonOf(reply) === 'insufficient_balance') expect(total > cash).toBe(true)
        if (reasonOf(reply) === 'below_minimum') expect(total < 100_000_000n).toBe(true)
      }
    }
    const [first, second] = replies
    if (second) expect(second.code).toBe(first?.code)
    if (first?.code === 1) {
      model.bet(member.id, { gameId: op.gameId, issue, ruleIds: op.rules, stake })
    }
  } else {
    const { waiting } = model.purse(member.id)
    if (!waiting) return
    const { id } = waiting
    const replies = await send(op.twice, async () =>
      op.kind === 'approve'
        ? (await test.call(approveWithdrawal, { id }, owner)).code
        : (await test.call(rejectWithdrawal, { id, reason: 'The model says so' }, owner)).code,
    )
    expect(replies.filter((code) => code === 1)).toHaveLength(1)
    model.decide(member.id, op.kind)
  }
}

/** The basic room of a game. */
function roomOf(gameId: number): number {
  return gameId * 10 + 1
}

/** Lets the round be sealed and drawn, and pays the model by the drawn sums. */
async function settle({ test, model }: Stage): Promise<void> {
  await moveToDraw(test, await moveToSeal(test))
  const sums = new Map<string, number | null>()
  for (let gameId = 1; gameId <= GAMES; gameId++) {
    const { data } = await test.call(issueList, { game_id: gameId })
    for (const { issue, code } of data as IssueResult[]) sums.set(`${gameId} ${issue}`, code)
  }
  model.settle((gameId, issue) => {
    const sum = sums.get(`${gameId} ${issue}`)
    if (sum === undefined) throw new Error(`round ${issue} of game ${gameId} is not in the list`)
    return sum
  })
}

it('ends with the money of the model, after any operations in any order', async () => {
  // What was approved within a day counts together, and the clock stands.
  const test = await createTestApp({ WITHDRAWAL_TWO_PERSONS_FROM: '1000000000' })
  await openIssue(test)
  await test.database.freezeClock(await timeOf(test))
  const staff = {
    owner: await staffSession(test, 'owner'),
    finance: await staffSession(test, 'finance'),
    cashier: await staffSession(test, 'cashier'),
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: OPERATIONS, maxLength: OPERATIONS }),
      async (operations) => {
        const stage: Stage = { test, model: new MoneyModel(), members: [], staff, count: 0 }
        for (let at = 0; at < PLAYERS; at++) {
          const member = await registerMember(test, `player_${at}`)
          stage.model.open(member.id)
          await setCode(test, member)
          stage.members.push({ ...member, payId: await addWallet(test, member) })
        }
        for (const op of operations) await perform(stage, op)
        await settle(stage)
        for (const [playerId, { cash, held }] of stage.model.purses) {
          const [balance] = await test.database.owner.query<{ cash: bigint; held: bigint }>(
            'select cash, held from ledger.balance where holder_id = $1',
            [playerId],
          )
          expect(balance).toEqual({ cash, held })
        }
        await expectAlwaysTrue(test.database.owner)
      },
    ),
    // It takes seconds: failures are shown without shrinking, with their seed.
    { numRuns: 1, endOnFailure: true },
  )
})
