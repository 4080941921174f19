import { Card, Typography } from '@mui/material'
import { useTranslate } from 'react-admin'
import { MoneyText } from '#src/parts/money.tsx'

type TileProps = {
  /** A key of the catalogs. */
  name: string
  /** An amount of the wire, or a number. */
  now: string | number
  /** The same figure of yesterday and of a week ago. */
  before: readonly (string | number)[]
  /** Whether the earlier ones are of whole days, not only up to the same time. */
  whole?: boolean
}

/** One figure of today, compared with yesterday and a week ago. */
export function Tile({ name, now, before, whole = false }: TileProps) {
  const translate = useTranslate()
  const [yesterday = 0, lastWeek = 0] = before
  const at = whole ? 'areas.start.wholeDay' : 'areas.start.sameTime'
  return (
    <Card sx={{ padding: 2 }}>
      <Typography variant="body2" color="textSecondary">
        {translate(name)}
      </Typography>
      <Typography sx={{ fontSize: '1.25rem', fontWeight: 650 }}>
        <Value value={now} />
      </Typography>
      <Typography variant="caption" component="div" color="textSecondary">
        {translate(`${at}.yesterday`)} <Value value={yesterday} />
      </Typography>
      <Typography variant="caption" component="div" color="textSecondary">
        {translate(`${at}.lastWeek`)} <Value value={lastWeek} />
      </Typography>
    </Card>
  )
}

function Value({ value }: { value: string | number }) {
  return typeof value === 'string' ? (
    <MoneyText value={value} />
  ) : (
    <span className="num">{value}</span>
  )
}
