import { feedPlayer, heart, playOrder } from '@sum28/contract/lottery-routes.ts'
import type { FeedMessage } from '@sum28/contract/replies.ts'
import { STREAMS_MAX } from '@sum28/contract/stream.ts'
import { logout } from '@sum28/contract/user-routes.ts'
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { catalogReader } from '#src/modules/games/catalog.ts'
import { addPlayer, openTestRound, orderFor, placeAccepted } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import {
  addSeatedPlayer,
  addSeatedPlayers,
  type SeatedPlayer,
} from '#testing/people/seated-player.ts'
import { moveToDraw, moveToSeal, openIssueFor } from '#testing/product/play-round.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { eventOf, openStream } from '#testing/requests/stream-client.ts'
import { roomBoard } from './board.ts'
import { heartbeat } from './heartbeat.ts'
import { roomStreams, roundChangesWaitMs } from './room-streams.ts'

const test = useWorkersApp()

const ROOM = { plan_id: 11, game_id: 1 }

type Room = typeof ROOM

function bet(
  player: SeatedPlayer,
  room: Room,
  { issue, on = '[1]', money = 100 }: { issue: string; on?: string; money?: number },
) {
  return test.call(playOrder, { ...room, issue, play_type: on, money }, player)
}

it('the player of a feed’s entry is shown by the sums of his bets in that room on that day, and by nothing of another room', async () => {
  const [room, other] = [
    { plan_id: 43, game_id: 4 },
    { plan_id: 44, game_id: 4 },
  ]
  const [player, reader] = await addSeatedPlayers(test.database, 2, { u: 100_000 })
  if (!player || !reader) throw new Error('no players')
  const issue = await openIssueFor(test, 60)
  const order = { issue, money: 1_000 }
  const { data } = await bet(player, room, order)
  await bet(player, room, { ...order, on: '[2]' })
  const elsewhere = await bet(player, other, order)
  const sums = () => test.call(feedPlayer, { ...room, feed_id: data.id }, reader)
  expect((await sums()).data).toEqual({
    count: 2,
    quantity: '2000.00',
    payout: '0.00',
    pending: '2000.00',
  })
  await moveToSeal(test)
  await moveToDraw(test, issue)
  // Whatever is drawn, one of the two has won, at the odds of the third kind of room.
  const settled = await eventually(async () => {
    const { data } = await sums()
    return data.pending === '0.00' ? data : undefined
  })
  expect(settled).toEqual({ count: 2, quantity: '2000.00', payout: '1940.00', pending: '0.00' })
  for (const feed_id of [elsewhere.data.id, 2 ** 40]) {
    const missing = await test.call(feedPlayer, { ...room, feed_id }, reader)
    expect(missing).toMatchObject({ http: 404 })
  }
  const strangers = { ...room, feed_id: data.id }
  expect(await test.call(feedPlayer, strangers)).toMatchObject({ http: 401 })
})

