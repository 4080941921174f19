/**
 * Messages on the player's devices while the app is closed: what he is told of, and whether here. The browser asks for its
 * permission only after he turns it on himself.
 */
import * as routes from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { Button } from '@sum28/ui/button.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { TickBox } from '@sum28/ui/tick-box.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import { isOffered, offerAnswered } from '#src/data/limits-offer.ts'
import { queryClient } from '#src/data/query-client.ts'
import styles from '#src/features/limits-offer.module.css'
import { Loaded } from '#src/features/loaded.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import { text, useText } from '#src/i18n/text.ts'

type PushState = ReplyOf<typeof routes.push>
type Topic = PushState['topics'][number]

const pushQuery = queryOptions({
  queryKey: ['push'],
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const endpoint = (await subscribed())?.endpoint
    return call(routes.push, { endpoint }, { signal })
  },
})

/** Whether this browser can show messages while the app is closed. */
const isSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

async function subscribed(): Promise<PushSubscription | null> {
  if (!isSupported()) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Why this browser cannot be told of anything; the message is shown to the player. */
class PushFault extends Error {}

/** Has the browser ask its user, subscribes, and has this browser told of these topics as well. */
async function turnOn(more: readonly Topic[]): Promise<void> {
  // First, while the press of the button counts.
  if ((await Notification.requestPermission()) !== 'granted')
    throw new PushFault(text('push.denied'))
  const { key, topics, amounts } = await call(routes.push, {})
  const { endpoint, keys = {} } = (await subscription(key)).toJSON()
  await choose({ topics: [...topics, ...more], amounts })
  const { p256dh = '', auth = '' } = keys
  await call(routes.subscribePush, { endpoint: endpoint ?? '', p256dh, auth })
}

/** The browser's subscription for this sender; one for an earlier key of the sender is replaced. */
async function subscription(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: key }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    const before = await pushManager.getSubscription()
    if (!before) throw new PushFault(text('push.failed'), { cause: error })
    await before.unsubscribe()
    return pushManager.subscribe(options)
  }
}

async function turnOff(): Promise<void> {
  const here = await subscribed()
  if (!here) return
  await call(routes.unsubscribePush, { endpoint: here.endpoint })
  await here.unsubscribe()
}

function choose({ topics, amounts }: Pick<PushState, 'topics' | 'amounts'>): Promise<null> {
  const ticks = Object.fromEntries(
    routes.PUSH_TOPICS.map((topic) => [topic, topics.includes(topic)]),
  )
  return call(routes.choosePush, { ...(ticks as Record<Topic, boolean>), amounts })
}

function usePushChange<Wanted>(change: (wanted: Wanted) => Promise<unknown>, done: () => string) {
  return useMutation({
    mutationFn: change,
    onSuccess: () => showToast(done()),
    onError: (error) =>
      error instanceof PushFault ? showToast(error.message) : showFailure(error),
    onSettled: () => queryClient.invalidateQueries(pushQuery),
  })
}

/** What the player is told of, and whether on this device. */
export function PushSettings() {
  const t = useText()
  const state = useQuery(pushQuery)
  return (
    <section className="stack-4" aria-labelledby="push">
      <h2 id="push">{t('push.title')}</h2>
      <p className="quiet">{t('push.text')}</p>
      {isSupported() ? (
        <Loaded query={state} skeleton={<Skeleton height={220} />}>
          {(push) => <Choices push={push} />}
        </Loaded>
      ) : (
        <p>{t('push.unsupported')}</p>
      )}
    </section>
  )
}

function Choices({ push: { topics, amounts, here, devices } }: { push: PushState }) {
  const t = useText()
  const choosing = usePushChange(choose, () => text('push.saved'))
  const on = usePushChange(
    // Who has chosen nothing yet is told of all of it.
    () => turnOn(topics.length > 0 ? [] : routes.PUSH_TOPICS),
    () => text('push.turnedOn'),
  )
  const off = usePushChange(turnOff, () => text('push.turnedOff'))
  return (
    <>
      {here ? (
        <Button kind="soft" wide busy={off.isPending} onClick={() => off.mutate(undefined)}>
          {t('push.off')}
        </Button>
      ) : (
        <Button wide busy={on.isPending} onClick={() => on.mutate(undefined)}>
          {t('push.on')}
        </Button>
      )}
      {devices > 0 && (
        <Card className="stack-3">
          {routes.PUSH_TOPICS.map((topic) => (
            <TickBox
              key={topic}
              checked={topics.includes(topic)}
              disabled={choosing.isPending}
              onChange={({ target: { checked } }) => {
                const others = topics.filter((each) => each !== topic)
                choosing.mutate({ topics: checked ? [...others, topic] : others, amounts })
              }}
            >
              {t(`push.${topic}`)}
            </TickBox>
          ))}
          <TickBox
            checked={amounts}
            disabled={choosing.isPending}
            onChange={({ target: { checked } }) => choosing.mutate({ topics, amounts: checked })}
          >
            {t('push.amounts')}
          </TickBox>
        </Card>
      )}
    </>
  )
}

/** Offers, once a withdrawal waits for its decision, to tell of it. Asked once; both answers look the same. */
export function PushOffer() {
  const t = useText()
  const [shown, setShown] = useState(() => isSupported() && isOffered('push'))
  const { data: push } = useQuery({ ...pushQuery, enabled: shown })
  const on = usePushChange(
    () => turnOn(['withdrawal']),
    () => text('push.turnedOn'),
  )
  if (!shown || !push || push.here) return null

  function answered() {
    offerAnswered('push')
    setShown(false)
  }

  return (
    <Card className={styles.offer} role="region" aria-label={t('push.offerTitle')}>
      <h2>{t('push.offerTitle')}</h2>
      <p className="quiet">{t('push.offerText')}</p>
      <div className={styles.answers}>
        <Button
          kind="soft"
          size="s"
          busy={on.isPending}
          onClick={() => on.mutate(undefined, { onSettled: answered })}
        >
          {t('push.offerYes')}
        </Button>
        <Button kind="soft" size="s" onClick={answered}>
          {t('offer.skip')}
        </Button>
      </div>
    </Card>
  )
}
