import { cand, issueList } from '@sum28/contract/lottery-routes.ts'
import type { CandleOnWire } from '@sum28/contract/replies.ts'
import { candlesOf, candleTuple } from '@sum28/domain/candles.ts'
import type { Digits } from '@sum28/domain/digits.ts'
import { describe, expect, it } from 'vitest'
import type { Database } from '#src/db/database.ts'
import type { CallFor } from '#src/http/call.ts'
import {
  addPastRounds,
  issueOf,
  type PastRound,
  sealedRounds,
} from '#testing/database/past-rounds.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { type ServedRoutes, serveForTest, testLog } from '#testing/product/served-routes.ts'
import { roundsModule } from './module.ts'

/** Rounds with all possible digits, some of them voided. */
function someRounds(count: number, { seed = 1, from = 1 } = {}): PastRound[] {
  return Array.from({ length: count }, (_, at) => {
    const mixed = (at * 379 + seed * 613) % 1_000
    const digits: Digits = [Math.floor(mixed / 100), Math.floor(mixed / 10) % 10, mixed % 10]
    return { number: from + at, digits: (at + 1) % 13 === 0 ? null : digits }
  })
}

function rawDraws(gameDay: string, rounds: readonly PastRound[]) {
  return rounds.flatMap(({ number, digits }) =>
    digits ? [{ issue: issueOf(gameDay, number), digits }] : [],
  )
}

/** The expected wire data, computed from the raw draws. */
function expectedCandles(draws: ReturnType<typeof rawDraws>): CandleOnWire[] {
  const drawn = draws.map(({ issue, digits }) => ({ roundId: issue, digits }))
  return candlesOf(drawn).map(({ roundId: issue, candle }) => {
    const digits = draws.find((draw) => draw.issue === issue)?.digits ?? expect.fail(issue)
    const sum = digits[0] + digits[1] + digits[2]
    expect(candle.close - candle.open).toBe(sum - 13.5)
    return {
      issue,
      cand: candleTuple(candle),
      cand_code: `${sum > 13 ? 'long' : 'short'}-${sum % 2 ? 'odd' : 'even'}`,
      code: sum,
      witnessed: false,
      site_1: digits[0],
      site_2: digits[1],
      site_3: digits[2],
    }
  })
}

async function served(): Promise<{ database: TestDatabase; api: ServedRoutes }> {
  const database = await createTestDatabase()
  const { db } = database
  const api = await serveForTest(roundsModule({ ...testLog(db), db }).routes)
  return { database, api }
}

describe('candles', () => {
  it('are those of the draws of a day, or the latest 300 of all days, and older ones on request, without the voided rounds', async () => {
    const { database, api } = await served()
    const days = ['2026-11-16', '2026-11-17', '2026-11-18'] as const
    const draws = []
    for (const [at, gameDay] of days.entries()) {
      // The second day has numbers of four digits, which are not later than the third's of three.
      const rounds = someRounds(200, { seed: at, from: at === 1 ? 900 : 1 })
      await addPastRounds(database, { gameDay }, rounds)
      draws.push(...rawDraws(gameDay, rounds))
    }
    await addPastRounds(database, { gameDay: days[2], gameId: 2 }, someRounds(9))
    // Without statistics so many rounds are joined one by one.
    await database.owner.query('analyze rounds.round, rounds.draw')
    const all = expectedCandles(draws)
    let loaded: CandleOnWire[] = []
    let pages = 0
    for (; ; pages++) {
      const before = loaded[0]?.issue
      const { data } = await api.call(cand, { game_id: 1, ...(before ? { before } : {}) })
      if (data.length === 0) break
      expect(data.length).toBeLessThanOrEqual(300)
      loaded = [...data, ...loaded]
    }
    expect(loaded).toEqual(all)
    expect(pages).toBe(Math.ceil(all.length / 300))
    const ofDay = { game_id: 1, date: days[1] }
    for (const [before, count] of [
      [{}, 200],
      [{ before: '202611171001' }, 101],
    ] as const) {
      const rounds = someRounds(count, { seed: 1, from: 900 })
      const { data } = await api.call(cand, { ...ofDay, ...before })
      expect(data).toEqual(expectedCandles(rawDraws(days[1], rounds)))
    }
  })

  it('of an empty day are none; an unknown game is not found, and an impossible round is malformed', async () => {
    const { api } = await served()
    const empty = { game_id: 1, date: '2018-01-01' }
    expect(await api.call(cand, empty)).toMatchObject({ data: [] })
    expect(await api.call(issueList, empty)).toMatchObject({ data: [] })
    for (const query of [{ game_id: 77 }, { game_id: 77, date: '2018-01-01' }]) {
      const missing = { http: 404, code: 404, data: { reason: 'not_found' } }
      expect(await api.call(cand, query)).toMatchObject(missing)
      expect(await api.call(issueList, query)).toMatchObject(missing)
      expect(await api.call(issueList, { ...query, page: 1 })).toMatchObject(missing)
    }
    expect(await api.call(cand, { game_id: 1, before: '99999999999999' })).toMatchObject({
      http: 400,
      data: { reason: 'invalid_input' },
    })
  })
})

