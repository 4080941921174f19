/** The time until a posting is shown, on a fake clock: home, lobby, deposit and withdrawal poll the same query. */
import { userInfo } from '@sum28/contract/user-routes.ts'
import { QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { liveProfileQuery } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { beginSession } from '#src/data/session-watch.ts'
import { useMockServer } from '#src/testing/show-app.tsx'
import { PROFILE, USERINFO } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const WITHIN_MS = 2_000
/** The call's way to the server, and as long the answer's way back. */
const WAY_MS = 125

it('a posting is shown after at most 1,875 ms, if a call and its answer take 250 ms', async () => {
  vi.useFakeTimers()
  beginSession(USERINFO)
  let money = '100.00'
  const fetched = server().fetch
  const away = () => new Promise((there) => setTimeout(there, WAY_MS))
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    await away()
    const answer = await fetched(...request)
    await away()
    return answer
  })
  let postedAt = 0
  server().answer(userInfo, () => {
    const reply = { ...PROFILE, money }
    // The worst moment: just after the server has read the balance.
    if (money === '100.00') {
      money = '177.25'
      postedAt = Date.now()
    }
    return reply
  })
  const watching = new QueryObserver(queryClient, liveProfileQuery)
  const shown: { money: string; at: number }[] = []
  const stop = watching.subscribe(({ data }) => {
    if (data && data.money !== shown.at(-1)?.money)
      shown.push({ money: data.money, at: Date.now() })
  })
  await vi.advanceTimersByTimeAsync(WITHIN_MS + 2 * WAY_MS)
  stop()
  expect(shown.map(({ money }) => money)).toEqual(['100.00', '177.25'])
  const tookMs = (shown[1]?.at ?? 0) - postedAt
  expect(tookMs).toBe(1_875)
  expect(tookMs).toBeLessThanOrEqual(WITHIN_MS)
})
