/**
 * Goal: what is the player's own is fetched when the server says that it has changed, once, and shows the later one of
 * two balances; without a stream it is polled in time. Method: the cache with observers instead of screens, the real
 * link and channel, and a network that a test answers.
 */

import type { OwnState } from '@sum28/contract/stream.ts'
import { OWN_EVENT } from '@sum28/contract/stream-rules.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { memoryStorage } from '@sum28/ui/storage.ts'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

// What calls the server reads its own host while it is loaded.
vi.hoisted(() => {
  Object.assign(globalThis, { location: { host: 'play.example', origin: '', reload: () => {} } })
})

import { openChannel } from '#src/data/live/channel.ts'
import { handleOwnEvent } from '#src/data/live/own-events.ts'
import { learnMoney, profileQuery } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { beginSession, currentSession, dropSession } from '#src/data/session-watch.ts'
import { OWN, PROFILE, USERINFO } from '#src/testing/usual-replies.ts'

const asked: { path: string; at: number }[] = []
let profile = PROFILE
let stream: () => Response
const replyMs = { now: 0 }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run))
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('sessionStorage', memoryStorage())
  asked.length = 0
  profile = PROFILE
  replyMs.now = 0
  stream = () =>
    Response.json({ code: 429, msg: 'No.', time: '0', data: { reason: 'too_many_requests' } })
  vi.stubGlobal('fetch', async (address: string, { signal }: RequestInit) => {
    const path = new URL(address, 'http://play.example').pathname
    asked.push({ path, at: performance.now() })
    if (path.endsWith('Stream')) return stream()
    // As it is at the request.
    const reply = Response.json({ code: 1, msg: '', time: '0', data: profile })
    await new Promise((done) => setTimeout(done, replyMs.now))
    signal?.throwIfAborted()
    return reply
  })
  beginSession({ ...USERINFO, token: `token ${Math.floor(performance.now())} ${asked.length}` })
})
afterEach(() => {
  dropSession()
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const send = (change: Partial<OwnState>) =>
  handleOwnEvent(queryClient, { name: OWN_EVENT, data: JSON.stringify({ ...OWN, ...change }) })
const profilesAsked = () => asked.filter(({ path }) => /userInfo$/i.test(path))
const shownMoney = () => {
  const player = queryClient.getQueryData(profileQuery.queryKey)
  return player && formatAmount(player.balance)
}

async function showBalance() {
  const leave = new QueryObserver(queryClient, profileQuery).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(1)
  return leave
}

describe('an own event', () => {
  it('shows its balance at once, and fetches what shows a changed subject, once', async () => {
    const leave = await showBalance()
    send({})
    await vi.advanceTimersByTimeAsync(1)
    expect(profilesAsked()).toHaveLength(2)
    profile = { ...PROFILE, money: '40.00', version: '7' }
    send({ money: '40.00', version: '7', bets: 'placed' })
    expect(shownMoney()).toBe('40.00')
    await vi.advanceTimersByTimeAsync(1)
    expect(profilesAsked()).toHaveLength(3)
    send({ money: '40.00', version: '7', bets: 'placed' })
    send({ money: '40.00', version: '7', bets: 'placed', protection: 'another' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(profilesAsked()).toHaveLength(3)
    // The profile has the number of unread messages.
    send({ money: '40.00', version: '7', bets: 'placed', messages: 'another' })
    await vi.advanceTimersByTimeAsync(1)
    expect(profilesAsked()).toHaveLength(4)
    leave()
  })

  it('of a message asks again what a decision of staff has changed', async () => {
    send({})
    await vi.advanceTimersByTimeAsync(1)
    const fetched = vi.fn(async () => 'waiting')
    const identity = { queryKey: ['identity'], queryFn: fetched }
    const leave = new QueryObserver(queryClient, identity).subscribe(() => {})
    await vi.advanceTimersByTimeAsync(1)
    send({ messages: 'your identity is accepted' })
    await vi.advanceTimersByTimeAsync(1)
    expect(fetched).toHaveBeenCalledTimes(2)
    leave()
  })

  it('that is late neither brings an old balance back nor hides the later one', async () => {
    const leave = await showBalance()
    learnMoney({ balance: 5_000_000n, version: 9n })
    send({ money: '77.00', version: '8' })
    expect(shownMoney()).toBe('5.00')
    // Nor does a reply that was asked for before the order and comes after it.
    profile = { ...PROFILE, money: '77.00', version: '8' }
    await vi.advanceTimersByTimeAsync(1)
    expect(profilesAsked()).toHaveLength(2)
    expect(shownMoney()).toBe('5.00')
    leave()
  })

  it('of a stream that was opened for another session changes nothing', async () => {
    const leave = await showBalance()
    dropSession()
    send({ money: '1.00', version: '99' })
    expect(shownMoney()).toBe('100.00')
    leave()
  })
})

describe('without a stream', () => {
  it('a posting is shown within two seconds, if a call and its answer take 250 ms', async () => {
    replyMs.now = 250
    const close = openChannel(queryClient)
    const leave = await showBalance()
    await vi.advanceTimersByTimeAsync(5_000)
    const from = performance.now()
    for (let posting = 1; posting <= 20; posting += 1) {
      profile = { ...PROFILE, money: `${posting}.00`, version: `${10 + posting}` }
      const postedAt = performance.now()
      while (shownMoney() !== profile.money) await vi.advanceTimersByTimeAsync(25)
      expect(performance.now() - postedAt).toBeLessThanOrEqual(2_000)
    }
    expect(performance.now()).toBeGreaterThan(from)
    leave()
    close()
  })

  it('that carries data nothing is asked for, and when it ends all at once', async () => {
    let end = () => {}
    stream = () => {
      const text = `event: ${OWN_EVENT}\ndata: ${JSON.stringify(OWN)}\n\n`
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const encoder = new TextEncoder()
          controller.enqueue(encoder.encode(text))
          const pinging = setInterval(() => controller.enqueue(encoder.encode(': ping\n\n')), 1_500)
          end = () => {
            clearInterval(pinging)
            controller.close()
          }
        },
      })
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
    }
    const leave = await showBalance()
    const close = openChannel(queryClient)
    await vi.advanceTimersByTimeAsync(1_000)
    const before = asked.length
    await vi.advanceTimersByTimeAsync(120_000)
    expect(asked).toHaveLength(before)
    end()
    await vi.advanceTimersByTimeAsync(50)
    expect(profilesAsked().length).toBeGreaterThan(1)
    expect(currentSession()).not.toBeNull()
    leave()
    close()
  })
})
