import { type Day, dayOf } from '@sum28/domain/schedule.ts'
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#src/data/config.ts'

/** What the operator's time zone is unless he sets another one; in force until he was asked. */
const USUAL_ZONE = 'Asia/Singapore'

/** The operator's time zone, by which days are counted, and the day that it is there. */
export function useGameZone(): { zone: string; today: Day } {
  const config = useQuery(configQuery)
  const zone = config.data?.features.game_timezone ?? USUAL_ZONE
  return { zone, today: dayOf(zone, Date.now()) }
}
