import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { Button } from '@sum28/ui/button.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { Dialog } from '@sum28/ui/dialog.tsx'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { Skeletons } from '@sum28/ui/skeleton.tsx'
import { useCountingAmount } from '@sum28/ui/use-counting-amount.ts'
import { useQuery } from '@tanstack/react-query'
import { useGoBack } from '#src/app/use-go-back.ts'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { configQuery } from '#src/data/config.ts'
import { type DepositInfo, depositQuery } from '#src/data/deposit.ts'
import { isForMembersOnly } from '#src/data/failure-kind.ts'
import { useSession } from '#src/data/session-watch.ts'
import { BreakNote, useOnBreak } from '#src/features/break-note.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useBalance } from '#src/features/use-balance.ts'
import { useSupport } from '#src/features/use-support.ts'
import { useText } from '#src/i18n/text.ts'
import { BankDeposit } from '#src/screens/deposit/bank-deposit.tsx'
import { DemoTransfer } from '#src/screens/deposit/demo-transfer.tsx'
import { DepositLimit, DepositLimitOffer } from '#src/screens/deposit/deposit-limit.tsx'
import styles from '#src/screens/deposit/deposit-screen.module.css'
import { HeldDeposits } from '#src/screens/deposit/held-deposits.tsx'
import { Transfers } from '#src/screens/deposit/transfers.tsx'
import { UsdtDeposit } from '#src/screens/deposit/usdt-deposit.tsx'

const MEMBER = '1'

/** The ways to deposit. A visitor sees a dialog that asks him to become a member, and goes back. */
export function DepositScreen() {
  const t = useText()
  const goBack = useGoBack()
  const session = useSession()
  const { group_id: requestedGroup = MEMBER } = useRouteQuery('deposit')
  const visitor = requestedGroup !== MEMBER || session?.groupId !== MEMBER
  const deposit = useQuery({ ...depositQuery, enabled: !visitor })
  const refused = isForMembersOnly(deposit.error)

  return (
    <Screen title={t('deposit.title')} back>
      {visitor || refused ? (
        <Dialog open onClose={goBack} title={t('deposit.visitorTitle')}>
          {t('deposit.visitor')}
        </Dialog>
      ) : (
        <Loaded query={deposit} skeleton={<Skeletons heights={[64, 430]} rows={2} />}>
          {(info) => <Ways info={info} loadedAt={deposit.dataUpdatedAt} />}
        </Loaded>
      )}
    </Screen>
  )
}

function Ways({ info, loadedAt }: { info: DepositInfo; loadedAt: number }) {
  const t = useText()
  const { openSupport } = useSupport()
  const config = useQuery(configQuery)
  const balance = useBalance({ balance: amountFromWire(info.money), at: loadedAt })
  const money = useCountingAmount(balance)
  const { usdt } = info
  const bank = info.bankname !== undefined && info.banknum !== undefined
  const onBreak = useOnBreak()
  if (onBreak) {
    return (
      <>
        <Assets money={money} />
        <BreakNote />
        <HeldDeposits />
        {info.transfers.length > 0 && <Transfers transfers={info.transfers} />}
      </>
    )
  }
  return (
    <>
      <Assets money={money} />
      <DepositLimit />
      <HeldDeposits />
      {info.transfers.length === 0 && <DepositLimitOffer />}
      {usdt && <UsdtDeposit address={usdt} />}
      {usdt && config.data?.features.demo && <DemoTransfer address={usdt} />}
      {usdt && <Transfers transfers={info.transfers} />}
      {bank && <BankDeposit info={info} />}
      {!usdt && !bank && (
        <EmptyState icon="wallet" title={t('deposit.none')} hint={t('deposit.noneHint')}>
          <Button kind="soft" onClick={openSupport}>
            {t('support.title')}
          </Button>
        </EmptyState>
      )}
    </>
  )
}

function Assets({ money }: { money: Amount }) {
  const t = useText()
  return (
    <Card className={styles.assets}>
      <span>{t('me.assets')}</span>
      <AmountText value={money} />
    </Card>
  )
}
