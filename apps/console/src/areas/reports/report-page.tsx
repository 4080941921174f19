import { Box, Stack, ToggleButton, ToggleButtonGroup, useMediaQuery } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { REPORT_BY, type ReportRow, reportChoices } from '@sum28/contract/staff-reports-routes.ts'
import { useState } from 'react'
import {
  DataTable,
  DateInput,
  SelectInput,
  TextInput,
  useListContext,
  useTranslate,
} from 'react-admin'
import { Link, Navigate, useSearchParams } from 'react-router'
import { OwedAndHeld } from '#src/areas/money/reserves-page.tsx'
import { addressOf, periodOf, USUAL } from '#src/areas/reports/periods.ts'
import { MONEY, PLAY, ReportSummary } from '#src/areas/reports/report-summary.tsx'
import { ReturnText } from '#src/areas/reports/return-text.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { Col } from '#src/parts/columns.tsx'
import { DataList, type FilterField } from '#src/parts/data-list.tsx'
import { choiceFilter } from '#src/parts/filters.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { dayText, Money } from '#src/parts/values.tsx'

/** A report: its filters, the totals, and its rows. */
export function ReportPage() {
  const choices = useReply(reportChoices, {})
  const [query] = useSearchParams()
  return (
    <Loaded answer={choices}>
      {(choices) =>
        query.has('filter') ? (
          <Stack sx={{ gap: 2 }}>
            <DataList filters={reportFilters(choices)} sort={{ field: 'key', order: 'DESC' }}>
              <ReportSummary today={choices.today} />
              <ReportRows />
            </DataList>
            <OwedAndHeld />
          </Stack>
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
        <Col
          sorts
          source="key"
          label={`areas.reports.by.${by}`}
          render={(row: ReportRow) => <About row={row} />}
        />
        {play && <DataTable.NumberCol source="bets" disableSort />}
        {play && PLAY.map(moneyColumn)}
        {play && (
          <Col
            sorts
            source="return"
            align="right"
            render={(row: ReportRow) => <ReturnText figures={row} short />}
          />
        )}
        {money && MONEY.map(moneyColumn)}
      </Rows>
    </>
  )
}

function moneyColumn(source: string) {
  return (
    <Col sorts key={source} source={source} align="right">
      <Money source={source} />
    </Col>
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
      sx={{ paddingBottom: 1 }}
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
function About({ row }: { row: ReportRow }) {
  if (row.username !== null) return <Link to={`/players/${row.id}/show`}>{row.username}</Link>
  if (row.day !== null)
    return (
      <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
        {dayText(row.day)}
      </Box>
    )
  return [row.game, row.room].filter((name) => name !== null).join(' · ')
}

export type Choices = ReplyOf<typeof reportChoices>

/** The filters of a report; the address contains all of them. */
function reportFilters({ games, rooms }: Choices): FilterField[] {
  return [
    choiceFilter('by', REPORT_BY, 'areas.reports.by', 'areas.reports.byLabel'),
    choiceFilter('who', ['players', 'robots'], 'areas.reports.who', 'areas.reports.whoLabel'),
    <DateInput key="begin" source="begin_date" label="areas.reports.begin" alwaysOn />,
    <DateInput key="end" source="end_date" label="areas.reports.end" alwaysOn />,
    <SelectInput
      key="game"
      source="game_id"
      choices={games}
      translateChoice={false}
      label="areas.reports.game"
      sx={{ width: '11rem' }}
      alwaysOn
    />,
    <SelectInput
      key="room"
      source="room_id"
      choices={rooms}
      translateChoice={false}
      label="areas.reports.room"
      sx={{ width: '11rem' }}
      alwaysOn
    />,
    <TextInput key="player" source="player_id" label="areas.reports.player" alwaysOn />,
  ]
}
