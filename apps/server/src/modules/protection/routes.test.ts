import { playOrder } from '@sum28/contract/lottery-routes.ts'
import * as wire from '@sum28/contract/protection-routes.ts'
import { describe, expect, it } from 'vitest'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { openIssueFor } from '#testing/product/play-round.ts'
import { answerTo, expectSuccess, useWorkersApp } from '#testing/product/test-app.ts'
import { BREAKS_A_DAY, LIMIT_CHANGES_A_DAY } from './module.ts'

const test = useWorkersApp()
const ROOM = { game_id: 1, plan_id: 11 }

async function order({ token }: { token: string }, money: number) {
  const issue = await openIssueFor(test, 60)
  return test.call(playOrder, { ...ROOM, issue, play_type: '[1]', money }, { token })
}

it('an order beyond a limit is refused with the limit, the remaining amount, and the time of the next period', async () => {
  const player = await addSeatedPlayer(test.database)
  const set = { kind: 'stake', period: 'week', money: '250' } as const
  expect((await test.call(wire.setLimit, set, player)).data).toEqual({ outcome: 'lowered' })
  expectSuccess(await order(player, 100))
  const refused = await order(player, 200)
  expect(refused).toMatchObject({
    code: 0,
    data: {
      reason: 'limit_reached',
      limit: 'stake',
      period: 'week',
      amount: '250.00',
      left: '150.00',
    },
  })
  const { data: state } = await test.call(wire.protectionState, {}, player)
  const limit = state.limits.find(({ kind, period }) => kind === 'stake' && period === 'week')
  expect(limit).toMatchObject({ own: '250.00', amount: '250.00', by: 'player', used: '100.00' })
  expect(refused.data).toMatchObject({ begins_at: limit?.begins_anew_at })
})

it('the state names all nine limits, who set each, and the present session', async () => {
  await test.database.owner.query(
    `insert into protection.house_limit values ('law', 'stake', 'month', 20000000000)`,
  )
  const player = await addSeatedPlayer(test.database)
  const fresh = await test.call(wire.protectionState, {}, player)
  expect(fresh.data).toMatchObject({ check_minutes: 60, session: null, exclusion: null, held: [] })
  expect(fresh.data.limits).toHaveLength(9)
  expect(fresh.data.limits.filter(({ by }) => by !== null)).toMatchObject([
    { kind: 'stake', period: 'month', own: null, amount: '20000.00', by: 'law', left: '20000.00' },
  ])
  await order(player, 100)
  const { data } = await test.call(wire.protectionState, {}, player)
  expect(data.session).toMatchObject({ staked: '100.00', won: '0.00', net: '-100.00' })
  expect(data.session?.check_at).toBe((data.session?.began_at ?? 0) + 3_600)
})

it('a higher limit is requested, and does not apply before a day', async () => {
  const player = await addSeatedPlayer(test.database)
  const limit = { kind: 'deposit', period: 'day' } as const
  await test.call(wire.setLimit, { ...limit, money: '100' }, player)
  const raised = await test.call(wire.setLimit, { ...limit, money: '200' }, player)
  expect(raised.data).toEqual({ outcome: 'raise_asked' })
  expect((await test.call(wire.confirmLimit, limit, player)).data).toMatchObject({
    reason: 'too_early',
  })
  const { data } = await test.call(wire.protectionState, {}, player)
  const shown = data.limits.find(({ kind, period }) => kind === 'deposit' && period === 'day')
  expect(shown).toMatchObject({ own: '100.00', raise: { own: '200.00' } })
  expect((shown?.raise?.until ?? 0) - (shown?.raise?.from ?? 0)).toBe(7 * 86_400)
})

it('more players than there are connections ask for a higher limit at once', async () => {
  const players = await Promise.all(Array.from({ length: 6 }, () => addSeatedPlayer(test.database)))
  const setAll = (money: string) =>
    Promise.all(
      players.map((player) =>
        answerTo(test.call(wire.setLimit, { kind: 'stake', period: 'month', money }, player)),
      ),
    )
  await setAll('100')
  expect(await setAll('200')).toEqual(players.map(() => 'done'))
})

