import { Box, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material'
import type { AccountBalance } from '@sum28/contract/staff-books-routes.ts'
import { Fragment } from 'react'
import { useTranslate } from 'react-admin'
import { MoneyText } from '#src/parts/money.tsx'

type Shown = { accounts: readonly AccountBalance[]; debit: string; credit: string }

/** Accounts with their debits and credits, each with its kinds of postings below. */
export function AccountTable({ accounts, debit, credit }: Shown) {
  const translate = useTranslate()
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0}>
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{translate('areas.money.account')}</TableCell>
            <TableCell align="right">{translate('areas.money.debit')}</TableCell>
            <TableCell align="right">{translate('areas.money.credit')}</TableCell>
            <TableCell align="right">{translate('areas.money.balance')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {accounts.map(({ account, kinds, ...sums }) => (
            <Fragment key={account}>
              <TableRow sx={{ '& th, & td': { fontWeight: 650 } }}>
                <TableCell component="th" scope="row">
                  {account}
                </TableCell>
                <Amounts values={[sums.debit, sums.credit, sums.balance]} />
              </TableRow>
              {kinds.map((each) => (
                <TableRow key={each.kind}>
                  <TableCell sx={{ paddingInlineStart: 4 }}>{each.kind}</TableCell>
                  <Amounts values={[each.debit, each.credit]} />
                  <TableCell />
                </TableRow>
              ))}
            </Fragment>
          ))}
          <TableRow sx={{ '& th, & td': { fontWeight: 650 } }}>
            <TableCell component="th" scope="row">
              {translate('areas.money.allAccounts')}
            </TableCell>
            <Amounts values={[debit, credit]} />
            <TableCell />
          </TableRow>
        </TableBody>
      </Table>
    </Box>
  )
}

function Amounts({ values }: { values: readonly string[] }) {
  return values.map((value, place) => (
    <TableCell key={place} align="right">
      <MoneyText value={value} />
    </TableCell>
  ))
}
