import { Typography } from '@mui/material'
import type { ReportRow } from '@sum28/contract/staff-reports-routes.ts'
import { useTranslate } from 'react-admin'
import { percent, returnBand } from '#src/areas/start/return-band.ts'

type Figures = Pick<ReportRow, 'bets' | 'turnover' | 'payouts' | 'expected' | 'deviation'>

/** The return in fact, and what the odds and chance let one expect. */
export function ReturnText({ figures }: { figures: Figures }) {
  const translate = useTranslate()
  const { deviation } = figures
  const band = returnBand({ ...figures, deviation: deviation ?? '0.00' })
  if (!band) return '—'
  const known = deviation !== null
  return (
    <>
      <span className="num">{percent(band.fact)}</span>
      <Typography
        variant="caption"
        component="div"
        color={known && !band.within ? 'warning' : 'textSecondary'}
      >
        {known
          ? translate('areas.reports.band', {
              theory: percent(band.theory),
              low: percent(band.low),
              high: percent(band.high),
            })
          : translate('areas.reports.theory', { theory: percent(band.theory) })}
      </Typography>
    </>
  )
}
