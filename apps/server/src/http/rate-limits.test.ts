import { beforeAll, describe, expect, it } from 'vitest'
import { addSeatedPlayers } from '#testing/people/seated-player.ts'
import { timeOf } from '#testing/product/play-round.ts'
import { API_ALONE, shareTestApp } from '#testing/product/test-app.ts'

const test = shareTestApp({ ...API_ALONE, RATE_LIMITS: 'on' })

// The minute in which calls are counted does not end, however long the machine takes for them.
beforeAll(async () => test.database.freezeClock(await timeOf(test)))

/** Calls from a network address, as the proxy in front of the server passes it on. */
const from = (address: string) => ({ 'X-Forwarded-For': address })

/** @param together how many calls are made at once; the replies come in the order of the calls */
async function times<Result>(
  count: number,
  call: (index: number) => Promise<Result>,
  { together = 1 } = {},
) {
  const results: Result[] = []
  while (results.length < count) {
    const indexes = Array.from({ length: together }, (_, index) => results.length + index)
    results.push(...(await Promise.all(indexes.map(call))))
  }
  return results
}

function expectTooMany(reply: { http: number; code: number; data: unknown; headers: Headers }) {
  expect(reply).toMatchObject({ http: 429, code: 429, data: { reason: 'too_many_requests' } })
  const { retry_after: seconds } = reply.data as { retry_after: number }
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(reply.headers.get('retry-after')).toBe(String(seconds))
}

describe('the rate limits', () => {
  it.each([
    ['the codes', 10, '2001:db8:1', '/api/ems/send'],
    ['the registrations', 20, '2001:db8:2', '/api/user/register'],
  ])(
    'count %s of an IPv6 customer once, whichever of his addresses he calls from',
    async (_what, max, site, path) => {
      const ask = (index: number, network: string) => {
        const [username, email] = [`hydra_${index}`, `hydra_${index}@example.org`]
        const visitor = { username, password: 'qwzxvk', group_id: 2 }
        const body = path.endsWith('register') ? visitor : { email, event: 'register' }
        return test.post(path, body, from(`${network}:${index.toString(16)}::${index + 1}`))
      }
      const replies = await times(max + 2, (index) => ask(index, `${site}:1`))
      expect(replies.map(({ http }) => http)).toEqual([...Array(max).fill(200), 429, 429])
      expectTooMany(await ask(max + 2, `${site}:1`))
      expect(await ask(max + 3, `${site}:2`)).toMatchObject({ code: 1 })
    },
  )

  it('cannot be avoided by naming an account that the call does not use', async () => {
    const visitor = (index: number) =>
      test.post(
        '/api/user/register',
        { username: `named_${index}`, password: 'qwzxvk', group_id: 2, account: `any_${index}` },
        from('203.0.113.9'),
      )
    const made = await times(20, visitor)
    expect(made.map(({ code }) => code)).toEqual(Array(20).fill(1))
    expectTooMany(await visitor(20))
  })

  it('do not count what a foreign page sends', async () => {
    const register = (index: number, page = {}) =>
      test.post(
        '/api/user/register',
        { username: `own_${index}`, password: 'qwzxvk', group_id: 2 },
        { ...from('203.0.113.11'), ...page },
      )
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    const replies = await times(20, (index) => register(index, foreign))
    expect(replies.map(({ http }) => http)).toEqual(Array(20).fill(403))
    expect(await register(20)).toMatchObject({ http: 200, code: 1 })
  })

  it('count malformed calls and calls without a token, too', async () => {
    const save = () => test.post('/api/user/profile', {}, from('203.0.113.8'))
    const replies = await times(240, save, { together: 20 })
    expect(new Set(replies.map(({ http }) => http))).toEqual(new Set([401]))
    expectTooMany(await save())
  })

  it('count a player who asks for his balance alone, however many are behind his address', async () => {
    const address = '203.0.113.10'
    const players = await addSeatedPlayers(test.database, 3)
    const ask = ({ token }: { token: string }) =>
      test.post('/api/user/userInfo', {}, { ...from(address), Token: token })
    // Three times as often as the app asks; together more than the network may call anything else.
    for (const player of players) {
      const replies = await times(120, () => ask(player), { together: 20 })
      expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([1]))
      expectTooMany(await ask(player))
    }
  })
})
