import { describe, expect, test } from 'vitest'
import {
  clearFailures,
  failNext,
  type LocalFailureKind,
} from '#testing/hosts/local-node-failures.ts'
import { serveLocalNode, serveRawNode } from '#testing/hosts/served-local-node.ts'
import { LOCAL_FAUCET_ADDRESS as to } from './local-tron-node.ts'
import { TRON_ANSWER_BYTES_MAX, type TronAnswer } from './tron-call.ts'
import { tronNode } from './tron-node.ts'

function failureOf(answer: TronAnswer<unknown>) {
  if (answer.ok) throw new Error('no failure')
  return answer.failure
}

describe('a node', () => {
  test('returns its head and its solid head, which lags behind', async () => {
    const { node, grow } = await serveLocalNode()
    await grow(10)
    expect(await node.head()).toEqual({
      ok: true,
      value: { blockNumber: 10, blockTime: new Date('2030-01-01T00:00:30Z') },
    })
    expect(await node.solidHead()).toMatchObject({ ok: true, value: { blockNumber: 8 } })
  })

  test('returns a block with its transactions when it is solid, and not before', async () => {
    const { node, local, send, grow } = await serveLocalNode()
    await grow(4)
    const { blockNumber } = await send(to, 5n)
    await grow(1)
    expect((await node.freshBlock({ blockNumber })).ok).toBe(true)
    // It does not accept `[]` as an empty block.
    expect(failureOf(await node.solidBlock({ blockNumber })).kind).toBe('not_yet')
    expect(failureOf(await node.freshBlock({ blockNumber: 6 })).kind).toBe('not_yet')
    await grow(2)
    const blockTime = new Date('2030-01-01T00:00:15Z')
    const solid = { ok: true, value: { blockNumber: 5, blockTime, infos: [{}] } }
    failNext(local, { kind: 'empty', call: 'gettransactioninfobyblocknum' })
    expect(failureOf(await node.solidBlock({ blockNumber })).kind).toBe('not_yet')
    expect(await node.solidBlock({ blockNumber })).toMatchObject(solid)
    expect(await node.solidBlock({ blockNumber: 3 })).toEqual({
      ok: true,
      value: { blockNumber: 3, blockTime: new Date('2030-01-01T00:00:09Z'), infos: [] },
    })
  })

  test('that does not call contracts says why', async () => {
    const message = Buffer.from('this node does not support constant').toString('hex')
    const url = await serveRawNode((_request, response) =>
      response.end(JSON.stringify({ result: { code: 'CONTRACT_VALIDATE_ERROR', message } })),
    )
    const answer = await tronNode({ url }).solidBalance({ contract: to, address: to })
    expect(failureOf(answer)).toMatchObject({
      kind: 'malformed',
      message: 'not a balance: CONTRACT_VALIDATE_ERROR this node does not support constant',
    })
  })

  test('that fails is classified by kind', async () => {
    const { node: patient, local, growSolid, url } = await serveLocalNode()
    // Only a call without any answer is given up soon: a busy machine answers late.
    const impatient = tronNode({ url, timeoutMs: 300 })
    await growSolid()
    const kinds: [LocalFailureKind, object][] = [
      ['http429', { kind: 'rate_limited', status: 429, retryAfterMs: 1_000 }],
      ['http403', { kind: 'rate_limited', status: 403, retryAfterMs: 30_000 }],
      ['error200', { kind: 'node_error', status: 200 }],
      ['malformed', { kind: 'malformed' }],
      ['timeout', { kind: 'timeout' }],
    ]
    for (const [kind, expected] of kinds) {
      const node = kind === 'timeout' ? impatient : patient
      failNext(local, { kind, times: 3 })
      for (const call of [node.solidHead(), node.head(), node.solidBlock({ blockNumber: 1 })])
        expect(failureOf(await call)).toMatchObject(expected)
      // A request may have been given up before it came to the node.
      if (kind === 'timeout') clearFailures(local)
      expect((await patient.head()).ok).toBe(true)
    }
    failNext(local, { kind: 'empty' })
    expect(failureOf(await patient.solidHead()).kind).toBe('malformed')
  })

  test('that is down, or whose caller cancels, is classified too', async () => {
    const served = await serveLocalNode()
    const { local, node } = served
    failNext(local, { kind: 'timeout' })
    const stopping = new AbortController()
    const head = node.head(stopping.signal)
    setTimeout(() => stopping.abort(), 30)
    expect(failureOf(await head).kind).toBe('stopped')
    await served.close()
    expect(failureOf(await node.head()).kind).toBe('unreachable')
  })

  test('gets the key in its header, and no redirect carries it away', async () => {
    const keys: unknown[] = []
    const url = await serveRawNode((request, response) => {
      keys.push(request.headers['tron-pro-api-key'], request.method, request.url)
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()
    })
    const failure = failureOf(await tronNode({ url: `${url}/x/`, apiKey: 'k-1' }).head())
    expect(failure.kind).toBe('unreachable')
    expect(keys).toEqual(['k-1', 'POST', '/x/wallet/getnowblock'])
    expect(JSON.stringify(failure)).not.toContain('k-1')
  })

  test('may name the end of the pause as a date', async () => {
    const url = await serveRawNode((_request, response) => {
      response.writeHead(429, { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }).end('slow down')
    })
    const node = tronNode({ url, now: () => Date.UTC(2026, 0, 1, 0, 0, 15) })
    expect(failureOf(await node.head())).toMatchObject({ retryAfterMs: 45_000, status: 429 })
  })

  test('that answers 401 or 403 without a rate limit counts as refused, and other statuses are named', async () => {
    let status = 403
    const url = await serveRawNode((_request, response) => response.writeHead(status).end('{}'))
    const node = tronNode({ url })
    expect(failureOf(await node.head())).toMatchObject({ kind: 'refused', retryAfterMs: null })
    status = 502
    expect(failureOf(await node.head())).toMatchObject({ kind: 'http', status: 502 })
  })

  test('that aborts in the middle of an answer returns no block', async () => {
    const url = await serveRawNode((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('[]')
      setTimeout(() => response.destroy(), 10)
    })
    const answer = await tronNode({ url }).freshBlock({ blockNumber: 1 })
    expect(failureOf(answer).kind).toBe('unreachable')
  })

  test('that answers for another block, twice the same, or in another form is malformed', async () => {
    const info = { id: 'aa'.repeat(32), blockNumber: 7 }
    const other = { block_header: { raw_data: { number: 6, timestamp: 1_767_225_600_000 } } }
    let body: unknown
    const url = await serveRawNode((request, response) => {
      response.end(JSON.stringify(request.url?.endsWith('getblockbynum') ? other : body))
    })
    for (const [answer, kind] of [
      [[{ ...info, blockNumber: 8 }], 'malformed'],
      [[info, info], 'malformed'],
      [[{ ...info, id: 'zz' }], 'malformed'],
      ['hello', 'malformed'],
      [null, 'malformed'],
      [{ Error: 'x' }, 'node_error'],
      [{}, 'not_yet'],
      // It shows another block for the empty one.
      [[], 'not_yet'],
    ] as const) {
      body = answer
      expect(failureOf(await tronNode({ url }).solidBlock({ blockNumber: 7 })).kind).toBe(kind)
    }
  })

  test('that sends more than any block has is cut off', async () => {
    const piece = Buffer.alloc(1024 * 1024, ' ')
    let sent = 0
    const ended = Promise.withResolvers<void>()
    const url = await serveRawNode((_request, response) => {
      const send = () => {
        if (response.destroyed) return
        sent += piece.length
        if (response.write(piece)) setImmediate(send)
        else response.once('drain', send)
      }
      response.once('close', ended.resolve)
      send()
    })
    const failure = failureOf(await tronNode({ url, timeoutMs: 300_000 }).solidHead())
    expect(failure).toMatchObject({ kind: 'malformed', status: 200 })
    expect(failure.message).toContain(`more than ${TRON_ANSWER_BYTES_MAX} bytes`)
    await ended.promise
    // What the connection holds is already sent when the client leaves.
    expect(sent).toBeLessThan(2 * TRON_ANSWER_BYTES_MAX)
  })
})
