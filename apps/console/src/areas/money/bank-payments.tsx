import { Card, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material'
import { type BankPayment, releaseBankPayment } from '@sum28/contract/staff-bank-routes.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { useSession } from '#src/data/session.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { MoneyText } from '#src/parts/values.tsx'

const COLUMNS = ['withdrawal_id', 'username', 'quantity', 'payee', 'state', 'answer'] as const

/** Releases a failed payment into the next batch; not for the person who uploaded the bank's answer. */
function Release({ payment }: { payment: BankPayment }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { withdrawal_id: id, state, answered_by: taker, released_by: releaser } = payment
  if (releaser !== null) return translate('areas.money.releasedBy', { name: releaser })
  if (state !== 'failed' || taker === self) return null
  return (
    <ActionButton
      route={releaseBankPayment}
      request={{ id }}
      label="areas.money.releasePayment"
      done="areas.money.paymentReleased"
    >
      {translate('areas.money.releasePaymentSays')}
    </ActionButton>
  )
}

/** The payments of a batch, with the bank's answer for each. */
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
              <TableCell>
                {payment.reference ?? payment.reason ?? '—'} <Release payment={payment} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  )
}
