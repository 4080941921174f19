import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type Answer,
  SUCCESS,
  sendJson,
  startAnsweringServer,
} from '../testing/answering-server.ts'
import {
  type ClientOptions,
  createClient,
  newIdempotencyKey,
  Refusal,
  Unreachable,
} from './client.ts'
import { config, home } from './index-routes.ts'
import { issueList, lobby, playOrder } from './lottery-routes.ts'
import { login, logout, refresh, register, upload, userInfo } from './user-routes.ts'

/**
 * A client of a real server. Its waits between tries are recorded instead of waited for, and a try times
 * out when the server says so, so that no answer is late on a busy machine.
 */
async function clientOf(
  answer: (...args: [...Parameters<Answer>, timeOut: () => void]) => void,
  options: Partial<ClientOptions> = {},
) {
  const tries: AbortController[] = []
  const server = await startAnsweringServer((response, number) =>
    answer(response, number, () => tries.at(-1)?.abort()),
  )
  const waits: number[] = []
  const call = createClient({
    base: () => server.base,
    token: () => 'the-token',
    lang: () => 'zh-TW',
    host: 'play.example',
    wait: async (ms) => {
      waits.push(ms)
    },
    timeOutAfter: () => {
      const ending = new AbortController()
      tries.push(ending)
      return ending.signal
    },
    ...options,
  })
  return { call, waits, received: server.received, base: server.base }
}

