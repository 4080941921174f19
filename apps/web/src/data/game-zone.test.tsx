import { config } from '@sum28/contract/index-routes.ts'
import { orderList, userInfo } from '@sum28/contract/user-routes.ts'
import { forgetServerClock } from '@sum28/ui/server-clock.ts'
import { render, renderHook, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Providers } from '#src/app/providers.tsx'
import { configQuery } from '#src/data/config.ts'
import { useGameZone, watchDay } from '#src/data/game-day.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { queryClient } from '#src/data/query-client.ts'
import { staleSince } from '#src/data/stale-data.ts'
import { dayTimeText } from '#src/i18n/time-text.ts'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { CONFIG } from '#src/testing/usual-replies.ts'

const server = useMockServer()

// In Singapore, the zone that is used before the configuration has come, it is the 21st for hours already.
const BEFORE_MIDNIGHT = '2026-11-21T04:59:59.900Z'
const MIDNIGHT = '2026-11-21T05:00:00.000Z'

beforeEach(() => {
  vi.setSystemTime(BEFORE_MIDNIGHT)
  const features = { ...CONFIG.features, game_timezone: 'America/New_York' }
  server().answer(config, { ...CONFIG, features })
})

it('a list of today shows the next day from midnight in the zone of the games', async () => {
  // Without it the list would first be that of Singapore’s day, the 21st, and not be requested again at midnight.
  await queryClient.prefetchQuery(configQuery)
  await showApp(href('betHistory'))
  const lastDays = () => {
    const { begin_date: from, end_date: to } = server().requestsOf(orderList).at(-1)?.input ?? {}
    return [from, to]
  }
  await waitFor(() => expect(lastDays()).toEqual(['2026-11-20', '2026-11-20']))
  vi.setSystemTime(MIDNIGHT)
  await waitFor(() => expect(lastDays()).toEqual(['2026-11-21', '2026-11-21']))
})

it('the present day changes at midnight, although nothing else is shown anew', async () => {
  const { result } = renderHook(() => useGameZone(), { wrapper: Providers })
  expect(result.current).toEqual({ zone: 'Asia/Singapore', today: '2026-11-21' })
  const zone = 'America/New_York'
  await waitFor(() => expect(result.current).toEqual({ zone, today: '2026-11-20' }))
  vi.setSystemTime(MIDNIGHT)
  await waitFor(() => expect(result.current).toEqual({ zone, today: '2026-11-21' }))
})

it('a page that stays open takes what the operator has changed within 15 minutes, and sooner after a failure', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.setSystemTime(BEFORE_MIDNIGHT)
  const { result } = renderHook(() => useTimeFormat(), { wrapper: Providers })
  const showsZone = (zone: string) => waitFor(() => expect(result.current.zone).toBe(zone))
  await showsZone('America/New_York')
  const answerZone = (zone: string) =>
    server().answer(config, { ...CONFIG, features: { ...CONFIG.features, game_timezone: zone } })
  answerZone('Asia/Tokyo')
  await vi.advanceTimersByTimeAsync(15 * 60_000 - 5_000)
  expect(result.current.zone).toBe('America/New_York')
  await vi.advanceTimersByTimeAsync(5_000)
  await showsZone('Asia/Tokyo')
  server().refuse(config, { reason: 'unavailable', msg: 'Please try later', code: 503 })
  await vi.advanceTimersByTimeAsync(15 * 60_000)
  // Nothing that is shown is old because of it.
  expect(queryClient.getQueryState(configQuery.queryKey)?.status).toBe('error')
  expect(staleSince(queryClient.getQueryCache().getAll(), { online: true })).toBeNull()
  answerZone('Asia/Seoul')
  await vi.advanceTimersByTimeAsync(30_000)
  await showsZone('Asia/Seoul')
})

