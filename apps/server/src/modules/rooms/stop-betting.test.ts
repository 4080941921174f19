/** Stopping and opening by the calls of staff, as players see it in the room and in the lobby. */
import { heart, lobby, playOrder } from '@sum28/contract/lottery-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { openBetting, planStop, stopBetting, stops } from '@sum28/contract/staff-house-routes.ts'
import { orderList } from '@sum28/contract/user-routes.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { orderFor, placeAll } from '#testing/database/fixtures.ts'
import {
  addSeatedPlayer,
  addSeatedPlayers,
  type SeatedPlayer,
} from '#testing/people/seated-player.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { openIssueFor, playRound, timeOf } from '#testing/product/play-round.ts'
import { eventually, shareTestApp, type TestApp } from '#testing/product/test-app.ts'
import { eventOf, openStream } from '#testing/requests/stream-client.ts'

const ROOM = { plan_id: 11, game_id: 1 }
const SENIOR = { plan_id: 12, game_id: 1 }
const OTHER_GAME = { plan_id: 21, game_id: 2 }

async function bet(test: TestApp, player: SeatedPlayer, room = ROOM): Promise<string> {
  const { issue } = (await test.call(heart, room, player)).data.issue
  const order = { ...room, issue, play_type: 1, money: 200 }
  const { code, data } = await test.call(playOrder, order, player)
  return code === 1 ? 'taken' : (data as unknown as { reason: string }).reason
}

const app = shareTestApp()
afterEach(() =>
  app().database.owner.query(
    'select games.set_stopped(scope, subject_id, false) from games.stop; delete from games.stop',
  ),
)

/** The product in a round with a minute left, so that only the stops change; and the round. */
async function appInRound(): Promise<{ test: TestApp; issue: string }> {
  return { test: app(), issue: await openIssueFor(app(), 60) }
}

