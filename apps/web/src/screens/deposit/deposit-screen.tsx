import { Refusal } from '@sum28/contract/client.ts'
import { askBack } from '@sum28/contract/protection-routes.ts'
import { type Amount, MICRO } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { QrCode } from '@sum28/ui/qr-code.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { configQuery } from '#src/data/config.ts'
import { type BankAccount, type DepositInfo, depositQuery } from '#src/data/deposit.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { type Limit, type Protection, protectionQuery } from '#src/data/protection.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { BreakNote } from '#src/features/break-note.tsx'
import { GroupedAddress } from '#src/features/grouped-address.tsx'
import { LimitsOffer } from '#src/features/limits-offer.tsx'
import { EmptyState, Loaded } from '#src/features/loaded.tsx'
import { MembersOnly, useIsMember } from '#src/features/members-only.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useAssets } from '#src/features/use-balance.ts'
import { useCountingAmount } from '#src/features/use-counting-amount.ts'
import { useLimitLeft, useLimitWords, useTightestLimit } from '#src/features/use-limit-left.ts'
import { useSupport } from '#src/features/use-support.ts'
import { RichText } from '#src/i18n/rich-text.tsx'
import { useLocale, useText } from '#src/i18n/text.ts'
import { momentText } from '#src/i18n/time-text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { AmountText } from '#src/parts/amount.tsx'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { Card, Section } from '#src/parts/card.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { RecordList, RecordRow, RecordSign } from '#src/parts/record-row.tsx'
import { Skeletons } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import { useQuestion } from '#src/parts/use-question.tsx'
import styles from '#src/screens/deposit/deposit.module.css'
import { DemoTransfer, Transfers } from '#src/screens/deposit/transfers.tsx'

const SKELETON = <Skeletons heights={[64, 430]} rows={2} />

/** The ways to deposit, once it is known that the player is on no break. For members. */
export function DepositScreen() {
  const t = useText()
  const [{ group_id: requestedGroup }] = useRouteQuery('deposit')
  const isMember = useIsMember(requestedGroup)
  const deposit = useQuery({ ...depositQuery, enabled: isMember })
  const protection = useQuery({ ...protectionQuery, enabled: isMember })
  const refused = isForMembersOnly(deposit.error)

  return (
    <Screen title={t('deposit.title')} back>
      {!isMember || refused ? (
        <MembersOnly>{t('deposit.visitor')}</MembersOnly>
      ) : (
        <Loaded query={protection} skeleton={SKELETON}>
          {(known) => (
            <Loaded query={deposit} skeleton={SKELETON}>
              {(ways) => <Ways ways={ways} protection={known} />}
            </Loaded>
          )}
        </Loaded>
      )}
    </Screen>
  )
}

function Ways({ ways, protection }: { ways: DepositInfo; protection: Protection }) {
  const t = useText()
  const { money, usdtAddress, bankAccount, transfers } = ways
  const { exclusion, held, limits } = protection
  const { openSupport } = useSupport()
  const config = useQuery(configQuery)
  const assets = useAssets(money)
  if (exclusion) {
    return (
      <>
        <Assets {...assets} />
        <BreakNote />
        <HeldDeposits held={held} />
        {transfers.length > 0 && <Transfers transfers={transfers} />}
      </>
    )
  }
  return (
    <>
      <Assets {...assets} />
      <DepositLimit />
      <HeldDeposits held={held} />
      {transfers.length === 0 && limits.every(isNoDepositLimit) && <LimitsOffer at="deposit" />}
      {!usdtAddress && !bankAccount && (
        <EmptyState icon="wallet" title={t('deposit.none')} hint={t('deposit.noneHint')}>
          <Button kind="soft" onClick={openSupport}>
            {t('support.title')}
          </Button>
        </EmptyState>
      )}
      {usdtAddress && <UsdtDeposit address={usdtAddress} />}
      {usdtAddress && config.data?.isDemo && <DemoTransfer address={usdtAddress} />}
      {(usdtAddress || transfers.length > 0) && <Transfers transfers={transfers} />}
      {bankAccount && <BankDeposit account={bankAccount} />}
    </>
  )
}

function Assets({ all, held }: { all: Amount; held: Amount }) {
  const t = useText()
  const { tag } = useLocale()
  const shown = useCountingAmount(all)
  return (
    <Card className="ends wrap">
      <span className="quiet">{t('me.assets')}</span>
      <AmountText value={shown} className="title bold push" />
      {held > 0n && (
        <span className="caption push">
          {t('me.setAside', { amount: amountText(held, { tag }) })}
        </span>
      )}
    </Card>
  )
}

