import { Typography } from '@mui/material'
import { useEffect, useState } from 'react'
import { useZone } from '#src/data/session.ts'
import { TAG } from '#src/parts/money.tsx'

/** The time and name of the operator's zone, in which the console shows all times. */
export function ZoneClock() {
  const zone = useZone()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const time = new Intl.DateTimeFormat(TAG, {
    timeZone: zone,
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const),
  }).format(now)
  return (
    <Typography
      variant="body2"
      color="textSecondary"
      className="num"
      title={zone}
      sx={{ paddingInline: 1 }}
    >
      {time}
    </Typography>
  )
}
