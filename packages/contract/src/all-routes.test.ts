import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from './all-routes.ts'
import { CODES, REASONS, SESSION_ENDED_CODES } from './envelope.ts'

describe('the routes', () => {
  it('have unique paths, also when letter case is ignored', () => {
    const paths = [...ALL_ROUTES, ...ALL_DOWNLOADS, ...ALL_STREAMS].map((route) =>
      route.path.toLowerCase(),
    )
    expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([])
  })

  it.each(ALL_ROUTES.map((route) => [route.path, route] as const))(
    'are complete: %s',
    (path, route) => {
      expect(path).toMatch(/^\/api(\/[A-Za-z]+)+$/)
      expect(route.summary.trim()).not.toBe('')
      expect(z.safeParse(route.request, 'not an object').success).toBe(false)
      expect(z.safeParse(route.reply, 'not a reply').success).toBe(false)
    },
  )

  it('include two that answer with a file, for callers with a token', () => {
    const usual = { method: 'GET', auth: 'token', rate: 'export' }
    expect(ALL_DOWNLOADS).toMatchObject([
      { ...usual, path: '/api/user/orderCsv', mediaType: 'text/csv' },
      { ...usual, path: '/api/user/ownDataFile', mediaType: 'application/zip' },
    ])
    expect(ALL_DOWNLOADS).toHaveLength(2)
    for (const { request } of ALL_DOWNLOADS)
      expect(z.safeParse(request, 'not an object').success).toBe(false)
  })

  it('include two streams, a room’s and the games’, both for everybody', () => {
    expect(ALL_STREAMS.map(({ method, path, auth, rate }) => [method, path, auth, rate])).toEqual([
      ['GET', '/api/Lottery/stream', 'none', 'read'],
      ['GET', '/api/Lottery/gamesStream', 'none', 'read'],
    ])
    for (const { request, openMax, summary } of ALL_STREAMS) {
      expect(z.safeParse(request, 'not an object').success).toBe(false)
      expect(openMax).toBeGreaterThan(0)
      expect(summary.trim()).not.toBe('')
    }
  })
})

describe('the codes and reasons', () => {
  it('match the wire’s description', () => {
    expect(CODES).toEqual({
      success: 1,
      refused: 0,
      malformed: 400,
      tokenMissing: 401,
      tokenUnknown: 50008,
      tokenReplaced: 50012,
      tokenExpired: 50014,
      forbidden: 403,
      notFound: 404,
      tooLarge: 413,
      tooMany: 429,
      fault: 500,
      unavailable: 503,
    })
    expect(SESSION_ENDED_CODES).toEqual([50008, 50012, 50014])
  })

  it('include all that it lists, each once and in snake case', () => {
    const listed =
      'account_or_password_wrong account_locked username_taken email_code_wrong ' +
      'email_code_expired member_only round_sealed round_closed round_wrong room_stopped ' +
      'games_stopped rule_unknown below_minimum above_maximum insufficient_balance limit_reached ' +
      'excluded reality_check_due security_code_not_set security_code_wrong ' +
      'security_code_locked pay_method_missing withdrawal_pending withdrawal_on_hold ' +
      'idempotency_conflict upload_not_an_image passwords_differ old_password_wrong invalid_input'
    expect(REASONS).toEqual(expect.arrayContaining(listed.split(' ')))
    expect(new Set(REASONS).size).toBe(REASONS.length)
    for (const reason of REASONS) expect(reason).toMatch(/^[a-z]+(_[a-z]+)*$/)
  })
})