describe('a bet room’s stream', () => {
  it('begins with round, feed and own money, and sends a bet to all', async () => {
    const room = { plan_id: 21, game_id: 2 }
    const [ann, bob] = await Promise.all([
      addSeatedPlayer(test.database, { u: 500, name: 'streams_ann' }),
      addSeatedPlayer(test.database),
    ])
    const issue = await openIssueFor(test, 60)
    const [hers, his] = [
      await openStream(test.app.url, room, ann),
      await openStream(test.app.url, room, bob),
    ]
    expect(hers.headers.get('cache-control')).toBe('no-store')
    const round = await eventOf(hers, 'round')
    expect(round).toMatchObject({ game_status: 1, issue: { issue, whether_close: false } })
    expect(await eventOf(hers, 'money')).toMatchObject({
      money: '500.00',
      buy: '0.00',
      buy_issue: issue,
    })

    const placed = await bet(ann, room, { issue })
    const hasBets = (entries: readonly FeedMessage[]) => entries.length > 0
    const own = (await eventOf(hers, 'feed', hasBets)).at(-1)
    expect(own).toEqual(placed.data)
    expect(own).toMatchObject({ user_id: ann.id, after_quantity: '400.00' })
    expect(own?.orderNo).toMatch(/^\d{16,}$/)
    const beat = await test.call(heart, { ...room, after: placed.data.id - 1 }, ann)
    expect(beat.data.message).toContainEqual(placed.data)
    const strange = (await eventOf(his, 'feed', hasBets)).at(-1)
    expect(strange).toMatchObject({ id: own?.id, after_quantity: null })
    expect(strange).not.toHaveProperty('orderNo')
    expect(strange).not.toHaveProperty('version')
    expect(await eventOf(hers, 'money', ({ buy }) => buy !== '0.00')).toMatchObject({
      money: '400.00',
      buy: '100.00',
    })
    expect(his.of('money')).toHaveLength(1)

    // A viewer who has that entry gets only the later ones.
    const since = { ...room, after: placed.data.id }
    const continued = await openStream(test.app.url, since, bob)
    const later = await bet(ann, room, { issue })
    await eventOf(continued, 'feed', hasBets)
    const polled = await test.call(heart, since, bob)
    for (const entries of [continued.of('feed').flat(), polled.data.message]) {
      expect(entries.map(({ id }) => id)).toEqual([later.data.id])
    }
  })

  it('sends the seal, the draw, the payout and the win, each once, and the next round', async () => {
    const room = { plan_id: 31, game_id: 3 }
    const [long, short] = await addSeatedPlayers(test.database, 2, { u: 10_000 })
    if (!long || !short) throw new Error('no players')
    const issue = await openIssueFor(test, 60)
    const streams = [
      await openStream(test.app.url, room, long),
      await openStream(test.app.url, room, short),
    ] as const
    await bet(long, room, { issue })
    await bet(short, room, { issue, on: '[2]' })
    await moveToSeal(test)
    await eventOf(streams[0], 'round', (at) => at.issue.issue === issue && at.issue.whether_close)
    await moveToDraw(test, issue)
    const drawn = await eventOf(streams[0], 'round', (at) => at.last_issue?.issue === issue)
    expect(drawn.last_issue?.status).toBe('drawn')
    // Whatever is drawn, one of the two wins.
    const [stream, lost] =
      (drawn.last_issue?.code ?? 0) >= 14 ? streams : ([streams[1], streams[0]] as const)
    const wins = await eventOf(stream, 'win', (list) => list.some((win) => win.issue === issue))
    expect(wins).toMatchObject([{ issue, profit: '92.00' }])
    await eventOf(stream, 'money', ({ money }) => money === '10092.00')
    await eventOf(lost, 'money', ({ money }) => money === '9900.00')
    expect(lost.of('win')).toEqual([])
    await eventOf(stream, 'round', (at) => at.issue.issue > issue && !at.issue.whether_close)
    await eventOf(stream, 'money', ({ money, buy }) => money === '10092.00' && buy === '0.00')

    const received = stream
      .of('round')
      .map(({ game_status, issue: at, last_issue }) =>
        [game_status, at.issue, at.whether_close, at.book_root, last_issue?.issue].join(),
      )
    expect(new Set(received).size).toBe(received.length)
    expect(
      stream
        .of('win')
        .flat()
        .filter((win) => win.issue === issue),
    ).toHaveLength(1)
  })

  it('ends within seconds when its session does, and says why', async () => {
    const [leaves, frozen, old] = await addSeatedPlayers(test.database, 3)
    if (!leaves || !frozen || !old) throw new Error('no players')
    const open = (player: SeatedPlayer) => openStream(test.app.url, ROOM, player)
    const streams = [await open(leaves), await open(frozen), await open(old)]
    await Promise.all(streams.map((each) => eventOf(each, 'round')))
    await test.call(logout, {}, leaves)
    const { owner } = test.database
    await owner.query(`update accounts.player set state = 'frozen' where id = $1`, [frozen.id])
    await owner.query(
      `update accounts.session set created_at = created_at - interval '25 hours' where player_id = $1`,
      [old.id],
    )
    await eventually(() => streams.every(({ closed }) => closed))
    expect(streams.map(({ end }) => [end?.code, end?.data.reason])).toEqual([
      [50008, 'session_unknown'],
      [50012, 'session_replaced'],
      [50014, 'session_expired'],
    ])
  })

  it('says of a room without bets that it has none', async () => {
    const stream = await openStream(test.app.url, { plan_id: 34, game_id: 3 }, { token: '' })
    expect(await eventOf(stream, 'feed')).toEqual([])
  })

  it('has for a stranger the round and the feed with nobody’s number, and nothing else', async () => {
    const room = { plan_id: 22, game_id: 2 }
    const player = await addSeatedPlayer(test.database)
    const issue = await openIssueFor(test, 60)
    await bet(player, room, { issue, money: 200 })
    const [own, strange] = [
      await openStream(test.app.url, room, player),
      await openStream(test.app.url, room, { token: '' }),
    ]
    expect(await eventOf(strange, 'round')).toMatchObject({ game_status: 1, issue: { issue } })
    await eventOf(strange, 'feed')
    const { data } = await bet(player, room, { issue, on: '[2]', money: 200 })
    const isNew = (entries: readonly FeedMessage[]) => entries.some(({ id }) => id === data.id)
    await eventOf(strange, 'feed', isNew)
    // Later than anything that a player gets of his own.
    await eventOf(own, 'money', ({ buy }) => buy === '400.00')
    await moveToSeal(test)
    await moveToDraw(test, issue)
    await eventOf(own, 'win')
    expect(new Set(strange.events.map(({ name }) => name))).toEqual(new Set(['round', 'feed']))
    for (const entry of strange.of('feed').flat()) {
      expect(entry.user_id).toBeGreaterThanOrEqual(2 ** 30)
      expect(entry).not.toHaveProperty('orderNo')
      expect(entry.after_quantity).toBeNull()
    }
  })

  it('is refused with a token that is not valid, for an unknown room, and for malformed input', async () => {
    const player = await addSeatedPlayer(test.database)
    const answers = [
      await openStream(test.app.url, ROOM, { token: 'unknown' }),
      await openStream(test.app.url, { plan_id: 11, game_id: 2 }, player),
      await openStream(test.app.url, { plan_id: -1, game_id: 1 }, player),
    ]
    expect(answers.map(({ http, end }) => [http, end?.code, end?.data.reason])).toEqual([
      [401, 50008, 'session_unknown'],
      [404, 404, 'not_found'],
      [400, 400, 'invalid_input'],
    ])
  })

  it(`ends the oldest of one player’s streams when he opens more than ${STREAMS_MAX}`, async () => {
    const player = await addSeatedPlayer(test.database)
    const streams = []
    for (let index = 0; index <= STREAMS_MAX; index += 1) {
      streams.push(await openStream(test.app.url, ROOM, player))
    }
    const [oldest, ...others] = streams
    await eventually(() => oldest?.closed)
    expect(oldest?.end).toMatchObject({ code: 429, data: { reason: 'too_many_requests' } })
    await Promise.all(others.map((each) => eventOf(each, 'round')))
    expect(others.map(({ closed }) => closed)).toEqual(others.map(() => false))
  })
})