describe('results', () => {
  it('of a day are newest first, with the voided ones marked and empty', async () => {
    const { database, api } = await served()
    const rounds = someRounds(100)
    await addPastRounds(database, { gameDay: '2026-11-18' }, rounds)
    await sealedRounds(database, { gameDay: '2026-11-18' }, [{ number: 101 }])
    await addPastRounds(database, { gameDay: '2026-11-19' }, someRounds(3, { seed: 5 }))
    const { data } = await api.call(issueList, { game_id: 1, date: '2026-11-18' })
    if (!Array.isArray(data)) return expect.fail('a page')
    const reckoned = rounds.toReversed().map(({ number, digits }) => {
      const sum = digits && digits[0] + digits[1] + digits[2]
      const size = sum !== null && sum > 13 ? 'long' : 'short'
      const parity = sum !== null && sum % 2 ? 'odd' : 'even'
      return {
        issue: issueOf('2026-11-18', number),
        site_1: digits?.[0] ?? null,
        site_2: digits?.[1] ?? null,
        site_3: digits?.[2] ?? null,
        code: sum,
        base: digits ? [size, parity] : ['', ''],
        join: digits ? `${size}-${parity}` : '',
        status: digits ? 'drawn' : 'voided',
        witnessed: false,
      }
    })
    expect(data.map(({ drawn_at: _, ...result }) => result)).toEqual(reckoned)
    expect(data.filter(({ status }) => status === 'voided')).toHaveLength(7)
  })

  it('in pages are all there are, each once, with their number, on a day and over all days', async () => {
    const { database, api } = await served()
    const days = ['2026-11-15', '2026-11-17', '2026-11-18'] as const
    const ofDays = [someRounds(45, { from: 990 }), someRounds(7), someRounds(95)] as const
    for (const [at, gameDay] of days.entries()) {
      await addPastRounds(database, { gameDay }, ofDays[at] ?? [])
    }
    const paged = async (date?: string) => {
      const seen: string[] = []
      for (let page = 1; ; page++) {
        const query = { game_id: 1, page, limit: 40, ...(date ? { date } : {}) }
        const { data } = await api.call(issueList, query)
        if (Array.isArray(data)) return expect.fail('no page')
        expect(data).toMatchObject({ page, total: date ? 95 : 147 })
        if (data.list.length === 0) return seen
        seen.push(...data.list.map(({ issue }) => issue))
      }
    }
    const all = days.flatMap((gameDay, at) =>
      (ofDays[at] ?? []).map(({ number }) => issueOf(gameDay, number)),
    )
    expect(await paged()).toEqual(all.toReversed())
    expect(await paged(days[2])).toEqual(all.slice(-95).reverse())
  })

  it('requested by many at once need one read, and later ones another', async () => {
    const { db } = await createTestDatabase()
    let reads = 0
    const counted: Database = {
      ...db,
      query: (text, values) => {
        reads += 1
        return db.query(text, values)
      },
    }
    const { routes } = roundsModule({ ...testLog(db), db: counted })
    const handle = routes.find(({ route }) => route === cand)?.handle
    const input = { game_id: 1, date: '2026-11-01' }
    const ask = () =>
      Promise.all(Array.from({ length: 50 }, () => handle?.({ input } as CallFor<typeof cand>)))
    expect(await ask()).toEqual(Array.from({ length: 50 }, () => []))
    // The candles, and, as there are none, the game.
    expect(reads).toBe(2)
    await ask()
    expect(reads).toBe(4)
  })
})
