/**
 * Messages on the player's devices while the app is closed: what he is told of, and whether here. The browser asks for its
 * permission only after he turns it on himself.
 */

import { PUSH_TOPICS } from '@sum28/contract/push-topics.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showFailure } from '#src/data/failure.ts'
import { protectionQuery } from '#src/data/protection.ts'
import {
  choosePush,
  isPushDenied,
  isPushOn,
  PushFault,
  type PushState,
  type PushTopic,
  pushQuery,
  supportsPush,
  turnPushOff,
  turnPushOn,
} from '#src/data/push.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { text, useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { TickBox } from '#src/parts/fields.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'

/** A change of what is told, or of whether it is here. The toast of its end is `done`. */
function usePushChange<Wanted>(
  change: (wanted: Wanted) => Promise<unknown>,
  done: 'push.turnedOn' | 'push.turnedOff' | 'toast.saved',
) {
  return useMutation({
    mutationFn: change,
    onSuccess: () => showToast(text(done)),
    onError: (error) => {
      if (error instanceof PushFault) showToast(text(`push.${error.fault}`), { stays: true })
      else showFailure(error)
    },
    onSettled: () => refetchQuery(pushQuery),
  })
}

/** What the player is told of, and whether on this device. */
export function PushSettings() {
  const t = useText()
  const state = useQuery(pushQuery)
  return (
    <section className="stack-3" aria-labelledby="push">
      <h2 id="push">{t('push.title')}</h2>
      <p className="quiet">{t('push.text')}</p>
      <Loaded query={state} skeleton={<Skeleton height={52} />}>
        {(push) => <Choices push={push} />}
      </Loaded>
    </section>
  )
}

function Choices({ push: { topics, amounts, here, devices } }: { push: PushState }) {
  const t = useText()
  const choosing = usePushChange(choosePush, 'toast.saved')
  // Not `disabled`, which would take the focus from the box that is ticked.
  const isOff = choosing.isPending
  const choose: typeof choosing.mutate = (chosen) => isOff || choosing.mutate(chosen)
  return (
    <>
      {here ? <OffButton /> : <OnButton chosen={topics} />}
      {devices > 0 && (
        <Card className="stack-3" role="group" aria-label={t('push.topics')}>
          {PUSH_TOPICS.map((topic) => (
            <TickBox
              key={topic}
              checked={topics.includes(topic)}
              aria-disabled={isOff}
              onChange={({ target: { checked } }) => {
                const others = topics.filter((each) => each !== topic)
                choose({ topics: checked ? [...others, topic] : others, amounts })
              }}
            >
              {t(`push.${topic}`)}
            </TickBox>
          ))}
          <TickBox
            checked={amounts}
            aria-disabled={isOff}
            onChange={({ target: { checked } }) => choose({ topics, amounts: checked })}
          >
            {t('push.amounts')}
          </TickBox>
        </Card>
      )}
    </>
  )
}

function OffButton() {
  const t = useText()
  const off = usePushChange(turnPushOff, 'push.turnedOff')
  return (
    <Button kind="soft" wide busy={off.isPending} onClick={() => off.mutate(undefined)}>
      {t('push.off')}
    </Button>
  )
}

function OnButton({ chosen }: { chosen: readonly PushTopic[] }) {
  const t = useText()
  // Who has chosen nothing yet is told of all of it.
  const on = usePushChange(() => turnPushOn(chosen.length > 0 ? [] : PUSH_TOPICS), 'push.turnedOn')
  if (!supportsPush()) return <p>{t('push.unsupported')}</p>
  if (isPushDenied()) return <p>{t('push.denied')}</p>
  return (
    <Button kind="soft" wide busy={on.isPending} onClick={() => on.mutate(undefined)}>
      {t('push.on')}
    </Button>
  )
}

function mayBeOffered(): boolean {
  return supportsPush() && !isPushDenied() && !isPushOn()
}

/** Offers, once a withdrawal is requested, to tell of its decision; during a break or a review nothing is sent. */
export function PushTick() {
  const t = useText()
  const [shown] = useState(mayBeOffered)
  const on = usePushChange(() => turnPushOn(['withdrawal']), 'push.turnedOn')
  const { data: protection } = useQuery({ ...protectionQuery, enabled: shown })
  if (!shown || protection?.exclusion !== null) return null
  const isOn = on.isPending || on.isSuccess
  return (
    <TickBox checked={isOn} aria-disabled={isOn} onChange={() => isOn || on.mutate(undefined)}>
      {t('push.offerTick')}
    </TickBox>
  )
}
