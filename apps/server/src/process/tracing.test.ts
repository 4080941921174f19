/**
 * Goal: with an endpoint, a collector receives a call, its SQL and the batch of its order as spans; without one
 * nothing is sent. Method: the running API, and an HTTP server that receives what the exporter sends (OTLP in
 * JSON).
 */
import { heart, playOrder } from '@sum28/contract/lottery-routes.ts'
import { stream as streamRoute } from '@sum28/contract/stream.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openTestRound } from '#testing/database/fixtures.ts'
import { attributeOf, startCollector } from '#testing/hosts/trace-collector.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { API_ALONE, createTestApp, expectSuccess } from '#testing/product/test-app.ts'
import { openStream } from '#testing/requests/stream-client.ts'

const ROOM = { plan_id: 11, game_id: 1 }

describe('with a collector', () => {
  it('a call is a span, its SQL are spans in it, and the batch of its order is linked to it', async () => {
    const collector = await startCollector()
    const test = await createTestApp({
      ...API_ALONE,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    })
    const player = await addSeatedPlayer(test.database, { u: 500, name: 'ann_lee' })
    const stream = await openStream(test.app.url, ROOM, player)
    const { issue } = await openTestRound(test.database)
    const order = { ...ROOM, issue, play_type: '[1]', money: 100 }
    const reply = await test.call(playOrder, order, player)
    expect(reply.code).toBe(1)
    stream.cut()
    // The rest is sent at the end.
    await test.stop()

    const spans = collector.spans()
    expect([...collector.paths]).toEqual(['/v1/traces'])
    expect(new Set(collector.services())).toEqual(new Set(['sum28']))
    const request = spans.find(({ name }) => name === `POST ${playOrder.path}`)
    if (!request) throw new Error('the order is no span')
    expect(request.parentSpanId).toBeFalsy()
    expect(attributeOf(request, 'http.response.status_code')).toBe(200)
    expect(attributeOf(request, 'sum28.request_id')).toBe(reply.headers.get('x-request-id'))
    const session = spans.find(
      ({ parentSpanId, name }) => parentSpanId === request.spanId && name.startsWith('select '),
    )
    expect(session && attributeOf(session, 'db.query.text')).toContain('accounts.session')

    const batch = spans.find(({ name }) => name === 'order batch')
    if (!batch) throw new Error('the batch is no span')
    expect(attributeOf(batch, 'sum28.batch.orders')).toBe(1)
    expect(batch.traceId).not.toBe(request.traceId)
    expect(batch.links.map(({ spanId }) => spanId)).toEqual([request.spanId])
    const place = spans.find(({ parentSpanId }) => parentSpanId === batch.spanId)
    expect(place?.name).toBe('select bets.place')

    // Neither values nor spans of calls without an end.
    expect(collector.text()).not.toContain(player.token)
    expect(collector.text()).not.toContain('ann_lee')
    expect(spans.map(({ name }) => name)).not.toContain(`GET ${streamRoute.path}`)
  })

  it('that is down, everything continues, including the end', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '500')
    onTestFinished(() => void vi.unstubAllEnvs())
    const test = await createTestApp({
      ...API_ALONE,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    })
    const player = await addSeatedPlayer(test.database)
    expectSuccess(await test.call(heart, ROOM, player))
    await test.stop()
  })
})
