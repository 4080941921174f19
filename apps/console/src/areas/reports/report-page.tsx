import { Box, ToggleButton, ToggleButtonGroup, useMediaQuery } from '@mui/material'
import { type ReportRow, reportChoices } from '@sum28/contract/staff-reports-routes.ts'
import { useState } from 'react'
import { DataTable, useListContext, useRecordContext, useTranslate } from 'react-admin'
import { Link, Navigate, useSearchParams } from 'react-router'
import { addressOf, periodOf, USUAL } from '#src/areas/reports/periods.ts'
import { reportFilters } from '#src/areas/reports/report-filters.tsx'
import { ReportSummary } from '#src/areas/reports/report-summary.tsx'
import { ReturnText } from '#src/areas/reports/return-text.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { DataList } from '#src/parts/data-list.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Money } from '#src/parts/money.tsx'
import { Rows } from '#src/parts/rows.tsx'

/** A report: its filters, the totals, and its rows. */
export function ReportPage() {
  const choices = useReply(reportChoices, {})
  const [query] = useSearchParams()
  return (
    <Loaded answer={choices}>
      {(choices) =>
        query.has('filter') ? (
          <DataList filters={reportFilters(choices)} sort={{ field: 'key', order: 'DESC' }}>
            <ReportSummary today={choices.today} />
            <ReportRows />
          </DataList>
        ) : (
          <Navigate
            replace
            to={addressOf({ by: 'day', who: 'players', ...periodOf(USUAL, choices.today) })}
          />
        )
      }
    </Loaded>
  )
}

/** On a screen of at least this width, all columns fit side by side. */
const WIDE = '(min-width:1360px)'

const PLAY = ['turnover', 'payouts', 'result'] as const
const MONEY = ['deposits', 'withdrawals', 'adjustments'] as const

/** The rows; on a narrow screen the user chooses between the columns of bets and of money. */
function ReportRows() {
  const { filterValues } = useListContext()
  const wide = useMediaQuery(WIDE)
  const [chosen, setChosen] = useState<Part>('play')
  const by = String(filterValues.by ?? 'day')
  const hasMoney =
    (by === 'day' || by === 'player') &&
    !filterValues.game_id &&
    !filterValues.room_id &&
    filterValues.who !== 'robots'
  const play = wide || !hasMoney || chosen === 'play'
  const money = hasMoney && (wide || chosen === 'money')
  return (
    <>
      {hasMoney && !wide && <ChooseColumns chosen={chosen} choose={setChosen} />}
      <Rows key={`${by} ${play} ${money}`}>
        <DataTable.Col source="key" label={`areas.reports.by.${by}`}>
          <About />
        </DataTable.Col>
        {play && <DataTable.NumberCol source="bets" disableSort />}
        {play && PLAY.map(moneyColumn)}
        {play && (
          <DataTable.Col source="return" align="right">
            <Return />
          </DataTable.Col>
        )}
        {money && MONEY.map(moneyColumn)}
      </Rows>
    </>
  )
}

function moneyColumn(source: string) {
  return (
    <DataTable.Col key={source} source={source} align="right">
      <Money source={source} />
    </DataTable.Col>
  )
}

type Part = 'play' | 'money'

function ChooseColumns({ chosen, choose }: { chosen: Part; choose: (part: Part) => void }) {
  const translate = useTranslate()
  return (
    <ToggleButtonGroup
      size="small"
      exclusive
      value={chosen}
      onChange={(_event, part: Part | null) => part && choose(part)}
      aria-label={translate('areas.reports.columns')}
      sx={{ paddingInline: 2, paddingBottom: 1 }}
    >
      {(['play', 'money'] as const).map((part) => (
        <ToggleButton key={part} value={part}>
          {translate(`areas.reports.column.${part}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

/** The subject of a row; a player's name is a link to his page. */
function About() {
  const row = useRecordContext<ReportRow>()
  if (!row) return null
  if (row.username !== null) return <Link to={`/players/${row.id}/show`}>{row.username}</Link>
  if (row.day !== null)
    return (
      <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
        {row.day}
      </Box>
    )
  return [row.game, row.room].filter((name) => name !== null).join(' · ')
}

function Return() {
  const row = useRecordContext<ReportRow>()
  return row ? <ReturnText figures={row} short /> : null
}
