/** Stopping and opening by the calls of staff, as players see it in the room and in the lobby. */
import { heart, lobby, playOrder } from '@sum28/contract/lottery-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { openBetting, planStop, stopBetting, stops } from '@sum28/contract/staff-house-routes.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addSeatedPlayer, type SeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { openIssueFor, timeOf } from '#testing/product/play-round.ts'
import { shareTestApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { eventOf, openStream } from '#testing/requests/stream-client.ts'

const ROOM = { plan_id: 11, game_id: 1 }
const SENIOR = { plan_id: 12, game_id: 1 }
const OTHER_GAME = { plan_id: 21, game_id: 2 }

const test = shareTestApp()
afterEach(() =>
  test.database.owner.query(
    'select games.set_stopped(scope, subject_id, false) from games.stop; delete from games.stop',
  ),
)

/** What heart, lobby and playOrder return for a room, each called once. */
async function asSeen(player: SeatedPlayer, room: typeof ROOM) {
  const beat = (await test.call(heart, room, player)).data
  const { gameList } = (await test.call(lobby, { game_id: room.game_id })).data
  const order = { ...room, issue: beat.issue.issue, play_type: 1, money: 200 }
  const { code, data } = await test.call(playOrder, order, player)
  return {
    heart: beat.game_status,
    game: gameList[0]?.status,
    room: gameList[0]?.planList.find(({ id }) => id === room.plan_id)?.status,
    order: code === 1 ? 'taken' : (data as unknown as { reason: string }).reason,
  }
}

describe('a stop by staff', () => {
  it('accepts no bet after its answer, is shown in the room at once, and can be ended', async () => {
    await openIssueFor(test, 60)
    const player = await addSeatedPlayer(test.database)
    const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
    const stream = await openStream(test.app.url, ROOM, player)
    await eventOf(stream, 'round', ({ game_status }) => game_status === 1)
    const request = { scope: 'room', id: 11, reason: 'maintenance', note: 'new odds' } as const
    const { data: stopped } = await test.call(stopBetting, request, finance)
    expect(stopped.games[0]).toMatchObject({
      stopped: false,
      rooms: [
        { id: 11, stopped: true, stop: { reason: 'maintenance', note: 'new odds' } },
        { id: 12, stopped: false, stop: null },
        ...[{ stopped: false }, { stopped: false }],
      ],
    })
    const ordered = async () => (await asSeen(player, ROOM)).order
    expect(await ordered()).toBe('room_stopped')
    await eventOf(stream, 'round', ({ game_status }) => game_status === 2)
    const open = { scope: 'room', id: 11, stop_id: stopped.games[0]?.rooms[0]?.stop?.id } as const
    expect(await test.call(openBetting, open, finance)).toMatchObject({ code: 403 })
    const unseen = await test.call(openBetting, { scope: 'room', id: 11 }, owner)
    expect(unseen).toMatchObject({ code: 0, data: { reason: 'already_decided', by: 'finance' } })
    const { data: opened } = await test.call(openBetting, open, owner)
    expect(opened.games[0]?.rooms[0]).toMatchObject({ id: 11, stopped: false, stop: null })
    expect(await ordered()).toBe('taken')
    await eventually(() => stream.of('round').at(-1)?.game_status === 1)
    const { data: log } = await test.call(listAuditRows, { limit: 2 }, owner)
    const { reason, note } = request
    expect(log.list).toMatchObject([
      { action: 'betting_opened', staff: 'owner', subject: 'room:11' },
      {
        action: 'betting_stopped',
        staff: 'finance',
        subject: 'room:11',
        details: { reason, note },
      },
    ])
    await expectAlwaysTrue(test.database.owner)
  })

  it('that is planned is shown to players a day before, with its words, and only an owner plans it', async () => {
    await openIssueFor(test, 60)
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

  it('that is planned by a call that failed after it is planned once, and its repeat is told so', async () => {
    const owner = await staffSession(test)
    const now = Math.floor((await timeOf(test)) / 1_000)
    const plan = { scope: 'all', begins_at: now + 3_600, ends_at: now + 7_200, told: 'Once' }
    const ask = () => test.call(planStop, plan as never, { ...owner, key: 'e'.repeat(32) })
    // A job may read the stops too: only what the call waits for is cancelled.
    const { failed } = await test.database.owner.transaction(async (tx) => {
      await tx.query('lock table games.stop')
      const failed = ask()
      await eventually(async () => {
        await tx.query('select pg_stat_clear_snapshot()')
        const cancelled = await tx.query(
          `select pg_cancel_backend(pid) from pg_stat_activity
           where wait_event_type = 'Lock' and datname = current_database() and query like '%from games.stop join staff.member%'`,
        )
        return cancelled.length > 0
      })
      return { failed }
    })
    expect(await failed).toMatchObject({ http: 503, data: { cause: 'timeout' } })
    const again = await ask()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.data.planned.filter(({ told }) => told === 'Once')).toHaveLength(1)
  })

  it('is stopped at the next request, alone, and continues at once after the end of the stop', async () => {
    await openIssueFor(test, 60)
    const player = await addSeatedPlayer(test.database, { u: 20_000 })
    const owner = await staffSession(test)
    const stop = (subject: object, reason = 'fault') =>
      test.call(stopBetting, { ...subject, reason } as never, owner)
    const open = async (subject: { scope: string; id?: number }) => {
      const { data } = await test.call(stops, {}, owner)
      const all = [data, ...data.games, ...data.games.flatMap(({ rooms }) => rooms)]
      const { stop } =
        all.find((each) => ('id' in each ? each.id : undefined) === subject.id) ?? data
      return test.call(openBetting, { ...subject, stop_id: stop?.id } as never, owner)
    }
    const seen = () => Promise.all([ROOM, SENIOR, OTHER_GAME].map((at) => asSeen(player, at)))
    const running = { heart: 1, game: 1, room: 1, order: 'taken' }
    const roomStopped = { heart: 2, game: 1, room: 2, order: 'room_stopped' }
    const gameStopped = { heart: 2, game: 2, room: 2, order: 'room_stopped' }
    const allStopped = { heart: 3, game: 3, room: 3, order: 'games_stopped' }
    const room = { scope: 'room', id: 11 }
    const game = { scope: 'game', id: 1 }
    const all = { scope: 'all' }

    expect(await seen()).toEqual([running, running, running])
    for (const [act, subject, then] of [
      [stop, room, [roomStopped, running, running]],
      [stop, game, [gameStopped, gameStopped, running]],
      [stop, all, [allStopped, allStopped, allStopped]],
      [open, all, [gameStopped, gameStopped, running]],
      [open, game, [roomStopped, running, running]],
      [open, room, [running, running, running]],
    ] as const) {
      await act(subject)
      expect(await seen()).toEqual(then)
    }
    expect(await open(room)).toMatchObject({ code: 0, data: { reason: 'not_stopped' } })
    await expectAlwaysTrue(test.database.owner)
  })
})
