/** Voiding a round by two people, before its result can be known. */
import { fairnessRound } from '@sum28/contract/fairness-routes.ts'
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  confirmProposal,
  listProposals,
  proposeVoid,
} from '@sum28/contract/staff-proposal-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { openIssueFor } from '#testing/product/play-round.ts'
import { eventually, expectSuccess, useWorkersApp } from '#testing/product/test-app.ts'

const ROOM = { plan_id: 11, game_id: 1 }

describe('a round that staff void', () => {
  const app = useWorkersApp()

  it('needs two people, returns every stake, and is published as voided by staff', async () => {
    const test = app()
    const player = await addSeatedPlayer(test.database)
    const owner = await staffSession(test)
    const issue = await openIssueFor(test, 60)
    const money = async () => (await test.call(userInfo, {}, player)).data.money
    const before = await money()
    const order = { ...ROOM, issue, play_type: '[1]', money: 100 }
    expectSuccess(await test.call(playOrder, order, player))

    const request = { game_id: 1, issue }
    const refused = (reason: string) => ({ code: 0, data: { reason } })
    const propose = (who: { token: string }) =>
      test.call(proposeVoid, { ...request, note: 'the odds were wrong' }, who)
    const confirm = async (who: { token: string }) => {
      const about = { subject: `round:1:${issue}` }
      const [proposal] = (await test.call(listProposals, about, owner)).data.list
      return test.call(confirmProposal, { id: proposal?.id ?? 0 }, who)
    }
    expect(await propose(await addStaff(test, 'auditor'))).toMatchObject({ code: 403 })
    expect(await propose(owner)).toMatchObject({ code: 1 })
    expect(await propose(owner)).toMatchObject(refused('already_proposed'))
    expect(await confirm(owner)).toMatchObject(refused('second_person_needed'))
    expect(await confirm(await addStaff(test, 'support'))).toMatchObject({ code: 403 })
    const finance = await staffSession(test, 'finance')
    expect(await confirm(finance)).toMatchObject({ code: 1 })
    expect(await confirm(finance)).toMatchObject(refused('already_decided'))
    expect(await propose(owner)).toMatchObject(refused('already_decided'))

    expect(await test.call(playOrder, order, player)).toMatchObject(refused('round_sealed'))
    await eventually(async () => (await money()) === before || undefined)
    expect((await test.call(fairnessRound, request)).data).toMatchObject({
      ...{ status: 'voided', seed: null, digits: null },
      void: { reason: 'two_persons', voided_at: expect.any(Number), digits: null },
    })
    const { list } = (await test.call(listAuditRows, { limit: 20 }, owner)).data as {
      list: { subject: string }[]
    }
    expect(list.filter(({ subject }) => subject === `round:1:${issue}`)).toMatchObject([
      { action: 'round_voided', staff: 'finance' },
      { action: 'void_proposed', staff: 'owner', details: { note: 'the odds were wrong' } },
    ])
    const nowhere = { game_id: 99_999, issue, note: 'x' }
    expect(await test.call(proposeVoid, nowhere, owner)).toMatchObject({ http: 404 })
    await expectAlwaysTrue(test.database.owner)
  })
})