it('a new day refetches the profile, whose profit of today the server counts by days, also if it began with the page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
  vi.setSystemTime(BEFORE_MIDNIGHT)
  await showApp(href('me'))
  await screen.findByText('ann')
  await waitFor(() => expect(server().requestsOf(config)).toHaveLength(1))
  const before = server().requestsOf(userInfo).length
  vi.setSystemTime(MIDNIGHT)
  vi.advanceTimersByTime(10_000)
  await waitFor(() => expect(server().requestsOf(userInfo)).toHaveLength(before + 1))
})

it('a phone whose clock is days wrong asks for the profile as often as any other', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
  vi.setSystemTime('2026-11-20T12:00:00.000Z')
  server().setClockAhead(3 * 86_400_000)
  // Of the zone that is used before it, so that nothing begins anew with it.
  server().answer(config, CONFIG)
  await showApp(href('me'))
  await screen.findByText('ann')
  await waitFor(() => expect(server().requestsOf(config)).toHaveLength(1))
  const before = server().requestsOf(userInfo).length
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server().requestsOf(userInfo)).toHaveLength(before)
})

it('the present day is the server’s, on a phone whose clock is days or years wrong', async () => {
  for (const days of [-800, -1, 3]) {
    vi.setSystemTime(Date.parse(BEFORE_MIDNIGHT) - 6 * 3_600_000 + days * 86_400_000)
    server().setClockAhead(-days * 86_400_000)
    queryClient.clear()
    const { result, unmount } = renderHook(() => useGameZone(), { wrapper: Providers })
    const expected = { zone: 'America/New_York', today: '2026-11-20' }
    await waitFor(() => expect(result.current).toEqual(expected))
    unmount()
  }
})

it('fifty rows write their times by one observer of the configuration, and watch no day', async () => {
  const listen = vi.spyOn(document, 'addEventListener')
  const timers = vi.spyOn(globalThis, 'setTimeout')
  function Row() {
    return <li>{dayTimeText(0, useTimeFormat())}</li>
  }
  const rows = Array.from({ length: 50 }, (_, row) => ({ id: `row ${row}` }))
  const { findAllByRole } = render(
    <Providers>
      {rows.map(({ id }) => (
        <Row key={id} />
      ))}
    </Providers>,
  )
  expect(await findAllByRole('listitem')).toHaveLength(50)
  const { queryKey } = configQuery
  expect(queryClient.getQueryCache().find({ queryKey })?.getObserversCount()).toBe(1)
  const ofDay = listen.mock.calls.filter(([event]) => event === 'visibilitychange')
  expect(ofDay).toHaveLength(0)
  expect(timers.mock.calls.length).toBeLessThan(rows.length)
})

describe('the watch of days', () => {
  const page = new EventTarget()

  beforeEach(() => {
    // As at the app’s start, whatever other tests of this process have heard.
    forgetServerClock()
    vi.useFakeTimers()
    vi.stubGlobal('document', page)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('reports a new day at midnight in the operator’s time zone, in any time zone of the device', () => {
    vi.setSystemTime('2026-11-20T15:59:30.500Z')
    const days: string[] = []
    const stop = watchDay('Asia/Singapore', (day) => days.push(day))
    vi.advanceTimersByTime(29_499)
    expect(days).toEqual([])
    vi.advanceTimersByTime(1)
    expect(days).toEqual(['2026-11-21'])
    vi.advanceTimersByTime(24 * 60 * 60_000)
    expect(days).toEqual(['2026-11-21', '2026-11-22'])
    stop()
    vi.advanceTimersByTime(48 * 60 * 60_000)
    expect(days).toHaveLength(2)
  })

  it('reports it at once when a page that was hidden at midnight is visible again', () => {
    vi.setSystemTime('2026-11-20T15:00:00Z')
    const days: string[] = []
    const stop = watchDay('Asia/Singapore', (day) => days.push(day))
    // Timers stand still while a device sleeps; its clock does not.
    vi.setSystemTime('2026-11-21T02:00:00Z')
    page.dispatchEvent(new Event('visibilitychange'))
    expect(days).toEqual(['2026-11-21'])
    stop()
  })
})
