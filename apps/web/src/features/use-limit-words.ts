import { serverNow } from '@sum28/ui/server-clock.ts'
import type { LimitName } from '#src/data/protection.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import { dataTimeText, minuteText } from '#src/i18n/time-text.ts'

type LimitWords = {
  /** `Daily stake limit`. */
  nameOf: (limit: LimitName) => string
  /** A time within the next days, `Mon, Nov 23, 00:00`; for today only the time. */
  soon: (at: number) => string
  /** A time that may be years away, with its year. */
  farAway: (at: number) => string
}

/** The words for limits and their times, in the operator's time zone. */
export function useLimitWords(): LimitWords {
  const t = useText()
  const when = useTimeFormat()
  return {
    nameOf: ({ kind, period }) => t(`limits.name.${kind}-${period}`),
    soon: (at) => dataTimeText(at, serverNow(), when),
    farAway: (at) => minuteText(at, when),
  }
}
