/** Rounds as staff see them: the list of all games, and one round with its bets and its proof. */
import { fairnessRound } from '@sum28/contract/fairness-routes.ts'
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { confirmProposal, proposeVoid } from '@sum28/contract/staff-proposal-routes.ts'
import { listRounds, oneRound } from '@sum28/contract/staff-timeline-routes.ts'
import { expect, it } from 'vitest'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { openIssue } from '#testing/product/play-round.ts'
import { createTestApp, eventually, type TestApp } from '#testing/product/test-app.ts'

const ROOM = { plan_id: 11, game_id: 1 }

async function appWithRound() {
  const test = await createTestApp()
  const player = await addSeatedPlayer(test.database)
  return { test, player, issue: await openIssue(test) }
}

/** Adds this many settled past rounds to a game, each ending a minute before the next. */
async function addPastRounds(test: TestApp, gameId: number, count: number) {
  await test.database.owner.query(
    `with past as (
       select *, row_number() over (order by issue) as position from rounds.round where game_id = $1 limit 1
     )
     insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, state, chain_id,
       chain_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis, beacon_period, beacon_round,
       voids_at, book_root, book_size, sealed_at, settled_at)
     select game_id, 20200101000 + each, date '2020-01-01', each,
       timestamptz '2020-01-01 12:00Z' + each * interval '1 minute' - interval '50 seconds',
       timestamptz '2020-01-01 12:00Z' + each * interval '1 minute' - interval '10 seconds',
       timestamptz '2020-01-01 12:00Z' + each * interval '1 minute', 'settled', chain_id,
       chain_index + 1000 + each, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme,
       extract(epoch from timestamptz '2020-01-01 12:00Z')::bigint + each * 60, 3, 1,
       timestamptz '2020-01-02', sha256('book'), 0,
       timestamptz '2020-01-01 12:00Z' + each * interval '1 minute' - interval '10 seconds', timestamptz '2020-01-01 13:00Z'
     from past cross join generate_series(1, $2::integer) each`,
    [gameId, count],
  )
}

it('the rounds of all games are listed by their end, in pages that neither repeat nor skip one', async () => {
  const { test } = await appWithRound()
  const auditor = await addStaff(test, 'auditor')
  // Rounds of two games that end at the same moments.
  await addPastRounds(test, 1, 12)
  await addPastRounds(test, 2, 12)
  const seen: string[] = []
  let after: string | undefined
  do {
    const { data } = await test.call(listRounds, { day: '2020-01-01', limit: 5, after }, auditor)
    seen.push(...data.list.map(({ id }) => id))
    after = data.next ?? undefined
  } while (after)
  const wanted = Array.from({ length: 12 }, (_each, at) => 20200101012 - at)
  expect(seen).toEqual(wanted.flatMap((issue) => [`2-${issue}`, `1-${issue}`]))

  const { data: ofGame } = await test.call(
    listRounds,
    { game_id: 2, state: 'settled', limit: 3 },
    auditor,
  )
  expect(ofGame.list.map(({ id }) => id)).toEqual([
    '2-20200101012',
    '2-20200101011',
    '2-20200101010',
  ])
  const { data: running } = await test.call(listRounds, { state: 'open' }, auditor)
  expect(new Set(running.list.map(({ state }) => state))).toEqual(new Set(['open']))
  expect(running.list.map(({ game_id: game }) => game)).toContain(1)
  const { data: voided } = await test.call(
    listRounds,
    { day: '2020-01-01', state: 'voided' },
    auditor,
  )
  expect(voided).toEqual({ list: [], next: null })
})

it('one round shows its bets by room, its proposal to void it, its refunds and its proof', async () => {
  const { test, player, issue } = await appWithRound()
  const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
  const request = { game_id: 1, issue }
  const order = { ...ROOM, issue, play_type: '[1]', money: 100 }
  expect((await test.call(playOrder, order, player)).code).toBe(1)

  const { data: open } = await test.call(oneRound, request, owner)
  expect(open).toMatchObject({
    ...{ id: `1-${issue}`, game_id: 1, issue, state: 'open', settled_at: null, proposal: null },
    rooms: [
      {
        ...{ room_id: 11, robots: false, bets: 1, waiting: 1 },
        ...{ staked: '100.00', paid: '0.00', refunded: '0.00' },
      },
    ],
    proof: (await test.call(fairnessRound, request)).data,
  })
  // While a round runs, nothing of its seed is shown to staff either.
  expect(open.proof).toMatchObject({ seed: null, digits: null })

  await test.call(proposeVoid, { ...request, note: 'wrong odds' }, owner)
  expect((await test.call(oneRound, request, finance)).data).toMatchObject({
    proposal: { by: 'owner', note: 'wrong odds', confirmed_by: null },
  })
  await test.call(confirmProposal, { id: 1 }, finance)
  const over = await eventually(async () => {
    const { data } = await test.call(oneRound, request, owner)
    return data.settled_at !== null ? data : undefined
  })
  expect(over).toMatchObject({
    ...{ state: 'voided', void_reason: 'two_persons', digits: null },
    proposal: { confirmed_by: 'finance' },
    rooms: [{ bets: 1, waiting: 0, staked: '100.00', paid: '0.00', refunded: '100.00' }],
  })
  const { data: voided } = await test.call(listRounds, { state: 'voided' }, owner)
  expect(voided.list).toMatchObject([{ id: `1-${issue}`, state: 'voided' }])
  expect(await test.call(oneRound, { game_id: 99, issue }, owner)).toMatchObject({ http: 404 })
})