/** The error with which a promise was rejected. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it was not rejected')
}

const succeed: Answer = (response) => sendJson(response, SUCCESS)
const refuseTooMany: Answer = (response) =>
  sendJson(response, { ...SUCCESS, code: 429, data: { reason: 'too_many_requests' } }, 429)
const stall = (...[, , timeOut]: [...Parameters<Answer>, () => void]) => timeOut()
const ORDER = { issue: '20261120001', plan_id: 1, game_id: 1, play_type: '[1,413]', money: '100' }

describe('a request', () => {
  it('with a file is sent as a form, with the language in the query', async () => {
    const { call, received } = await clientOf(succeed)
    await call(upload, {}, { file: new Blob(['the bytes']) })
    const [request] = received
    expect(request?.url.search).toBe('?lang=zh-TW')
    expect(request?.headers.token).toBe('the-token')
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    const body = String(request?.body)
    expect(body).toMatch(/name="file"; filename="[^"]*"\r\n[\s\S]*the bytes/)
    for (const field of ['host', 'lang']) expect(body).toContain(`name="${field}"`)
  })

  it('to a route that takes no file leaves the file out', async () => {
    const { call, received } = await clientOf(succeed)
    await call(logout, {}, { file: new Blob(['the bytes']) })
    expect(received[0]?.headers['content-type']).toBe('application/json')
  })

  it('by POST is JSON with its fields, host and lang', async () => {
    const { call, received } = await clientOf(succeed)
    await call(playOrder, ORDER, { idempotencyKey: 'key-1' })
    expect(received).toHaveLength(1)
    const [request] = received
    expect(request?.method).toBe('POST')
    expect(request?.url.pathname).toBe('/api/Lottery/playOrder')
    expect(request?.url.search).toBe('')
    expect(request?.headers['content-type']).toBe('application/json')
    expect(request?.headers['idempotency-key']).toBe('key-1')
    expect(request?.headers.token).toBe('the-token')
    expect(JSON.parse(request?.body ?? '')).toEqual({
      ...ORDER,
      host: 'play.example',
      lang: 'zh-TW',
    })
  })

  it('by GET has its fields in the query, without absent ones, and no body', async () => {
    const { call, received } = await clientOf(succeed)
    const fields: Record<string, unknown> = { a: 'x&y=z', b: 0, c: undefined, d: null }
    await call(home, fields as Record<string, never>)
    const [request] = received
    expect(request?.method).toBe('GET')
    expect(request?.url.pathname).toBe('/api/index/index')
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      a: 'x&y=z',
      b: '0',
      host: 'play.example',
      lang: 'zh-TW',
    })
    expect(request?.body).toBe('')
    expect(request?.headers['content-type']).toBeUndefined()
  })

  it('has no Token without a session, and no key if it changes nothing', async () => {
    const { call, received } = await clientOf(succeed, { token: () => null })
    await call(userInfo, {})
    expect(received[0]?.headers).not.toHaveProperty('token')
    expect(received[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  it('has no Token at login and registration, even with a session', async () => {
    const { call, received } = await clientOf(succeed)
    await call(login, { account: 'anna', password: 'x' })
    await call(register, { username: 'anna', password: 'x' })
    await call(refresh, {})
    await call(logout, {})
    await call(config, {})
    expect(received.map(({ headers }) => headers.token)).toEqual([
      undefined,
      undefined,
      'the-token',
      'the-token',
      'the-token',
    ])
  })

  it('reads the address, token and language again each time', async () => {
    let repeat = 0
    const other = await startAnsweringServer(succeed)
    const { call, received } = await clientOf(succeed, {
      token: () => `token-${repeat}`,
      lang: () => ['en', 'ja'][repeat] ?? '',
    })
    await call(userInfo, {})
    repeat = 1
    await call(userInfo, {})
    expect(received.map(({ headers, body }) => [headers.token, JSON.parse(body).lang])).toEqual([
      ['token-0', 'en'],
      ['token-1', 'ja'],
    ])
    const bases = [other.base]
    const switched = await clientOf(succeed, { base: () => bases[0] ?? '' })
    await switched.call(userInfo, {})
    expect(switched.received).toHaveLength(0)
    expect(other.received).toHaveLength(1)
  })
})

describe('an answer', () => {
  it.each([1, 200])('with code %d returns its data', async (code) => {
    const data = { gameList: [] }
    const { call } = await clientOf((response) => sendJson(response, { ...SUCCESS, code, data }))
    expect(await call(lobby, {})).toEqual(data)
  })

  it.each([
    [200, 0, 'insufficient_balance'],
    [400, 400, 'invalid_input'],
    [401, 401, 'token_missing'],
    [401, 50008, 'session_unknown'],
    [401, 50012, 'session_replaced'],
    [401, 50014, 'session_expired'],
    [403, 403, 'forbidden'],
    [404, 404, 'not_found'],
    [413, 413, 'too_large'],
    [429, 429, 'too_many_requests'],
    [500, 500, 'fault'],
  ])(
    'of HTTP %d with code %d is a refusal, and is not tried again',
    async (status, code, reason) => {
      const data = { reason, fields: { money: 'This is too large' }, retry_after: 7 }
      const envelope = { code, msg: 'Nein.', time: '1790000000', data }
      const { call, received, waits } = await clientOf((response) =>
        sendJson(response, envelope, status),
      )
      const error = await rejection(call(playOrder, ORDER))
      expect(error).toBeInstanceOf(Refusal)
      expect(error).toMatchObject({ name: 'Refusal', message: 'Nein.', code, data })
      expect([received.length, waits.length]).toEqual([1, 0])
    },
  )

  it('tells its time, also where it refuses, to whoever listens to the server’s clock', async () => {
    const heard: string[] = []
    const { call } = await clientOf(
      (response, number) => {
        const refused = { code: 0, msg: 'no', time: '1790000001', data: { reason: 'fault' } }
        sendJson(response, number === 1 ? { ...refused, code: 1, time: '1790000000' } : refused)
      },
      { listenToClock: () => (time) => heard.push(time) },
    )
    await call(logout, {})
    await rejection(call(logout, {}))
    expect(heard).toEqual(['1790000000', '1790000001'])
  })

  it.each([null, undefined, 'text', []])(
    'that refuses with data %j still has a reason',
    async (data) => {
      const { call } = await clientOf((response) =>
        sendJson(response, { code: 0, msg: 'no', time: '1', data }),
      )
      expect(await rejection(call(userInfo, {}))).toMatchObject({ data: { reason: 'fault' } })
    },
  )

  it.each([
    ['half JSON', 200, '{"code":1,"msg":"do'],
    ['a page of a proxy', 200, '<html><h1>Sign in to this network</h1></html>'],
    ['nothing', 200, ''],
    ['null', 200, 'null'],
    ['a text', 200, '"done"'],
    ['a list', 200, '[]'],
    ['an object that is no envelope', 200, '{}'],
    ['a code that is no number', 200, '{"code":"1","data":{}}'],
    ['no content', 204, ''],
  ])('that is %s counts as no answer, and is not tried again', async (_, status, body) => {
    const { call, received, waits } = await clientOf((response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body)
    })
    const error = await rejection(call(playOrder, ORDER))
    expect(error).toBeInstanceOf(Unreachable)
    expect(error).toMatchObject({ name: 'Unreachable', timedOut: false })
    expect([received.length, waits.length]).toEqual([1, 0])
  })
})

describe('a server that cannot be reached', () => {
  it('is not tried again when nothing listens', async () => {
    const gone = await startAnsweringServer(succeed)
    const { call, waits } = await clientOf(succeed, { base: () => gone.base })
    // Not before: another server could get its port.
    await gone.close()
    expect(await rejection(call(userInfo, {}))).toMatchObject({
      name: 'Unreachable',
      timedOut: false,
      message: 'the server cannot be reached',
    })
    expect(waits).toEqual([])
  })

  it('is not tried again when it drops the connection', async () => {
    const { call, received, waits } = await clientOf((response) => response.destroy())
    const error = await rejection(call(playOrder, ORDER, { idempotencyKey: 'k' }))
    expect(error).toMatchObject({ name: 'Unreachable', timedOut: false })
    expect([received.length, waits.length]).toEqual([1, 0])
  })
})

/** A client on a fake clock, with its own time-outs and pauses, of a server that never answers. */
function clientOnFakeClock() {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  // The same on the fake clock, which does not have this one.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const ending = new AbortController()
    setTimeout(() => ending.abort(), ms)
    return ending.signal
  })
  const begunAt = Date.now()
  const sinceBegin = () => Date.now() - begunAt
  const triedAt: number[] = []
  const call = createClient({
    base: () => 'https://play.example',
    token: () => null,
    lang: () => 'en',
    host: 'h',
    fetch: (_, init) => {
      triedAt.push(sinceBegin())
      return new Promise((_answer, fail) => {
        init?.signal?.addEventListener('abort', () => fail(init.signal?.reason))
      })
    },
  })
  return { call, triedAt, sinceBegin }
}

