import { Box, Card } from '@mui/material'
import { type HeldDeposit, oneHeldDeposit } from '@sum28/contract/staff-money-routes.ts'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { Link, useParams } from 'react-router'
import { ProposeRefund } from '#src/areas/money/propose-refund.tsx'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { Facts } from '#src/parts/facts.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

const moment = (at: number | null) => (at === null ? null : <MomentText at={at} />)

/** The page of one held deposit. */
export function HeldDepositShow() {
  const translate = useTranslate()
  const answer = useReply(oneHeldDeposit, { id: Number(useParams().id) })
  return (
    <Page title={translate('areas.money.heldDeposit')}>
      <Loaded answer={answer}>{(deposit) => <Deposit deposit={deposit} />}</Loaded>
    </Page>
  )
}

function Deposit({ deposit }: { deposit: HeldDeposit }) {
  const translate = useTranslate()
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ['id', deposit.id],
    [
      'username',
      <Link key="player" to={`/players/${deposit.user_id}/show`}>
        {deposit.username}
      </Link>,
    ],
    ['quantity', <MoneyText key="quantity" value={deposit.quantity} />],
    ['because', translate(`areas.money.because.${deposit.because}`)],
    ['held_at', moment(deposit.held_at)],
    ['state', translate(`areas.money.heldState.${deposit.state}`)],
    ['origin', deposit.origin],
    ['reference', deposit.reference],
    ['decided_by', deposit.decided_by],
    ['decided_at', moment(deposit.decided_at)],
    ['refund_reference', deposit.refund_reference],
  ]
  return (
    <>
      <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
        <Facts texts="resources.held-deposits.fields" facts={facts} />
        <Box>
          <ProposeRefund deposit={deposit} />
        </Box>
      </Card>
      <ProposalsAbout request={{ subject: `held_deposit:${deposit.id}` }} />
    </>
  )
}
