/**
 * The browser's part of push: its subscription, which the server sends to while the app is closed. It is of one player
 * at a time. Loaded with what shows it, and at the start only where a player has turned it on.
 */
import * as routes from '@sum28/contract/own-routes.ts'
import { PUSH_TOPICS } from '@sum28/contract/push-topics.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { deviceStorage } from '@sum28/ui/storage.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { currentSession, PUSH_PLAYER } from '#src/data/session-watch.ts'

export type PushState = ReplyOf<typeof routes.push>
export type PushTopic = PushState['topics'][number]

export const pushQuery = queryOptions({
  queryKey: ['push'],
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const endpoint = (await subscribed())?.endpoint
    return call(routes.push, { endpoint }, { signal })
  },
})

export function supportsPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** Whether this browser tells the player who is signed in, as far as it knows by itself. */
export function isPushOn(): boolean {
  return deviceStorage().getItem(PUSH_PLAYER) === currentSession()?.userId
}

export function isPushDenied(): boolean {
  return Notification.permission === 'denied'
}

/** Why this browser cannot be told of anything. */
export class PushFault extends Error {
  readonly fault: 'denied' | 'failed'

  constructor(fault: 'denied' | 'failed', options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}

/**
 * Has the browser ask its user, subscribes, and has this browser told of these topics as well.
 *
 * @throws PushFault, Refusal, Unreachable, or an AbortError if the user closed the browser's question
 */
export async function turnPushOn(more: readonly PushTopic[]): Promise<void> {
  // First, while the press of the button counts.
  const permission = await Notification.requestPermission()
  if (permission === 'denied') throw new PushFault('denied')
  if (permission === 'default') throw new DOMException('no answer', 'AbortError')
  const { topics, amounts } = await subscribe()
  const wanted = PUSH_TOPICS.filter((topic) => [...topics, ...more].includes(topic))
  if (wanted.length > topics.length) await choosePush({ topics: wanted, amounts })
}

export async function turnPushOff(): Promise<void> {
  const subscription = await subscribed()
  if (subscription) await call(routes.unsubscribePush, { endpoint: subscription.endpoint })
  await forgetPush()
}

export function choosePush({ topics, amounts }: Pick<PushState, 'topics' | 'amounts'>) {
  const [deposit, withdrawal, sign_in, support] = PUSH_TOPICS.map((topic) =>
    topics.includes(topic),
  ) as [boolean, boolean, boolean, boolean]
  return call(routes.choosePush, { deposit, withdrawal, sign_in, support, amounts })
}

/**
 * At the start and after each change of session: tells the server where the browser's subscription is, which the
 * browser may have changed meanwhile, or ends it if it is not of the player who is signed in.
 */
export async function followSession(): Promise<void> {
  if (!isPushOn()) return forgetPush()
  if (Notification.permission === 'granted') await subscribe()
}

/** Ends the browser's subscription, also without the server, and closes the messages that are shown. */
async function forgetPush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
  await (await subscribed())?.unsubscribe()
  // Last: what fails is tried again at the next start.
  deviceStorage().removeItem(PUSH_PLAYER)
}

async function subscribed(): Promise<PushSubscription | null> {
  if (!supportsPush()) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** @returns what the player has chosen */
async function subscribe(): Promise<PushState> {
  const player = currentSession()?.userId
  const state = await call(routes.push, {})
  const { endpoint = '', keys = {} } = (await subscriptionFor(state.key)).toJSON()
  const { p256dh = '', auth = '' } = keys
  await call(routes.subscribePush, { endpoint, p256dh, auth })
  if (player) deviceStorage().setItem(PUSH_PLAYER, player)
  return state
}

/** The browser's subscription for this sender; one for an earlier key of the sender is replaced. */
async function subscriptionFor(key: string): Promise<PushSubscription> {
  try {
    const { pushManager } = await withWorker()
    const options = { userVisibleOnly: true, applicationServerKey: key }
    try {
      return await inTime(pushManager.subscribe(options))
    } catch (error) {
      const before = await pushManager.getSubscription()
      if (!before) throw error
      await before.unsubscribe()
      return await inTime(pushManager.subscribe(options))
    }
  } catch (cause) {
    throw new PushFault('failed', { cause })
  }
}

/** The registration, once its worker runs; on a first visit that takes as long as storing the app. */
async function withWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  const coming = registration.active ? null : (registration.installing ?? registration.waiting)
  await new Promise<void>((resolve, reject) => {
    if (!coming) return resolve()
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') resolve()
      if (coming.state === 'redundant') reject(new Error('the worker could not store the app'))
    })
  })
  return registration
}

/** For how long a browser may look for its push service: without a network some never answer. */
const ANSWERED_WITHIN_MS = 20_000

function inTime<Result>(work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the push service is late')), ANSWERED_WITHIN_MS)
    work.then(resolve, reject).finally(() => clearTimeout(late))
  })
}
