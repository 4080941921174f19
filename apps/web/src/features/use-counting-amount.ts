import type { Amount } from '@sum28/domain/money.ts'
import { useEffect, useRef, useState } from 'react'
import { prefersReducedMotion } from '#src/parts/reduced-motion.ts'

const COUNT_MS = 250
const STEPS = 1_000

/** An amount that counts from its old value to the new one, unless reduced motion is on. */
export function useCountingAmount(value: Amount): Amount {
  const [shown, setShown] = useState(value)
  const from = useRef(value)

  useEffect(() => {
    const start = from.current
    from.current = value
    if (start === value || prefersReducedMotion()) {
      setShown(value)
      return
    }
    const startedAt = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      const done = Math.min(1, Math.max(0, (now - startedAt) / COUNT_MS))
      const eased = BigInt(Math.round((1 - (1 - done) ** 3) * STEPS))
      setShown(start + ((value - start) * eased) / BigInt(STEPS))
      if (done < 1) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [value])

  return shown
}
