/** Rounds as staff see them: the list of all games, and one round with its bets and its proof. */
import { fairnessRound } from '@sum28/contract/fairness-routes.ts'
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  confirmProposal,
  listProposals,
  proposeVoid,
} from '@sum28/contract/staff-proposal-routes.ts'
import { listRounds, oneRound } from '@sum28/contract/staff-timeline-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { isRefusal } from '#src/refusal/refusal.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { openTestRound } from '#testing/database/fixtures.ts'
import { addPastRounds, issueOf } from '#testing/database/past-rounds.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { staffSession } from '#testing/people/staff.ts'
import { openIssueFor, playRound } from '#testing/product/play-round.ts'
import { expectSuccess, useWorkersApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { timelinePage } from './timeline.ts'

const test = useWorkersApp()
const ROOM = { plan_id: 41, game_id: 4 }

it('the rounds of all games are listed by their end, in pages that neither repeat nor skip one', async () => {
  const database = await createTestDatabase()
  const gameDay = '2026-11-10'
  const numbers = Array.from({ length: 12 }, (_each, at) => at + 1)
  // Rounds of two games that end at the same moments.
  for (const gameId of [1, 2]) {
    const rounds = numbers.map((number) => ({ number, digits: [7, 8, 0] as const }))
    await addPastRounds(database, { gameId, gameDay }, rounds)
  }
  await openTestRound(database, { gameId: 3 })
  const page = async (ask: Parameters<typeof timelinePage>[1]) => {
    const found = await timelinePage(database.db, ask)
    if (isRefusal(found)) throw new Error(found.refused)
    return { ids: found.list.map(({ gameId, issue }) => `${gameId}-${issue}`), next: found.next }
  }
  const seen: string[] = []
  let after: string | null | undefined
  while (after !== null) {
    const { ids, next } = await page({ day: gameDay, limit: 5, after })
    seen.push(...ids)
    after = next
  }
  const latestFirst = numbers.map((number) => issueOf(gameDay, number)).toReversed()
  expect(seen).toEqual(latestFirst.flatMap((issue) => [`2-${issue}`, `1-${issue}`]))
  const ofGame = await page({ gameId: 2, state: 'settled', limit: 3 })
  expect(ofGame.ids).toEqual(latestFirst.slice(0, 3).map((issue) => `2-${issue}`))
  expect((await page({ state: 'open' })).ids).toEqual([expect.stringMatching(/^3-/)])
  expect(await page({ day: gameDay, state: 'voided' })).toEqual({ ids: [], next: null })
})

it('one round shows its bets by room, its proposal to void it, its refunds and its proof', async () => {
  const player = await addSeatedPlayer(test.database)
  // In the running one a test before may have bet.
  await playRound(test)
  const issue = await openIssueFor(test, 60)
  const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
  const request = { game_id: 4, issue }
  const order = { ...ROOM, issue, play_type: '[1]', money: 100 }
  const money = async () => (await test.call(userInfo, {}, player)).data.money
  const before = await money()
  expectSuccess(await test.call(playOrder, order, player))

  const { data: open } = await test.call(oneRound, request, owner)
  expect(open).toMatchObject({
    ...request,
    id: `4-${issue}`,
    state: 'open',
    settled_at: null,
    proposal: null,
    rooms: [{ room_id: 41, robots: false, bets: 1, waiting: 1, staked: '100.00', paid: '0.00' }],
    proof: (await test.call(fairnessRound, request)).data,
  })
  // While a round runs, nothing of its seed is shown to staff either.
  expect(open.proof).toMatchObject({ seed: null, digits: null })

  await test.call(proposeVoid, { ...request, note: 'wrong odds' }, owner)
  expect((await test.call(oneRound, request, finance)).data).toMatchObject({
    proposal: { by: 'owner', note: 'wrong odds', confirmed_by: null },
  })
  const about = { subject: `round:4:${issue}` }
  const [proposal] = (await test.call(listProposals, about, finance)).data.list
  await test.call(confirmProposal, { id: proposal?.id ?? 0 }, finance)
  const over = await eventually(async () => {
    const { data } = await test.call(oneRound, request, owner)
    return data.settled_at !== null ? data : undefined
  })
  expect(over).toMatchObject({
    state: 'voided',
    void_reason: 'two_persons',
    digits: null,
    proposal: { confirmed_by: 'finance' },
    rooms: [{ bets: 1, waiting: 0, staked: '100.00', paid: '0.00', refunded: '100.00' }],
    proof: {
      status: 'voided',
      seed: null,
      digits: null,
      void: { reason: 'two_persons', voided_at: expect.any(Number), digits: null },
    },
  })
  expect(await money()).toBe(before)
  const { data: log } = await test.call(listAuditRows, { subject: about.subject }, owner)
  expect(log.list).toMatchObject([
    { action: 'round_voided', staff: 'finance' },
    { action: 'void_proposed', staff: 'owner', details: { note: 'wrong odds' } },
  ])
  await expectAlwaysTrue(test.database.owner)
  const { data: voided } = await test.call(listRounds, { state: 'voided' }, owner)
  // Its book is not complete.
  const listed = expect.objectContaining({ id: `4-${issue}`, bets: null })
  expect(voided.list).toContainEqual(listed)
  expect(await test.call(oneRound, { game_id: 99, issue }, owner)).toMatchObject({ http: 404 })
})