describe('a stop by staff', () => {
  it('accepts no bet after its answer, is shown in the room at once, and can be ended', async () => {
    const { test } = await appInRound()
    const player = await addSeatedPlayer(test.database)
    const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
    const stream = await openStream(test.app.url, ROOM, player)
    await eventOf(stream, 'round', ({ game_status }) => game_status === 1)
    expect((await test.call(stops, {}, finance)).data).toMatchObject({
      stopped: false,
      stop: null,
      games: [1, 2, 3, 4].map((id) => ({ id, stopped: false, stop: null })),
    })

    const request = { scope: 'room', id: 11, reason: 'maintenance', note: 'new odds' } as const
    const { data: stopped } = await test.call(stopBetting, request, finance)
    expect(stopped.games[0]).toMatchObject({
      stopped: false,
      rooms: [
        {
          ...{ id: 11, stopped: true },
          stop: {
            ...{ reason: 'maintenance', note: 'new odds', stopped_by: 'finance' },
            stopped_at: expect.any(Number),
          },
        },
        { id: 12, stopped: false, stop: null },
        { id: 13, stopped: false },
        { id: 14, stopped: false },
      ],
    })
    expect(await bet(test, player)).toBe('room_stopped')
    expect(await bet(test, player, SENIOR)).toBe('taken')
    await eventOf(stream, 'round', ({ game_status }) => game_status === 2)
    expect((await test.call(heart, ROOM, player)).data.game_status).toBe(2)
    const { gameList } = (await test.call(lobby, { game_id: 1 })).data
    expect(gameList[0]).toMatchObject({
      status: 1,
      planList: [{ status: 2 }, { status: 1 }, {}, {}],
    })

    const open = { scope: 'room', id: 11 } as const
    const { data: opened } = await test.call(openBetting, open, owner)
    expect(opened.games[0]?.rooms[0]).toMatchObject({ id: 11, stopped: false, stop: null })
    expect(await bet(test, player)).toBe('taken')
    await eventually(() => stream.of('round').at(-1)?.game_status === 1 || undefined)
    const { data: log } = await test.call(listAuditRows, { limit: 2 }, owner)
    expect(log).toMatchObject({
      list: [
        { action: 'betting_opened', staff: 'owner', subject: 'room:11' },
        {
          ...{ action: 'betting_stopped', staff: 'finance', subject: 'room:11' },
          details: { reason: 'maintenance', note: 'new odds' },
        },
      ],
    })
    await expectAlwaysTrue(test.database.owner)
  })

  it('that is planned is shown to players a day before, with its words, and only an owner plans it', async () => {
    const { test } = await appInRound()
    const [owner, support] = [await staffSession(test), await addStaff(test, 'support')]
    const now = Math.floor((await timeOf(test)) / 1_000)
    const plan = { begins_at: now + 3_600, ends_at: now + 7_200, told: 'New servers' }
    const later = { begins_at: now + 90_000, ends_at: now + 93_600, told: 'Later' }
    expect(await test.call(planStop, { scope: 'room', id: 12, ...plan }, support)).toMatchObject({
      http: 403,
    })
    await test.call(planStop, { scope: 'game', id: 1, ...later }, owner)
    const { data } = await test.call(planStop, { scope: 'room', id: 12, ...plan }, owner)
    expect(data.planned).toMatchObject([
      { scope: 'room', subject_id: 12, ...plan, planned_by: 'owner', begun: false },
      { scope: 'game', subject_id: 1, ...later },
    ])
    const { gameList } = (await test.call(lobby, {})).data
    const { told: text, ...times } = plan
    expect(gameList.map(({ pauses }) => pauses)).toEqual([
      ...[[{ plan_id: 12, ...times, text }], [], [], []],
    ])
  })

  it('applies to a room, a game or everything, and each is ended separately', async () => {
    const { test } = await appInRound()
    const player = await addSeatedPlayer(test.database, { u: 20_000 })
    const owner = await staffSession(test)
    const seen = () =>
      Promise.all([ROOM, SENIOR, OTHER_GAME].map((room) => bet(test, player, room)))

    await test.call(stopBetting, { scope: 'room', id: 11, reason: 'fault' }, owner)
    await test.call(stopBetting, { scope: 'game', id: 1, reason: 'fault' }, owner)
    expect(await seen()).toEqual(['room_stopped', 'room_stopped', 'taken'])
    await test.call(stopBetting, { scope: 'all', reason: 'investigation' }, owner)
    expect(await seen()).toEqual(['games_stopped', 'games_stopped', 'games_stopped'])
    // Again, with another reason.
    const { data } = await test.call(
      stopBetting,
      { scope: 'all', reason: 'other', note: 'a storm' },
      owner,
    )
    expect(data).toMatchObject({ stopped: true, stop: { reason: 'other', note: 'a storm' } })

    await test.call(openBetting, { scope: 'all' }, owner)
    expect(await seen()).toEqual(['room_stopped', 'room_stopped', 'taken'])
    await test.call(openBetting, { scope: 'game', id: 1 }, owner)
    expect(await seen()).toEqual(['room_stopped', 'taken', 'taken'])
    await test.call(openBetting, { scope: 'room', id: 11 }, owner)
    expect(await seen()).toEqual(['taken', 'taken', 'taken'])
    expect(await test.call(openBetting, { scope: 'room', id: 11 }, owner)).toMatchObject({
      code: 0,
      data: { reason: 'not_stopped' },
    })
    await expectAlwaysTrue(test.database.owner)
  })

  it('has a valid subject, and every fault names its field', async () => {
    const test = app()
    const owner = await staffSession(test)
    const field = (name: string) => ({
      code: 400,
      data: { reason: 'invalid_input', fields: { [name]: expect.any(String) } },
    })
    const stop = (request: object) => test.call(stopBetting, request as never, owner)
    expect(await stop({ id: 11, reason: 'fault' })).toMatchObject(field('scope'))
    expect(await stop({ scope: 'table', id: 11, reason: 'fault' })).toMatchObject(field('scope'))
    expect(await stop({ scope: 'room', reason: 'fault' })).toMatchObject(field('id'))
    expect(await stop({ scope: 'all', id: 11, reason: 'fault' })).toMatchObject(field('id'))
    expect(await stop({ scope: 'room', id: 'x', reason: 'fault' })).toMatchObject(field('id'))
    expect(await stop({ scope: 'room', id: 11 })).toMatchObject(field('reason'))
    expect(await stop({ scope: 'room', id: 11, reason: 'mood' })).toMatchObject(field('reason'))
    expect(await stop({ scope: 'room', id: 11, reason: 'other' })).toMatchObject(field('note'))
    const nowhere = { http: 404, data: { reason: 'not_found', field: 'id' } }
    expect(await stop({ scope: 'room', id: 99, reason: 'fault' })).toMatchObject(nowhere)
    expect(await stop({ scope: 'game', id: 9, reason: 'fault' })).toMatchObject(nowhere)
    expect(await test.call(openBetting, { scope: 'game', id: 9 }, owner)).toMatchObject(nowhere)
    const { data } = await test.call(stops, {}, owner)
    expect(JSON.stringify(data)).not.toContain('"stopped":true')
  })

  it('may be made by any role on duty, and ended only by the owner', async () => {
    const test = app()
    const support = await addStaff(test, 'support')
    const auditor = await addStaff(test, 'auditor')
    const request = { scope: 'game', id: 2, reason: 'fault' } as const
    expect(await test.call(stopBetting, request, auditor)).toMatchObject({ code: 403 })
    expect(await test.call(stopBetting, request, support)).toMatchObject({ code: 1 })
    for (const person of [support, await staffSession(test, 'finance'), auditor]) {
      expect(await test.call(stops, {}, person)).toMatchObject({ code: 1 })
      expect(await test.call(openBetting, { scope: 'game', id: 2 }, person)).toMatchObject({
        code: 403,
      })
    }
  })

  it('accepts no bet after its answer, however many arrive at that moment', async () => {
    const { test, issue } = await appInRound()
    const players = await addSeatedPlayers(test.database, 20)
    const owner = await staffSession(test)
    const order = { ...ROOM, issue, play_type: 1, money: 100 }
    let answered = false
    const late: string[] = []
    const betting = players.map(async (player) => {
      for (let bets = 0; bets < 5; bets += 1) {
        const after = answered
        const { code } = await test.call(playOrder, order, player)
        if (after && code === 1) late.push(player.token)
      }
    })
    await test.call(stopBetting, { scope: 'all', reason: 'fault' }, owner)
    answered = true
    await Promise.all(betting)
    expect(late).toEqual([])
    expect(
      await test.database.owner.query(
        `select from bets.bet, games.stop where accepted_at > stopped_at`,
      ),
    ).toEqual([])
    await expectAlwaysTrue(test.database.owner)
  })

  it('waits for a running bet, which does not wait for it', async () => {
    const { test, issue } = await appInRound()
    const player = await addSeatedPlayer(test.database)
    const staff = await staffSession(test)
    const { owner } = test.database
    let done = false
    let stopping: Promise<unknown> | undefined
    await owner.transaction(async (tx) => {
      const round = { gameId: 1, issue, opensAt: 0, sealsAt: 0, drawsAt: 0 }
      const order = { ...orderFor(player.id, round), ord: 0 }
      const [placed] = await tx.query<{ reason: string | null }>(
        'select reason from bets.place($1::jsonb)',
        [JSON.stringify([order])],
      )
      expect(placed?.reason).toBeNull()
      stopping = test.call(stopBetting, { scope: 'all', reason: 'fault' }, staff).then(() => {
        done = true
      })
      await new Promise((later) => setTimeout(later, 300))
      expect(done).toBe(false)
    })
    await stopping
    const round = { gameId: 1, issue, opensAt: 0, sealsAt: 0, drawsAt: 0 }
    expect(await placeAll(test.database, [orderFor(player.id, round)])).toEqual(['games_stopped'])
    await expectAlwaysTrue(owner)
  })

  it('lets the running round come to its end', async () => {
    const test = app()
    const player = await addSeatedPlayer(test.database)
    const owner = await staffSession(test)
    const issue = await playRound(test, async (open) => {
      const order = { ...ROOM, issue: open, play_type: '[1,2]', money: 100 }
      expect((await test.call(playOrder, order, player)).code).toBe(1)
      await test.call(stopBetting, { scope: 'game', id: 1, reason: 'fault' }, owner)
    })
    const { data } = await test.call(orderList, {}, player)
    expect(data).toMatchObject([{ issue, status: 1, whether_hit: 1 }])
    await expectAlwaysTrue(test.database.owner)
  })
})
