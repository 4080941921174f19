import type { ReplyOf } from '@sum28/contract/route.ts'
import { REPORT_BY, type reportChoices } from '@sum28/contract/staff-reports-routes.ts'
import type { ReactElement } from 'react'
import { DateInput, SelectInput, TextInput } from 'react-admin'

export type Choices = ReplyOf<typeof reportChoices>

const BY = REPORT_BY.map((id) => ({ id, name: `areas.reports.by.${id}` }))
const WHO = ['players', 'robots'].map((id) => ({ id, name: `areas.reports.who.${id}` }))

/** The filters of a report; the address contains all of them. */
export function reportFilters({ games, rooms }: Choices): ReactElement[] {
  return [
    <SelectInput key="by" source="by" choices={BY} label="areas.reports.byLabel" alwaysOn />,
    <SelectInput key="who" source="who" choices={WHO} label="areas.reports.whoLabel" alwaysOn />,
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