describe('an answer that no server is there', () => {
  const answers: [string, Answer][] = [
    ['of a balancer', (response) => response.writeHead(503).end('<h1>No server</h1>')],
    [
      'of a server without its database',
      (response) => {
        const data = { reason: 'unavailable', retry_after: 2 }
        sendJson(response, { code: 503, msg: 'Not now.', time: '0', data }, 503)
      },
    ],
  ]

  it.each(answers)('%s lets an action be repeated with its key until one is', async (_, away) => {
    const { call, received, waits } = await clientOf((response, number) =>
      number < 3 ? away(response, number) : succeed(response, number),
    )
    await call(playOrder, ORDER, { idempotencyKey: 'one-key' })
    const keys = received.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['one-key', 'one-key', 'one-key'])
    expect(waits).toEqual([2_000, 2_000])
  })

  it.each(answers)(
    '%s is followed by others while too many requests come, and is the answer if they do to the end',
    async (_, away) => {
      const { call, received } = await clientOf((response, number) =>
        [away, refuseTooMany, succeed][number - 1]?.(response, number),
      )
      await call(playOrder, ORDER)
      expect(received).toHaveLength(3)
      expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
      const never = await clientOf((response, number) =>
        (number === 1 ? away : refuseTooMany)(response, number),
      )
      expect(await rejection(never.call(playOrder, ORDER))).not.toMatchObject({ code: 429 })
      expect(never.received).toHaveLength(7)
    },
  )

  it.each(answers)(
    '%s is itself the answer after seven tries, and to what is only read',
    async (_, away) => {
      const { call, received } = await clientOf(away)
      const error = await rejection(call(playOrder, ORDER))
      expect(error).not.toMatchObject({ timedOut: true })
      expect(received).toHaveLength(7)
      await rejection(call(userInfo, {}))
      expect(received).toHaveLength(8)
    },
  )
})

