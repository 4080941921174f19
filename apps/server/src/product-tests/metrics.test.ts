/**
 * Goal: /metrics shows what operators watch. That each is shown: alarms.test.ts.
 * Method: the whole product is used, and the metrics are read over HTTP.
 */
import { isDeepStrictEqual } from 'node:util'
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { stream as streamRoute } from '@sum28/contract/stream.ts'
import { describe, expect, it } from 'vitest'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { metricIn } from '#testing/product/captured-log.ts'
import { openIssue, playRound } from '#testing/product/play-round.ts'
import { expectSuccess, shareTestApp, type TestApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { openStream } from '#testing/requests/stream-client.ts'

const ROOM = { plan_id: 11, game_id: 1 }

/** Reads one metric; undefined where it is not shown. */
async function metric(test: TestApp, name: string): Promise<number | undefined> {
  return metricIn(await (await test.fetch('/metrics')).text(), name)
}

describe('metrics', () => {
  const test = shareTestApp()

  it('count orders by result, and measure their batches', async () => {
    const player = await addSeatedPlayer(test.database, { u: 500 })
    const issue = await openIssue(test)
    const order = { ...ROOM, issue, play_type: '[1]', money: 100 }
    expectSuccess(await test.call(playOrder, order, { ...player, key: 'one' }))
    expectSuccess(await test.call(playOrder, order, { ...player, key: 'one' }))
    await test.call(playOrder, { ...order, money: 100_000 }, player)

    const orders = (result: string, reason: string) =>
      metric(test, `sum28_orders_total{result="${result}",reason="${reason}"}`)
    expect(await orders('accepted', '')).toBe(1)
    expect(await orders('replayed', '')).toBe(1)
    expect(await orders('refused', 'insufficient_balance')).toBe(1)
    expect(await metric(test, 'sum28_order_batch_size_sum')).toBe(3)
    expect(await metric(test, 'sum28_order_batch_seconds_count')).toBe(3)
    expect(await metric(test, 'sum28_order_wait_seconds_count')).toBe(3)
    expect(await metric(test, 'sum28_orders_waiting')).toBe(0)
  })

  it('show streams, the use of each pool, and jobs that are old or have failed', async () => {
    const player = await addSeatedPlayer(test.database)
    const open = () => metric(test, `sum28_streams_open{path="${streamRoute.path}"}`)
    expect(await open()).toBe(0)
    const stream = await openStream(test.app.url, ROOM, player)
    await eventually(async () => (await open()) === 1)
    stream.cut()
    await eventually(async () => (await open()) === 0)

    for (const pool of ['requests', 'orders', 'jobs', 'files']) {
      const waiting = `sum28_pool_connections{pool="${pool}",state="waiting"}`
      expect(await metric(test, waiting), pool).toBeGreaterThanOrEqual(0)
    }
    await test.database.owner.query(
      `select graphile_worker.add_job('no such job', run_at => now() - interval '1 hour')`,
    )
    await eventually(async () => ((await metric(test, 'sum28_job_age_seconds')) ?? 0) >= 3_600)
    await test.database.owner.query(
      `select graphile_worker.permanently_fail_jobs(array_agg(id), 'a test') from graphile_worker.jobs
       where task_identifier = 'no such job'`,
    )
    expect(await metric(test, 'sum28_needs{need="jobs_failed"}')).toBe(1)
  })

  it('show the work of the engine’s process', async () => {
    await playRound(test)
    // The metrics are of a moment ago.
    await eventually(async () => {
      const counted = await test.database.owner.value<object>(
        `select jsonb_build_object(
           'drawn', count(drawn_at),
           'drawn_late', count(*) filter (where drawn_at > draws_at + interval '10 seconds'),
           'voided', count(voided_at))
         from rounds.round left join rounds.draw using (game_id, issue)`,
      )
      const shown = ['drawn', 'drawn_late', 'voided'].map(async (result) => [
        result,
        await metric(test, `sum28_engine_rounds{result="${result}"}`),
      ])
      return isDeepStrictEqual(Object.fromEntries(await Promise.all(shown)), counted)
    })
    // The engine's are not shown while it is too busy to answer.
    const delay = await eventually(() => metric(test, 'sum28_draw_delay_seconds'))
    expect(delay).toBeGreaterThan(0)
  })
})
