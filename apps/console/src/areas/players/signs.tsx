import { Box, Typography } from '@mui/material'
import { type ListedSign, SIGN_KINDS, type Sign } from '@sum28/contract/staff-protection-routes.ts'
import { Fragment } from 'react'
import { useTranslate } from 'react-admin'
import { Col, MomentCol, PlayerCol, WordCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { choiceFilter, searchFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { dayText, MoneyText } from '#src/parts/values.tsx'

/** The figures in the order in which they are shown. */
const ORDER = [
  ...['kind', 'period', 'before', 'after', 'deposited', 'bets', 'staked', 'staked_before'],
  ...['lost_before', 'amount', 'reason'],
]

const MONEY: ReadonlySet<string> = new Set([
  ...['deposited', 'staked', 'staked_before', 'lost_before', 'amount', 'before', 'after'],
])

/** A day, without a line break. */
export function DayText({ day }: { day: string }) {
  return (
    <Box component="span" className="num" sx={{ whiteSpace: 'nowrap' }}>
      {dayText(day)}
    </Box>
  )
}

/** The facts of a sign, one line for each day; or only the latest line and the number of earlier ones. */
export function SignFacts({ sign, latest = false }: { sign: Sign; latest?: boolean }) {
  const translate = useTranslate()
  const facts = latest ? sign.facts.slice(-1) : sign.facts
  const before = sign.facts.length - facts.length
  return (
    <Box component="ul" sx={{ margin: 0, padding: 0, listStyle: 'none' }}>
      {facts.map(({ day, values }, at) => (
        <li key={`${day} ${at}`}>
          <DayText day={day} />
          {ORDER.flatMap((name) => {
            const value = values[name]
            return value === undefined ? [] : [{ name, value }]
          }).map(({ name, value }) => (
            <Fragment key={name}>
              {' · '}
              {translate(`areas.players.signValue.${name}`)}{' '}
              {MONEY.has(name) ? <MoneyText value={value} /> : value}
            </Fragment>
          ))}
        </li>
      ))}
      {before > 0 && (
        <Typography component="li" variant="body2" color="textSecondary">
          {translate('areas.players.factsBefore', { smart_count: before })}
        </Typography>
      )}
    </Box>
  )
}

const FILTERS = [
  searchFilter('areas.players.searchPlayer'),
  choiceFilter('kind', SIGN_KINDS, 'areas.players.sign', 'areas.players.signLabel'),
]

/** Players with early signs. */
export function SignList() {
  return (
    <DataList filters={FILTERS}>
      <Rows>
        <PlayerCol />
        <WordCol source="kind" texts="areas.players.sign" />
        <Col source="facts" render={(sign: ListedSign) => <SignFacts sign={sign} latest />} />
        <Col source="since_day" render={(sign: ListedSign) => <DayText day={sign.since_day} />} />
        <MomentCol source="contact_at" />
      </Rows>
    </DataList>
  )
}
