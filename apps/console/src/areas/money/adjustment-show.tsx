import { Box, Card } from '@mui/material'
import { type Adjustment, oneAdjustment } from '@sum28/contract/staff-adjustment-routes.ts'
import { useTranslate } from 'react-admin'
import { Link, useParams } from 'react-router'
import { AdjustedMoney, DecideAdjustment } from '#src/areas/money/adjustment-parts.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { Facts } from '#src/parts/facts.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

/** The page of one bonus or correction. */
export function AdjustmentShow() {
  const translate = useTranslate()
  const answer = useReply(oneAdjustment, { id: Number(useParams().id) })
  return (
    <Page title={translate('areas.money.adjustment')}>
      <Loaded answer={answer}>{(adjustment) => <Shown adjustment={adjustment} />}</Loaded>
    </Page>
  )
}

function Shown({ adjustment }: { adjustment: Adjustment }) {
  const translate = useTranslate()
  const { decided_at: decidedAt } = adjustment
  return (
    <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
      <Facts
        texts="resources.adjustments.fields"
        facts={[
          ['id', adjustment.id],
          [
            'username',
            <Link key="player" to={`/players/${adjustment.user_id}/show`}>
              {adjustment.username}
            </Link>,
          ],
          ['quantity', <AdjustedMoney key="quantity" adjustment={adjustment} />],
          ['kind', translate(`areas.money.adjustmentKind.${adjustment.kind}`)],
          ['reason', adjustment.reason],
          ['state', translate(`areas.money.adjustmentState.${adjustment.state}`)],
          ['balance', <MoneyText key="balance" value={adjustment.balance} />],
          ['proposed_by', adjustment.proposed_by],
          ['proposed_at', <MomentText key="proposed" at={adjustment.proposed_at} />],
          ['decided_by', adjustment.decided_by],
          ['decided_at', decidedAt === null ? null : <MomentText key="decided" at={decidedAt} />],
          ['refuse_reason', adjustment.refuse_reason],
        ]}
      />
      <Box>
        <DecideAdjustment adjustment={adjustment} />
      </Box>
    </Card>
  )
}
