import { useState } from 'react'
import { Button, type ButtonKind } from '#src/button.tsx'
import { startCooldown, useCooldown } from '#src/cooldowns.ts'
import { useText } from '#src/text.ts'

type CooldownButtonProps = {
  /** Names the cooldown; it outlives the screen. */
  name: string
  /** Does it, and answers for how many seconds the button then rests; null: not at all. */
  onPress: () => Promise<number | null>
  kind?: ButtonKind
  /** The label while nothing is counted down. */
  children: string
}

/** A button that may not be pressed again for a while, such as 'send code'. */
export function CooldownButton({ name, onPress, kind = 'soft', children }: CooldownButtonProps) {
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
    <Button kind={kind} size="s" busy={busy} disabled={seconds > 0} onClick={press}>
      <span className="num">
        {seconds > 0 ? t('action.againInSeconds', { seconds }) : children}
      </span>
    </Button>
  )
}