/** Rounds of a minute, from ten to twelve. */
const SCHEDULE: ScheduleRules = {
  timeZone: 'UTC',
  opensMinute: 600,
  closesMinute: 720,
  roundMs: 60_000,
  sealMs: 10_000,
}

it.each([
  ['just before a round begins', '10:59:59.999', 0],
  ['as it begins', '11:00:00.000', 100],
  ['after it began', '11:00:00.099', 1],
  ['a tenth of a second after it began', '11:00:00.100', 0],
  ['in the middle of a round', '11:00:30.000', 0],
  ['at the end of the day’s last round', '12:00:00.000', 0],
  ['while no round runs', '03:00:00.000', 0],
])(
  'an event %s waits for other events of a round’s beginning, exactly so long',
  (_when, time, waitMs) => {
    expect(roundChangesWaitMs(SCHEDULE, Date.parse(`2026-11-24T${time}Z`))).toBe(waitMs)
  },
)

it('a viewer who names an entry to come costs no read of the feed, whatever number he names, and one who has all gets later ones', async () => {
  const database = await createTestDatabase()
  const round = await openTestRound(database)
  const place = async () => {
    const player = await addPlayer(database, { u: 100 })
    await placeAccepted(database, [orderFor(player, round)])
  }
  await place()
  const { db } = database
  const roomId = round.gameId * 10 + 1
  const [schedule, now] = [SCHEDULE, Date.now]
  const real = roomBoard({ db, schedule, now, feedKey: Buffer.alloc(32, 7) })
  let reads = 0
  const board: typeof real = {
    ...real,
    feed: (id, after) => {
      reads += 1
      return real.feed(id, after)
    },
  }
  const onError = (error: unknown) => {
    throw error
  }
  const beats = heartbeat({ db, board, catalog: catalogReader(db), now })
  const streams = roomStreams({ heartbeat: beats, board, schedule, now, onError })
  onTestFinished(() => streams.stop())
  const [last] = (await real.feed(roomId, null)).map(({ id }) => Number(id))
  const got: string[] = []
  const watch = (after: number, name: string) =>
    streams.watch(
      { gameId: round.gameId, roomId, after },
      { caller: null, send: (event) => void (event === 'feed' && got.push(name)) },
    )
  await watch(last ?? 0, 'has all')
  for (let n = 1; n <= 500; n += 1) await watch(2 ** 53 - n, 'has none')
  await eventually(() => reads > 0)
  reads = 0
  await place()
  board.betsPlaced(roomId)
  streams.betsPlaced(roomId)
  await eventually(() => got.length > 0)
  expect(got).toEqual(['has all'])
  // A few for each check, and not one for each viewer.
  expect(reads).toBeLessThan(500)
})
