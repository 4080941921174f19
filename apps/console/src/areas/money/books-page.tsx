import {
  Alert,
  Box,
  Card,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
  Typography,
} from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import {
  type AccountBalance,
  chainAgainstBooks,
  trialBalance,
  trialBalanceCsv,
} from '@sum28/contract/staff-books-routes.ts'
import { Fragment, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useReply } from '#src/data/use-reply.ts'
import { DownloadButton } from '#src/parts/download-button.tsx'
import { Facts } from '#src/parts/facts.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { scrolled } from '#src/parts/plain-table.tsx'
import { decimalsOf, MomentText, MoneyText } from '#src/parts/values.tsx'

/** The trial balance of a day, and the chain against the ledger. */
export function BooksPage() {
  const translate = useTranslate()
  const [day, setDay] = useState('')
  const balance = useReply(trialBalance, day === '' ? {} : { day })
  const chain = useReply(chainAgainstBooks, {})
  return (
    <Page title={translate('areas.money.books')}>
      <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
        <Typography variant="h6" component="h2">
          {translate('areas.money.trialBalance')}
        </Typography>
        <TextField
          type="date"
          label={translate('areas.money.day')}
          value={day === '' ? (balance.data?.day ?? '') : day}
          onChange={({ target }) => setDay(target.value)}
          sx={{ maxWidth: '14rem' }}
          slotProps={{ inputLabel: { shrink: true } }}
        />
        <Loaded answer={balance}>{(shown) => <Balance shown={shown} />}</Loaded>
        <span>
          <DownloadButton download={trialBalanceCsv} request={day === '' ? {} : { day }} />
        </span>
      </Card>
      <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
        <Typography variant="h6" component="h2">
          {translate('areas.money.chainAgainstBooks')}
        </Typography>
        <Loaded answer={chain}>{(sums) => <Chain sums={sums} />}</Loaded>
      </Card>
    </Page>
  )
}

function Balance({ shown }: { shown: ReplyOf<typeof trialBalance> }) {
  const translate = useTranslate()
  const agrees = shown.debit === shown.credit
  return (
    <>
      <Typography variant="body2" color="textSecondary">
        {translate('areas.money.until')} <MomentText at={shown.until} />
      </Typography>
      <Alert severity={agrees ? 'success' : 'error'}>
        {translate(agrees ? 'areas.money.sumsAgree' : 'areas.money.sumsDiffer')}
      </Alert>
      <AccountTable accounts={shown.list} debit={shown.debit} credit={shown.credit} />
    </>
  )
}

function Chain({ sums }: { sums: ReplyOf<typeof chainAgainstBooks> }) {
  const translate = useTranslate()
  const agrees = Number(sums.difference) === 0 && sums.differences === 0
  const amounts = ['received', 'unmatched', 'matched', 'booked', 'difference'] as const
  return (
    <>
      <Alert severity={agrees ? 'success' : 'error'}>
        {translate(agrees ? 'areas.money.chainAgrees' : 'areas.money.chainDiffers')}
      </Alert>
      <Facts
        texts="areas.money.chainFields"
        facts={[
          ...amounts.map((name) => [name, <MoneyText key={name} value={sums[name]} />] as const),
          ['block', sums.block],
          ['differences', sums.differences],
        ]}
      />
    </>
  )
}

type Shown = { accounts: readonly AccountBalance[]; debit: string; credit: string }

/** Accounts with their debits and credits, each with its kinds of postings below. */
function AccountTable({ accounts, debit, credit }: Shown) {
  const translate = useTranslate()
  // All of one length, so that they stand by their points.
  const sums = [...accounts, ...accounts.flatMap(({ kinds }) => kinds)]
  const decimals = decimalsOf([debit, credit, ...sums.flatMap((sum) => [sum.debit, sum.credit])])
  return (
    <Box sx={{ overflowX: 'auto' }} {...scrolled(translate('areas.money.account'))}>
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
          {accounts.map(({ account, kinds, ...own }) => (
            <Fragment key={account}>
              <TableRow sx={{ '& th, & td': { fontWeight: 'var(--weight-bold)' } }}>
                <TableCell component="th" scope="row">
                  {translate(`areas.money.bookAccount.${account}`, {
                    _: translate(`areas.players.ledgerAccount.${account}`, { _: account }),
                  })}
                </TableCell>
                <Amounts values={[own.debit, own.credit, own.balance]} decimals={decimals} />
              </TableRow>
              {kinds.map((each) => (
                <TableRow key={each.kind}>
                  <TableCell sx={{ paddingInlineStart: 4 }}>
                    {translate(`areas.players.movement.${each.kind}`, { _: each.kind })}
                  </TableCell>
                  <Amounts values={[each.debit, each.credit]} decimals={decimals} />
                  <TableCell />
                </TableRow>
              ))}
            </Fragment>
          ))}
          <TableRow sx={{ '& th, & td': { fontWeight: 'var(--weight-bold)' } }}>
            <TableCell component="th" scope="row">
              {translate('areas.money.allAccounts')}
            </TableCell>
            <Amounts values={[debit, credit]} decimals={decimals} />
            <TableCell />
          </TableRow>
        </TableBody>
      </Table>
    </Box>
  )
}

function Amounts({ values, decimals }: { values: readonly string[]; decimals: number }) {
  return values.map((value, position) => (
    <TableCell key={position} align="right">
      <MoneyText value={value} decimals={decimals} />
    </TableCell>
  ))
}
