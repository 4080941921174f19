import { useLocale } from '@sum28/ui/text.ts'
import { useZone } from '#src/data/game-zone.ts'

/** How instants are written: in the present language and the operator's time zone. */
export function useTimeFormat(): { tag: string; zone: string } {
  const { tag } = useLocale()
  const zone = useZone()
  return { tag, zone }
}
