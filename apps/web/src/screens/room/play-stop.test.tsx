import { protectionState } from '@sum28/contract/protection-routes.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { protectionQuery } from '#src/data/protection.ts'
import { queryClient } from '#src/data/query-client.ts'
import { beginSession } from '#src/data/session-watch.ts'
import { type PlayStop, useStopOnBreak } from '#src/screens/room/play-stop.tsx'
import { useMockServer } from '#src/testing/show-app.tsx'
import { protectionReply, USERINFO } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const Queries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

/** The hook, its reported stops, and the number of its renders. */
function show() {
  beginSession(USERINFO)
  const stops: PlayStop[] = []
  const setStop = (stop: PlayStop) => void stops.push(stop)
  let renders = 0
  const { result } = renderHook(
    () => {
      renders += 1
      return useStopOnBreak(setStop)
    },
    { wrapper: Queries },
  )
  return { stops, result, renders: () => renders }
}

const loaded = () =>
  waitFor(() => expect(queryClient.getQueryData(protectionQuery.queryKey)).toBeDefined())

it('without a break nothing is reported, also while the protection is loading', async () => {
  server().answer(protectionState, protectionReply())
  const { stops, result } = show()
  expect(result.current()).toBe(false)
  await loaded()
  expect(result.current()).toBe(false)
  expect(stops).toEqual([])
})

it('a break stops every attempt, and its end is reported', async () => {
  const until = 1_795_363_200
  const exclusion = { kind: 'time_out', until, may_ask_from: null } as const
  server().answer(protectionState, protectionReply({ exclusion }))
  const { stops, result } = show()
  await waitFor(() => expect(result.current()).toBe(true))
  expect(stops).toMatchObject([
    { kind: 'excluded', closed: { kind: 'timeOut', until: until * 1_000 } },
  ])
  expect(result.current()).toBe(true)
  expect(stops).toHaveLength(2)
})

it('a break that begins or ends meanwhile has an effect at once, by the same function', async () => {
  server().answer(protectionState, protectionReply())
  const { result } = show()
  await loaded()
  const stops = result.current
  const exclusion = { kind: 'likeness', until: null, may_ask_from: null } as const
  server().answer(protectionState, protectionReply({ exclusion }))
  await queryClient.refetchQueries(protectionQuery)
  await waitFor(() => expect(stops()).toBe(true))
  server().answer(protectionState, protectionReply())
  await queryClient.refetchQueries(protectionQuery)
  await waitFor(() => expect(stops()).toBe(false))
  expect(result.current).toBe(stops)
})

it('a change of a limit’s used amount does not rerender the room', async () => {
  server().answer(protectionState, protectionReply())
  const { renders } = show()
  await loaded()
  const before = renders()
  server().answer(
    protectionState,
    protectionReply({ limits: [{ kind: 'stake', period: 'day', own: '9.00', left: '4.00' }] }),
  )
  await queryClient.refetchQueries(protectionQuery)
  expect(renders()).toBe(before)
})
