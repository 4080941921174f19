import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { configQuery } from '#src/data/config.ts'
import { useLocale } from '#src/i18n/text.ts'

/** The default zone; used until the configuration has come. */
const USUAL_ZONE = 'Asia/Singapore'

/** Known once for all, by `Providers`: every row of a list writes its time by it. */
export const ZoneContext = createContext(USUAL_ZONE)

/** The value of {@link ZoneContext}. */
export function useZoneOfGames(): string {
  return useQuery(configQuery).data?.zone ?? USUAL_ZONE
}

/** The operator's time zone, by which days are counted. */
export function useZone(): string {
  return use(ZoneContext)
}

/** How instants are written: in the present language and the operator's time zone. */
export function useTimeFormat(): { tag: string; zone: string } {
  const { tag } = useLocale()
  const zone = useZone()
  return { tag, zone }
}
