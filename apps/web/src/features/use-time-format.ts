import { useZone } from '#src/data/game-zone.ts'
import { useLocale } from '#src/i18n/text.ts'

/** How instants are written: in the present language and the operator's time zone. */
export function useTimeFormat(): { tag: string; zone: string } {
  const { tag } = useLocale()
  const zone = useZone()
  return { tag, zone }
}