describe('a try that times out', () => {
  it('takes 7 s and is repeated every 2 s, up to 7 tries in all', async () => {
    const { call, triedAt, sinceBegin } = clientOnFakeClock()
    let failedAt: number | null = null
    const failed = rejection(call(playOrder, ORDER)).finally(() => {
      failedAt = sinceBegin()
    })
    await vi.advanceTimersByTimeAsync(60_999)
    expect(triedAt).toEqual([0, 9_000, 18_000, 27_000, 36_000, 45_000, 54_000])
    expect(failedAt).toBe(null)
    await vi.advanceTimersByTimeAsync(1)
    expect(failedAt).toBe(61_000)
    expect(await failed).toMatchObject({ name: 'Unreachable', timedOut: true })
  })

  const timedOutAt: Answer = (response) =>
    sendJson(
      response,
      { code: 503, msg: 'Not now.', time: '0', data: { reason: 'unavailable', cause: 'timeout' } },
      503,
    )

  it('by the server’s own word is repeated likewise, with the same key', async () => {
    const { call, received, waits } = await clientOf((response, number) => {
      if (number < 3) timedOutAt(response, number)
      else succeed(response, number)
    })
    await call(playOrder, ORDER, { idempotencyKey: 'one-key' })
    const keys = received.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['one-key', 'one-key', 'one-key'])
    expect(waits).toEqual([2_000, 2_000])
  })

  it('seven times by the server’s word counts as no answer', async () => {
    const { call, received } = await clientOf(timedOutAt)
    const error = await rejection(call(playOrder, ORDER))
    expect(error).toMatchObject({ name: 'Unreachable', timedOut: true })
    expect(received).toHaveLength(7)
  })

  it('takes 60 s where it carries a file', async () => {
    const { call, triedAt } = clientOnFakeClock()
    const failed = rejection(call(upload, {}, { file: new Blob(['the bytes']) }))
    await vi.advanceTimersByTimeAsync(61_999)
    expect(triedAt).toEqual([0])
    await vi.advanceTimersByTimeAsync(1)
    expect(triedAt).toEqual([0, 62_000])
    await vi.runAllTimersAsync()
    expect(await failed).toMatchObject({ timedOut: true })
  })

  it('is made at most 7 times, always with the same key and body', async () => {
    const { call, received, waits } = await clientOf(stall)
    const error = await rejection(call(playOrder, ORDER, { idempotencyKey: 'one-key' }))
    expect(error).toBeInstanceOf(Unreachable)
    expect(error).toMatchObject({
      timedOut: true,
      message: 'the server did not answer in time',
    })
    expect(received).toHaveLength(7)
    expect(waits).toEqual([2_000, 2_000, 2_000, 2_000, 2_000, 2_000])
    expect(new Set(received.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set(['one-key']),
    )
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  })

  it('is made with the same key also if none was given, and the next call with another', async () => {
    const { call, received } = await clientOf((response, number, timeOut) => {
      if (number % 2 === 1) return timeOut()
      succeed(response, number)
    })
    for (const _call of [1, 2]) await call(login, { account: 'anna', password: 'x' })
    const keys = received.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(4)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect([keys[1], keys[3]]).toEqual([keys[0], keys[2]])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('is replaced by the answer of a later try', async () => {
    const { call, received, waits } = await clientOf((response, number, timeOut) => {
      if (number < 7) return timeOut()
      sendJson(response, { ...SUCCESS, data: { late: true } })
    })
    expect(await call(userInfo, {})).toEqual({ late: true })
    expect([received.length, waits.length]).toEqual([7, 6])
  })

  it('is not repeated once the server refused', async () => {
    const { call, received } = await clientOf((response, number, timeOut) => {
      if (number < 2) return timeOut()
      sendJson(response, { ...SUCCESS, code: 0, data: { reason: 'round_sealed' } })
    })
    expect(await rejection(call(playOrder, ORDER))).toBeInstanceOf(Refusal)
    expect(received).toHaveLength(2)
  })

  it('is followed by others while too many requests come, which is no answer about the action', async () => {
    const { call, received } = await clientOf((response, number, timeOut) => {
      if (number === 1) return timeOut()
      if (number < 4) return refuseTooMany(response, number)
      succeed(response, number)
    })
    await call(playOrder, ORDER, { idempotencyKey: 'one-key' })
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    const never = await clientOf((response, number, timeOut) =>
      number === 1 ? timeOut() : refuseTooMany(response, number),
    )
    expect(await rejection(never.call(playOrder, ORDER))).toBeInstanceOf(Unreachable)
  })

  it('includes a try whose answer stops in the middle', async () => {
    const { call, received } = await clientOf((response, number, timeOut) => {
      if (number > 1) return sendJson(response, SUCCESS)
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.write('{"code":1,', timeOut)
    })
    expect(await call(logout, {})).toBeNull()
    expect(received).toHaveLength(2)
  })
})

describe('a caller who cancels', () => {
  const reason = new Error('left the page')

  it('before the call causes no request', async () => {
    const { call, received } = await clientOf(succeed)
    expect(await rejection(call(userInfo, {}, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(received).toHaveLength(0)
  })

  it('during a try gets his own reason, and no other try is made', async () => {
    const control = new AbortController()
    const { call, received, waits } = await clientOf(() => control.abort(reason))
    expect(await rejection(call(userInfo, {}, { signal: control.signal }))).toBe(reason)
    expect([received.length, waits.length]).toEqual([1, 0])
  })

  it('between two tries gets the reason at once, and no other try is made', async () => {
    const control = new AbortController()
    const { call, received } = await clientOf(stall, {
      wait: () => {
        control.abort(reason)
        return new Promise(() => {})
      },
    })
    expect(await rejection(call(userInfo, {}, { signal: control.signal }))).toBe(reason)
    expect(received).toHaveLength(1)
  })

  it('after the answer changes nothing', async () => {
    const control = new AbortController()
    const { call } = await clientOf(succeed)
    expect(await call(logout, {}, { signal: control.signal })).toBeNull()
    control.abort(reason)
  })
})

describe('a client', () => {
  it('can be given another fetch function', async () => {
    const addresses: string[] = []
    const { call, received } = await clientOf(succeed, {
      base: () => 'https://elsewhere.example',
      fetch: async (input) => {
        addresses.push(String(input))
        return Response.json({ ...SUCCESS, data: [] })
      },
    })
    expect(await call(issueList, { game_id: 1 })).toEqual([])
    expect(addresses).toEqual(['https://elsewhere.example/api/Lottery/issueList'])
    expect(received).toHaveLength(0)
  })

  it('can make many calls at once, each with its own answer', async () => {
    const { call, received } = await clientOf((response, number) =>
      setTimeout(() => sendJson(response, { ...SUCCESS, data: { number } }), 20 - number),
    )
    const replies = await Promise.all(Array.from({ length: 10 }, () => call(userInfo, {})))
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(10)
    expect(received).toHaveLength(10)
  })
})

describe('an idempotency key', () => {
  it('is 32 visible characters, and never repeats', () => {
    const keys = Array.from({ length: 1000 }, newIdempotencyKey)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(keys).size).toBe(1000)
  })
})

describe('in a browser without AbortSignal.any', () => {
  const { any } = AbortSignal
  afterEach(() => {
    AbortSignal.any = any
  })

  it('a call that can be cancelled is sent, and is cancelled', async () => {
    Reflect.deleteProperty(AbortSignal, 'any')
    const { call } = await clientOf((response) => sendJson(response, SUCCESS))
    const control = new AbortController()
    expect(await call(logout, {}, { signal: control.signal })).toBeNull()
    const reason = new Error('left the page')
    const cancelled = rejection(call(userInfo, {}, { signal: control.signal }))
    control.abort(reason)
    expect(await cancelled).toBe(reason)
  })
})
