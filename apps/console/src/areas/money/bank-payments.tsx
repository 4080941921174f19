import { Card, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material'
import type { BankPayment } from '@sum28/contract/staff-bank-routes.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { MoneyText } from '#src/parts/money.tsx'

const COLUMNS = ['withdrawal_id', 'username', 'quantity', 'payee', 'state', 'answer'] as const

/** The payments of a batch, and what the bank answered of each. */
export function BankPayments({ payments }: { payments: readonly BankPayment[] }) {
  const translate = useTranslate()
  return (
    <Card sx={{ overflowX: 'auto' }} tabIndex={0}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {COLUMNS.map((name) => (
              <TableCell key={name} align={name === 'quantity' ? 'right' : 'left'}>
                {translate(`areas.money.paymentFields.${name}`)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {payments.map((payment) => (
            <TableRow key={payment.withdrawal_id}>
              <TableCell>
                <Link to={`/withdrawals/${payment.withdrawal_id}/show`}>
                  {payment.withdrawal_id}
                </Link>
              </TableCell>
              <TableCell>{payment.username}</TableCell>
              <TableCell align="right">
                <MoneyText value={payment.quantity} />
              </TableCell>
              <TableCell>{payment.payee}</TableCell>
              <TableCell>{translate(`areas.money.paymentState.${payment.state}`)}</TableCell>
              <TableCell>{payment.reference ?? payment.reason ?? '—'}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  )
}