const DEPOSIT_LIMITS = ['deposit'] as const

function DepositLimit() {
  const t = useText()
  const { soon } = useLimitWords()
  const limit = useTightestLimit(DEPOSIT_LIMITS)
  const left = useLimitLeft(DEPOSIT_LIMITS)
  if (!limit || left === null) return null
  return (
    <Callout icon="shield" tone={limit.left === 0n ? 'warn' : 'quiet'} title={left}>
      {t('left.depositText', { time: soon(limit.nextPeriodAt) })}
    </Callout>
  )
}

function isNoDepositLimit({ kind, own }: Limit): boolean {
  return kind !== 'deposit' || own === null
}

function UsdtDeposit({ address }: { address: string }) {
  const t = useText()
  return (
    <Card className="stack-3">
      <div className="spread-3">
        <h2>{t('deposit.usdt')}</h2>
        <span className="toned tag bold" data-tone="accent">
          TRC20
        </span>
      </div>
      <div className="centered">
        <QrCode value={address} label={t('deposit.qr')} />
      </div>
      <p className="hint center">{t('deposit.address')}</p>
      <p className={styles.address}>
        <GroupedAddress address={address} />
      </p>
      <CopyButton value={address} label={t('deposit.copyAddress')} kind="primary" />
      <Callout icon="warn" tone="warn">
        <RichText id="deposit.warning" components={{ b: <b /> }} />
      </Callout>
    </Card>
  )
}

function BankDeposit({ account }: { account: BankAccount }) {
  const t = useText()
  const lines = [
    { label: t('bank.name'), value: account.bank },
    { label: t('bank.holder'), value: account.holder },
    { label: t('bank.number'), value: account.number },
    { label: t('bank.reference'), value: account.reference, own: true },
  ]
  return (
    <Section title={t('bank.title')}>
      <Card kind="rows">
        <LabelValues kind="rows">
          {lines.map(
            ({ label, value, own }) =>
              value && (
                <LabelValue
                  key={label}
                  label={label}
                  end={<CopyButton small value={value} label={t('copy.label', { what: label })} />}
                >
                  {own ? <span className="ink-accent">{value}</span> : value}
                </LabelValue>
              ),
          )}
        </LabelValues>
        <p className="quiet row-text">{t('bank.hint')}</p>
      </Card>
    </Section>
  )
}

function HeldDeposits({ held }: Pick<Protection, 'held'>) {
  const t = useText()
  if (held.length === 0) return null
  return (
    <Section title={t('held.title')}>
      <Card kind="rows">
        <p className="quiet row-text">{t('held.text')}</p>
        <RecordList>
          {held.map((deposit) => (
            <li key={deposit.id}>
              <HeldDeposit deposit={deposit} />
            </li>
          ))}
        </RecordList>
      </Card>
    </Section>
  )
}

/** A held deposit, and the way to have it paid back instead of credited; to pay dust back costs more than it. */
function HeldDeposit({ deposit }: { deposit: Protection['held'][number] }) {
  const t = useText()
  const { tag } = useLocale()
  const when = useTimeFormat()
  const { id, amount, because, createdAt, isAskedBack } = deposit
  const asking = useMutation({
    mutationFn: () => call(askBack, { id }),
    onSuccess: () => showToast(t('held.askedBack')),
    onSettled: () => refetchQuery(protectionQuery),
  })
  const [ask, question] = useQuestion({
    title: t('held.askBackTitle'),
    text: t('held.askBackText', { amount: amountText(amount, { tag }) }),
    tone: 'info',
    confirm: t('held.askBack'),
    onConfirm: asking.mutate,
  })
  return (
    <RecordRow
      sign={<RecordSign icon="pause" tone="warn" />}
      title={t(`held.${because}`)}
      value={<AmountText value={amount} decimals="all" />}
      note={momentText(createdAt, when)}
    >
      {isAskedBack && <p className="quiet">{t('held.askedBack')}</p>}
      {!isAskedBack && amount >= MICRO && (
        <Button kind="soft" wide busy={asking.isPending} onClick={ask}>
          {t('held.askBack')}
        </Button>
      )}
      {question}
    </RecordRow>
  )
}

function isForMembersOnly(error: unknown): boolean {
  return error instanceof Refusal && error.data.reason === 'member_only'
}
