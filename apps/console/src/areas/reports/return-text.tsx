import { Typography } from '@mui/material'
import type { ReportRow } from '@sum28/contract/staff-reports-routes.ts'
import { useTranslate } from 'react-admin'
import { percent, returnBand } from '#src/areas/start/return-band.ts'

type Figures = Pick<ReportRow, 'bets' | 'turnover' | 'payouts' | 'expected' | 'deviation'>

/** The actual return, and the band that odds and chance predict; in a table only the band. */
export function ReturnText({ figures, short = false }: { figures: Figures; short?: boolean }) {
  const translate = useTranslate()
  const { deviation } = figures
  const band = returnBand({ ...figures, deviation: deviation ?? '0.00' })
  if (!band) return '—'
  const isKnown = deviation !== null
  return (
    <>
      <span className="num">{percent(band.fact)}</span>
      <Typography
        variant="caption"
        component="div"
        {...(short && { sx: { whiteSpace: 'nowrap' } })}
        color={isKnown && !band.within ? 'warning' : 'textSecondary'}
      >
        {isKnown
          ? translate(short ? 'areas.reports.bandAlone' : 'areas.reports.band', {
              theory: percent(band.theory),
              low: percent(band.low),
              high: percent(band.high),
            })
          : translate('areas.reports.theory', { theory: percent(band.theory) })}
      </Typography>
    </>
  )
}