it('a break ends betting at once, on every device', async () => {
  const player = await addSeatedPlayer(test.database)
  expectSuccess(await order(player, 100))
  expectSuccess(await test.call(wire.takeBreak, { hours: 24 }, player))
  const refused = await order(player, 100)
  expect(refused).toMatchObject({ code: 0, data: { reason: 'excluded' } })
  const { data } = await test.call(wire.protectionState, {}, player)
  expect(data.exclusion).toMatchObject({ kind: 'time_out', may_ask_from: null })
  expect(refused.data).toMatchObject({ until: data.exclusion?.until })
})

describe('a day', () => {
  const TOO_MANY = { http: 429, data: { reason: 'too_many_requests' } }

  /** Changes that are kept forever, and mails about them, of one player. */
  async function left({ id }: { id: number }): Promise<{ changes: bigint; mails: bigint }> {
    const [row] = await test.database.owner.query<{ changes: bigint; mails: bigint }>(
      `select (select count(*) from protection.change where player_id = $1) as changes,
         (select count(*) from inbox.message where player_id = $1) as mails`,
      [id],
    )
    return row ?? { changes: 0n, mails: 0n }
  }
  const dayLater = () =>
    test.database.owner.query(
      `update accounts.counter set since = since - interval '1 day' where key = any (
         select sha256(convert_to(event || ' of ' || id, 'UTF8')) from accounts.player,
           unnest(array['changes of limits', 'breaks of 24 hours']) event)`,
    )

  it('has a limited number of changes of limits and of the reality check, and a refused one changes nothing', async () => {
    const player = await addSeatedPlayer(test.database)
    const set = (money: number) =>
      test.call(
        wire.setLimit,
        { kind: 'stake', period: 'week', money: String(money) } as never,
        player,
      )
    for (let n = 1; n < LIMIT_CHANGES_A_DAY; n += 1) {
      expect(await set(1_000 - n)).toMatchObject({ data: { outcome: 'lowered' } })
    }
    expectSuccess(await test.call(wire.setRealityCheck, { minutes: 30 }, player))
    const before = await left(player)
    expect(before.changes).toBe(BigInt(LIMIT_CHANGES_A_DAY))
    const refused = await set(2_000)
    expect(refused).toMatchObject(TOO_MANY)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await test.call(wire.setRealityCheck, { minutes: 60 }, player)).toMatchObject(TOO_MANY)
    expect(await left(player)).toEqual(before)
    // The present limit may be sent again, and a lower one and a break are always possible.
    expect(await set(1_000 - LIMIT_CHANGES_A_DAY + 1)).toMatchObject({ data: { outcome: 'same' } })
    for (const money of [900, 899, 200]) {
      expect(await set(money)).toMatchObject({ data: { outcome: 'lowered' } })
    }
    // Without end, so without an entry.
    expect(await left(player)).toEqual(before)
    const { data: state } = await test.call(wire.protectionState, {}, player)
    expect(state.limits.find(({ own }) => own !== null)).toMatchObject({ own: '200.00' })
    expectSuccess(await test.call(wire.takeBreak, { months: 6 }, player))
    await dayLater()
    expect(await set(100)).toMatchObject({ data: { outcome: 'lowered' } })
  })

  it('has a limited number of breaks of one length, while a longer one is possible', async () => {
    const player = await addSeatedPlayer(test.database)
    const rest = (hours: 24 | 48) => test.call(wire.takeBreak, { hours } as never, player)
    for (let n = 0; n < BREAKS_A_DAY; n += 1) expectSuccess(await rest(24))
    const before = await left(player)
    // Refused before it waits for anything: others would wait for it.
    await test.database.owner.transaction(async (tx) => {
      await tx.query('select from ledger.balance where holder_id = $1 for no key update', [
        player.id,
      ])
      expect(await rest(24)).toMatchObject({
        ...TOO_MANY,
        msg: expect.stringMatching(/^Too many requests. Please try again in \d+ hours?$/),
      })
    })
    expect(await left(player)).toEqual(before)
    expectSuccess(await rest(48))
  })
})
