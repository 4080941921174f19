import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { AmountText } from '#src/ui/amount.tsx'
import { wantsNoMotion } from '#src/ui/auto-advance.ts'

const COUNT_MS = 250

/** An amount that counts to its new value when it changes. */
export function CountingAmount({ value, ...rest }: ComponentProps<typeof AmountText>) {
  const target = typeof value === 'string' ? amountFromWire(value) : value
  const [shown, setShown] = useState(target)
  const from = useRef(target)

  useEffect(() => {
    if (from.current === target) return
    const start = from.current
    const startedAt = performance.now()
    let frame = 0
    function step(now: number) {
      const share = wantsNoMotion() ? 1 : Math.min(1, Math.max(0, (now - startedAt) / COUNT_MS))
      from.current = share === 1 ? target : between(start, target, share)
      setShown(from.current)
      if (share < 1) frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [target])

  return <AmountText value={shown} {...rest} />
}

function between(from: Amount, to: Amount, share: number): Amount {
  return from + ((to - from) * BigInt(Math.round(share * 1_000))) / 1_000n
}
