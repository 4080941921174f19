import { beforeAll, describe, expect, it } from 'vitest'
import { addSeatedPlayers } from '#testing/people/seated-player.ts'
import { timeOf } from '#testing/product/play-round.ts'
import { registerMember, shareTestApp, TEST_PASSWORD } from '#testing/product/test-app.ts'

const app = shareTestApp({ RATE_LIMITS: 'on' })

// The minute in which calls are counted does not end, however long the machine takes for them.
beforeAll(async () => app().database.freezeClock(await timeOf(app())))

/** Calls from a network address, as the proxy in front of the server passes it on. */
const from = (address: string) => ({ 'X-Forwarded-For': address })

const signIn = (account: string, address: string, password = 'a wrong one') =>
  app().post('/api/user/login', { account, password, lang: 'en' }, from(address))

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
  it('stop guesses of a password, in any spelling of the name, and never the owner elsewhere', async () => {
    const owner = await registerMember(app(), 'guessed_at')
    const names = ['guessed_at', 'GUESSED_AT', ' guessed_at', 'guessed_at \t', 'Guessed_At']
    const tries = await times(20, (index) => signIn(names[index % 5] ?? '', '203.0.113.1'))
    expect(new Set(tries.map(({ http }) => http))).toEqual(new Set([200]))
    const refused = await signIn(' guessed_AT  ', '203.0.113.1', TEST_PASSWORD)
    expectTooMany(refused)
    expect(refused.msg).toMatch(/^Too many attempts\. Please try again in \d+ seconds?$/)
    expect(await signIn(owner.username, '203.0.113.2', TEST_PASSWORD)).toMatchObject({ code: 1 })
  })

  it('count a client address that requests codes, whatever their recipients', async () => {
    const ask = (index: number, address: string) =>
      app().post(
        '/api/ems/send',
        { email: `to${index}@example.org`, event: 'register' },
        from(address),
      )
    const replies = await times(10, (index) => ask(index, '203.0.113.3'))
    expect(replies.map(({ code }) => code)).toEqual(Array(10).fill(1))
    expectTooMany(await ask(10, '203.0.113.3'))
    expect(await ask(11, '203.0.113.4')).toMatchObject({ code: 1 })
  })

  it('count an address that registers accounts', async () => {
    const visitor = (index: number, address: string) =>
      app().post(
        '/api/user/register',
        { username: `swarm_${index}`, password: 'qwzxvk', group_id: 2 },
        from(address),
      )
    const made = await times(20, (index) => visitor(index, '203.0.113.5'))
    expect(made.map(({ code }) => code)).toEqual(Array(20).fill(1))
    expectTooMany(await visitor(20, '203.0.113.5'))
  })

  it('count an IPv6 customer once, whichever of his addresses he calls from', async () => {
    const ask = (index: number, network: string) =>
      app().post(
        '/api/ems/send',
        { email: `sixer${index}@example.org`, event: 'register' },
        from(`${network}:${index.toString(16)}::${index + 1}`),
      )
    const replies = await times(60, (index) => ask(index, '2001:db8:1:2'))
    expect(replies.filter(({ code }) => code === 1)).toHaveLength(10)
    expectTooMany(await ask(60, '2001:db8:1:2'))
    expect(await ask(61, '2001:db8:1:3')).toMatchObject({ code: 1 })
  })

  it('count the registrations of an IPv6 customer once, whichever of his addresses he calls from', async () => {
    const visitor = (index: number, network: string) =>
      app().post(
        '/api/user/register',
        { username: `hydra_${index}`, password: 'qwzxvk', group_id: 2 },
        from(`${network}:${index.toString(16)}::${index + 1}`),
      )
    const replies = await times(60, (index) => visitor(index, '2001:db8:2:1'))
    expect(replies.filter(({ code }) => code === 1)).toHaveLength(20)
    expect(replies.slice(20).map(({ http }) => http)).toEqual(Array(40).fill(429))
    expectTooMany(await visitor(60, '2001:db8:2:1'))
    expect(await visitor(61, '2001:db8:2:2')).toMatchObject({ code: 1 })
  })

  it('cannot be avoided by naming an account that the call does not use', async () => {
    const visitor = (index: number) =>
      app().post(
        '/api/user/register',
        { username: `named_${index}`, password: 'qwzxvk', group_id: 2, account: `any_${index}` },
        from('203.0.113.9'),
      )
    const made = await times(20, visitor)
    expect(made.map(({ code }) => code)).toEqual(Array(20).fill(1))
    expectTooMany(await visitor(20))
  })

  it('cannot be avoided by a client address that the client itself has written', async () => {
    const read = (index: number, address: string) =>
      app().fetch('/api/index/config', { headers: from(`198.51.100.${index % 250}, ${address}`) })
    const replies = await times(300, (index) => read(index, '203.0.113.6'), { together: 20 })
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await read(301, '203.0.113.6')).status).toBe(429)
    expect((await read(301, '203.0.113.7')).status).toBe(200)
  })

  it('count malformed calls and calls without a token, too', async () => {
    const leave = () => app().post('/api/user/logout', {}, from('203.0.113.8'))
    const replies = await times(240, leave, { together: 20 })
    expect(new Set(replies.map(({ http }) => http))).toEqual(new Set([401]))
    expectTooMany(await leave())
  })

  it('count a player who asks for his balance alone, however many are behind his address', async () => {
    const address = '203.0.113.10'
    const players = await addSeatedPlayers(app().database, 3)
    const ask = ({ token }: { token: string }) =>
      app().post('/api/user/userInfo', {}, { ...from(address), Token: token })
    // Three times as often as the app asks; together more than the network may call anything else.
    for (const player of players) {
      const replies = await times(120, () => ask(player), { together: 20 })
      expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([1]))
      expectTooMany(await ask(player))
    }
  })
})
