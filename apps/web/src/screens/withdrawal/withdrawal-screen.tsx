import { useQuery } from '@tanstack/react-query'
import { failureText } from '#src/data/failure.ts'
import { maskedNumber, payMethodName } from '#src/data/pay-method.ts'
import {
  type PendingWithdrawal,
  type Withdrawal,
  type WithdrawalInfo,
  withdrawalQuery,
} from '#src/data/withdrawal.ts'
import { EmptyState } from '#src/features/loaded.tsx'
import { MembersOnly, useIsMember } from '#src/features/members-only.tsx'
import { PushTick } from '#src/features/push.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useBalance } from '#src/features/use-balance.ts'
import { useSupport } from '#src/features/use-support.ts'
import { useText } from '#src/i18n/text.ts'
import { useGoBack, useNavigate, useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Button, LinkButton } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { Card } from '#src/parts/card.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { Dialog } from '#src/parts/overlays.tsx'
import { Skeletons } from '#src/parts/skeleton.tsx'
import { useLastValue } from '#src/parts/use-last-value.ts'
import { ExpectedTime, LatestRequests } from '#src/screens/withdrawal/requests.tsx'
import {
  type Outcome,
  useWithdrawal,
  type WithdrawalSteps,
} from '#src/screens/withdrawal/use-withdrawal.ts'
import {
  BalanceCard,
  HoldCallout,
  WithdrawalForm,
} from '#src/screens/withdrawal/withdrawal-form.tsx'

export function WithdrawalScreen() {
  const t = useText()
  const [{ group_id: requestedGroup }] = useRouteQuery('withdrawal')
  const isMember = useIsMember(requestedGroup)
  return (
    <Screen title={t('withdrawal.title')} back>
      {isMember ? <MemberWithdraw /> : <MembersOnly>{t('withdrawal.visitor')}</MembersOnly>}
    </Screen>
  )
}

function MemberWithdraw() {
  const info = useQuery(withdrawalQuery)
  const withdrawal = useWithdrawal(info.data?.latest[0]?.id ?? 0)
  return (
    <>
      {info.isRefetchError && <OutOfDate error={info.error} />}
      {info.data ? (
        <Ready info={info.data} withdrawal={withdrawal} />
      ) : info.isError ? (
        <InfoError error={info.error} onRetry={() => info.refetch()} />
      ) : (
        <Skeletons heights={[92, 104, 148, 52]} />
      )}
      <OutcomeDialog outcome={withdrawal.outcome} onClose={withdrawal.forgetOutcome} />
    </>
  )
}

function Ready({ info, withdrawal }: { info: WithdrawalInfo; withdrawal: WithdrawalSteps }) {
  const balance = useBalance(info)
  const present = { ...info, balance }
  return (
    <>
      {info.pending ? (
        <PendingRequest info={present} pending={info.pending} />
      ) : (
        <WithdrawalForm info={present} withdrawal={withdrawal} />
      )}
      <LatestRequests latest={info.latest} />
    </>
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

type PendingRequestProps = { info: WithdrawalInfo; pending: PendingWithdrawal }

function PendingRequest({ info, pending }: PendingRequestProps) {
  const t = useText()
  const { openSupport } = useSupport()
  return (
    <>
      <BalanceCard balance={info.balance} />
      {info.heldUntil !== null && <HoldCallout until={info.heldUntil} />}
      <Card className="stack-2 middle center">
        <span className="emblem warning">
          <Icon name="clock" size={28} />
        </span>
        <h2>{t('withdrawal.pendingTitle')}</h2>
        <p className="figure bold">
          <AmountText value={pending.amount} />
        </p>
        <p className="quiet narrow">
          {pending.waitsForIdentity
            ? t('withdrawal.waitsForIdentity')
            : t('withdrawal.pendingNote')}
        </p>
        {pending.waitsForIdentity && (
          <LinkButton wide to={href('identity')}>
            {t('identity.title')}
          </LinkButton>
        )}
        <p className="quiet narrow">{t('withdrawal.noWayBack')}</p>
        <ExpectedTime seconds={info.usualSeconds} />
      </Card>
      <p className="quiet inset center">{t('withdrawal.pendingSupport')}</p>
      <Button kind="soft" wide onClick={openSupport}>
        {t('support.title')}
      </Button>
      <LinkButton kind="plain" wide to={href('statement')}>
        {t('statement.title')}
      </LinkButton>
    </>
  )
}

type OutcomeDialogProps = { outcome: Outcome | null; onClose: () => void }

/** The result of a withdrawal. After a success the buttons lead to the statement or back. */
function OutcomeDialog({ outcome, onClose }: OutcomeDialogProps) {
  const t = useText()
  const navigate = useNavigate()
  const goBack = useGoBack()
  const open = outcome !== null
  const shown = useLastValue(outcome)

  if (shown?.kind === 'done') {
    return (
      <Dialog
        open={open}
        onClose={goBack}
        tone="done"
        title={t('withdrawal.doneTitle')}
        closeLabel={t('action.back')}
        confirm={{
          label: t('withdrawal.details'),
          onConfirm: () => navigate(href('statement'), { replace: true }),
        }}
      >
        <Done withdrawal={shown.withdrawal} />
      </Dialog>
    )
  }
  const insufficient = shown?.kind === 'insufficient'
  return (
    <Dialog
      open={open}
      onClose={onClose}
      tone="bad"
      title={insufficient ? t('withdrawal.insufficientTitle') : t('withdrawal.failedTitle')}
    >
      {shown?.kind === 'failed' ? shown.text : t('withdrawal.insufficient')}
    </Dialog>
  )
}

function Done({ withdrawal: { amount, method } }: { withdrawal: Withdrawal }) {
  const t = useText()
  return (
    <>
      <p className="figure bold ink">
        <AmountText value={amount} />
      </p>
      <p translate="no">
        <bdi>{payMethodName(method)}</bdi> <span className="nowrap">{maskedNumber(method)}</span>
      </p>
      <p className="quiet">{t('withdrawal.pendingNote')}</p>
      <PushTick />
    </>
  )
}
