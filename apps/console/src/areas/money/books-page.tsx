import { Alert, Card, TextField, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { chainAgainstBooks, trialBalance } from '@sum28/contract/staff-books-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { AccountTable } from '#src/areas/money/account-table.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { Facts } from '#src/parts/facts.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { MomentText } from '#src/parts/moment.tsx'
import { MoneyText } from '#src/parts/money.tsx'
import { Page } from '#src/parts/page.tsx'

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
