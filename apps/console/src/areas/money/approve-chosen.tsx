import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material'
import { approveWithdrawal, type StaffWithdrawal } from '@sum28/contract/staff-routes.ts'
import { amountFromWire, formatAmount } from '@sum28/domain/money.ts'
import { useId, useRef, useState } from 'react'
import { useListContext, useRefresh, useTranslate } from 'react-admin'
import { AboutChosen, PayeeText } from '#src/areas/money/withdrawal-hints.tsx'
import { call, isSessionEnd, keyedActions } from '#src/data/call.ts'
import { type Failure, failureOf } from '#src/data/failure.ts'
import { useIsRejected } from '#src/data/held-calls.ts'
import { useMay } from '#src/data/session.ts'
import { FailureText } from '#src/parts/action-button.tsx'
import { MissingAnswers } from '#src/parts/loaded.tsx'
import { MoneyText } from '#src/parts/values.tsx'

/** The sum of the chosen withdrawals, and a button that approves them one after the other. */
export function ApproveChosen() {
  const translate = useTranslate()
  const may = useMay()
  const { data = [], selectedIds } = useListContext<StaffWithdrawal>()
  const [asked, setAsked] = useState<readonly StaffWithdrawal[] | null>(null)
  const chosen = data.filter(({ id }) => selectedIds.includes(id))
  const count = { smart_count: chosen.length }
  return (
    <>
      <Typography component="span" sx={{ marginInlineEnd: 1 }}>
        {translate('areas.money.chosenSum', count)} · <MoneyText value={sumOf(chosen)} />
      </Typography>
      {may(approveWithdrawal.action) && (
        <Button disabled={chosen.length === 0} onClick={() => setAsked(chosen)}>
          {translate('areas.money.approveChosen', count)}
        </Button>
      )}
      {asked && <ApproveDialog withdrawals={asked} close={() => setAsked(null)} />}
    </>
  )
}

function sumOf(withdrawals: readonly StaffWithdrawal[]): string {
  return formatAmount(withdrawals.reduce((sum, { quantity }) => sum + amountFromWire(quantity), 0n))
}

type Outcome = 'approved' | Failure

function ApproveDialog({
  withdrawals,
  close,
}: {
  withdrawals: readonly StaffWithdrawal[]
  close: () => void
}) {
  const translate = useTranslate()
  const refresh = useRefresh()
  const isRejected = useIsRejected()
  const id = useId()
  const { onUnselectItems } = useListContext()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [pending, setPending] = useState(false)
  const [missing, setMissing] = useState(0)
  // A press after a lost reply repeats each call with its key.
  const [actions] = useState(keyedActions)
  const stopped = useRef(false)
  const done = withdrawals.filter(({ id }) => outcomes.get(id) === 'approved').length
  const open = withdrawals.filter(
    ({ id }) => outcomes.get(id) !== 'approved' && !isRejected(approveWithdrawal, { id }),
  )

  async function approveAll() {
    setPending(true)
    stopped.current = false
    for (const { id: withdrawal } of open) {
      if (stopped.current) break
      // A rejection that was refused can be opened again, and held, beside this dialog.
      if (isRejected(approveWithdrawal, { id: withdrawal })) continue
      let outcome: Outcome = 'approved'
      try {
        await actions.send(withdrawal, (idempotencyKey) =>
          call(approveWithdrawal, { id: withdrawal }, { idempotencyKey }),
        )
      } catch (error) {
        outcome = failureOf(error)
        // The others would get no answer either.
        if (outcome.reason === 'unreachable' || isSessionEnd(error)) stopped.current = true
      }
      setOutcomes((before) => new Map(before).set(withdrawal, outcome))
    }
    setPending(false)
    onUnselectItems()
    refresh()
  }

  return (
    <Dialog open onClose={pending ? undefined : close} aria-labelledby={id} fullWidth maxWidth="lg">
      <DialogTitle id={id}>
        {translate('areas.money.approveChosen', { smart_count: withdrawals.length })} ·{' '}
        <MoneyText value={sumOf(withdrawals)} />
      </DialogTitle>
      <DialogContent>
        <div role="status">
          {done > 0 && (
            <Alert role="presentation" severity={open.length === 0 ? 'success' : 'info'}>
              {translate('areas.money.approvedSome', { done, all: withdrawals.length })}
            </Alert>
          )}
        </div>
        <Table size="small" aria-labelledby={id}>
          <TableHead>
            <TableRow>
              {['username', 'quantity', 'payee', 'risks'].map((name) => (
                <TableCell key={name} align={name === 'quantity' ? 'right' : 'left'}>
                  {translate(`resources.withdrawals.fields.${name}`)}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            <MissingAnswers value={setMissing}>
              {withdrawals.map((each) => (
                <TableRow key={each.id}>
                  <TableCell component="th" scope="row">
                    {each.username}
                  </TableCell>
                  <TableCell align="right">
                    <MoneyText value={each.quantity} />
                  </TableCell>
                  <TableCell sx={{ overflowWrap: 'anywhere' }}>
                    <PayeeText payee={each.payee} />
                  </TableCell>
                  <TableCell>
                    <OutcomeText id={each.id} outcome={outcomes.get(each.id)} />
                  </TableCell>
                </TableRow>
              ))}
            </MissingAnswers>
          </TableBody>
        </Table>
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={close} disabled={pending}>
          {translate('areas.money.close')}
        </Button>
        {pending && (
          <Button
            onClick={() => {
              stopped.current = true
            }}
          >
            {translate('areas.money.stopHere')}
          </Button>
        )}
        {open.length > 0 && (
          <Button
            variant="contained"
            loading={pending}
            disabled={missing > 0}
            onClick={() => void approveAll()}
          >
            {translate('areas.money.approveChosen', { smart_count: open.length })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** What calls for a closer look at a withdrawal; and when it was sent, what became of it. */
function OutcomeText({ id, outcome }: { id: number; outcome: Outcome | undefined }) {
  const translate = useTranslate()
  if (outcome === undefined) return <AboutChosen id={id} />
  if (outcome === 'approved') return translate('areas.money.approved')
  return (
    <Typography color="error">
      <FailureText failure={outcome} />
    </Typography>
  )
}
