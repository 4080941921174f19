import { Button } from '@sum28/ui/button.tsx'
import { Callout } from '@sum28/ui/callout.tsx'
import { Dialog } from '@sum28/ui/dialog.tsx'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { Skeletons } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { useGoBack } from '#src/app/use-go-back.ts'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { failureText } from '#src/data/failure.ts'
import { useSession } from '#src/data/session-watch.ts'
import { type WithdrawalInfo, withdrawalQuery } from '#src/data/withdrawal.ts'
import { Screen } from '#src/features/screen.tsx'
import { useBalance } from '#src/features/use-balance.ts'
import { useText } from '#src/i18n/text.ts'
import { OutcomeDialog } from '#src/screens/withdrawal/outcome-dialog.tsx'
import { PendingRequest } from '#src/screens/withdrawal/pending-request.tsx'
import { useWithdrawal, type WithdrawalSteps } from '#src/screens/withdrawal/use-withdrawal.ts'
import { WithdrawalForm } from '#src/screens/withdrawal/withdrawal-form.tsx'

const MEMBER = '1'

/** The withdrawal. A visitor sees a dialog that asks him to become a member, and goes back. */
export function WithdrawalScreen() {
  const t = useText()
  const goBack = useGoBack()
  const session = useSession()
  const { group_id: requestedGroup = MEMBER } = useRouteQuery('withdrawal')
  const visitor = requestedGroup !== MEMBER || session?.groupId !== MEMBER
  return (
    <Screen title={t('withdrawal.title')} back>
      {visitor ? (
        <Dialog open onClose={goBack} title={t('deposit.visitorTitle')} tone="warn">
          {t('withdrawal.visitor')}
        </Dialog>
      ) : (
        <MemberWithdraw />
      )}
    </Screen>
  )
}

function MemberWithdraw() {
  const info = useQuery(withdrawalQuery)
  const withdrawal = useWithdrawal()
  return (
    <>
      {info.isRefetchError && <OutOfDate error={info.error} />}
      {info.data ? (
        <Ready info={info.data} loadedAt={info.dataUpdatedAt} withdrawal={withdrawal} />
      ) : info.isError ? (
        <InfoError error={info.error} onRetry={() => info.refetch()} />
      ) : (
        <Skeletons heights={[92, 104, 148, 52]} />
      )}
      <OutcomeDialog outcome={withdrawal.outcome} onClose={withdrawal.forgetOutcome} />
    </>
  )
}

/** The form, or the open request, with the balance as it is now. */
function Ready({
  info,
  loadedAt,
  withdrawal,
}: {
  info: WithdrawalInfo
  loadedAt: number
  withdrawal: WithdrawalSteps
}) {
  const balance = useBalance({ balance: info.balance, at: loadedAt })
  const present = { ...info, balance }
  return info.pending ? (
    <PendingRequest info={present} pending={info.pending} />
  ) : (
    <WithdrawalForm info={present} withdrawal={withdrawal} />
  )
}

/** The shown data is old, and is fetched again repeatedly. */
function OutOfDate({ error }: { error: unknown }) {
  const t = useText()
  return (
    <div role="alert">
      <Callout icon="offline" tone="warn" title={t('withdrawal.infoError')}>
        {failureText(error)}
      </Callout>
    </div>
  )
}

function InfoError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useText()
  return (
    <div role="alert">
      <EmptyState icon="warn" title={t('withdrawal.infoError')} hint={failureText(error)}>
        <Button kind="soft" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      </EmptyState>
    </div>
  )
}
