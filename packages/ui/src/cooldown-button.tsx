import { useState } from 'react'
import { Button } from '#src/button.tsx'
import { useSecondsLeft } from '#src/countdown.ts'
import { createStore, useStore } from '#src/store.ts'
import { useText } from '#src/text.ts'

type CooldownButtonProps = {
  /** The name of the cooldown, which continues after the screen is left. */
  name: string
  /** Acts, and resolves to the seconds of the cooldown, or null for none. */
  onPress: () => Promise<number | null>
  /** The label outside a cooldown. */
  children: string
}

/** A button with a cooldown, such as 'send code'. */
export function CooldownButton({ name, onPress, children }: CooldownButtonProps) {
  const t = useText()
  const seconds = useCooldown(name)
  const [busy, setBusy] = useState(false)

  async function press() {
    setBusy(true)
    try {
      const rest = await onPress()
      if (rest !== null) startCooldown(name, rest)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button kind="soft" size="s" busy={busy} disabled={seconds > 0} onClick={press}>
      <span className="num">
        {seconds > 0 ? t('action.againInSeconds', { seconds }) : children}
      </span>
    </Button>
  )
}

/** Cooldowns by name, kept outside components, so that leaving a screen does not end one. */

/** The end of each cooldown, as an instant of `performance.now()`. */
const endsAt = createStore<ReadonlyMap<string, number>>(new Map())

/** Starts or restarts a cooldown. */
function startCooldown(name: string, seconds: number): void {
  endsAt.set(new Map(endsAt.get()).set(name, performance.now() + seconds * 1_000))
}

/** Whole seconds until a cooldown is over; 0 when there is none. */
function useCooldown(name: string): number {
  return useSecondsLeft(useStore(endsAt).get(name) ?? null)
}
