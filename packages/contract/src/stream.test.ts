import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { heart, issueList, lobby } from './lottery-routes.ts'
import { GAMES_STREAM_EVENTS, gamesStream, STREAM_EVENTS, stream, streamRound } from './stream.ts'
import { STREAM_PING_MS, STREAM_SILENCE_MAX_MS } from './stream-rules.ts'

const ROUND = {
  game_status: 1,
  issue: {
    issue: '20261120001',
    last_issue: '',
    openTime1: 12,
    whether_close: false,
    draw_in: 0,
    book_root: '',
    version: '7',
  },
  last_issue: null,
}

describe('the stream', () => {
  it('takes the request of heart', () => {
    expect(Object.keys(stream.request.shape)).toEqual(Object.keys(heart.request.shape))
    expect(z.parse(stream.request, { plan_id: '11', game_id: '1', after: '7' })).toEqual({
      plan_id: 11,
      game_id: 1,
      after: 7,
    })
  })

  it('carries everything that heart answers, in the same shapes', () => {
    const carried = {
      ...z.parse(streamRound, ROUND),
      user_quantity: z.parse(STREAM_EVENTS.money, {
        money: '1.00',
        version: '9',
        buy: '0.00',
        buy_issue: '20261120001',
      }),
      hit_notice: z.parse(STREAM_EVENTS.win, []),
      message: z.parse(STREAM_EVENTS.feed, []),
    }
    expect(Object.keys(carried).sort()).toEqual(Object.keys(heart.reply.shape).sort())
    expect(z.parse(heart.reply, carried)).toEqual(carried)
  })

  it('of the games takes no fields, and carries the answers of the lobby and the list of results', () => {
    expect(Object.keys(gamesStream.request.shape)).toEqual([])
    expect(GAMES_STREAM_EVENTS.begin).toEqual(lobby.reply.shape.gameList)
    expect(GAMES_STREAM_EVENTS.games).toEqual(lobby.reply.shape.gameList)
    const draw = {
      issue: '20261120001',
      site_1: 1,
      site_2: 2,
      site_3: 3,
      code: 6,
      base: ['short', 'even'],
      join: 'short-even',
      status: 'drawn',
      drawn_at: 1,
      witnessed: true,
    }
    const parsed = z.parse(GAMES_STREAM_EVENTS.draws, [{ ...draw, game_id: 2 }])
    expect(parsed).toEqual([{ ...draw, game_id: 2 }])
    expect(z.safeParse(issueList.reply, [draw]).success).toBe(true)
  })

  it('sends a comment before a client would treat it as broken', () => {
    expect(STREAM_PING_MS).toBeLessThan(STREAM_SILENCE_MAX_MS)
  })
})
