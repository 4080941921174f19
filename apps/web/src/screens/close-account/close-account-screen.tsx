import { closeAccount, closing } from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { call, callThatEndsSession } from '#src/data/client.ts'
import { showFailure } from '#src/data/failure.ts'
import { faultsBy } from '#src/data/form-faults.ts'
import { maskedNumber, payMethodName } from '#src/data/pay-method.ts'
import { NOTHING, remember } from '#src/data/remembered.ts'
import {
  dropKeptLines,
  endSession,
  otherRemembered,
  pushFollowsSession,
} from '#src/data/session.ts'
import { withdrawalQuery } from '#src/data/withdrawal.ts'
import { FormCode } from '#src/features/form-code.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useProof } from '#src/features/proof.tsx'
import { Screen } from '#src/features/screen.tsx'
import { SentForm, type SentFormState, useSentForm } from '#src/features/sent-form.tsx'
import { useText } from '#src/i18n/text.ts'
import { useNavigate } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Callout } from '#src/parts/callout.tsx'
import { Card } from '#src/parts/card.tsx'
import { ChoiceField } from '#src/parts/choice-field.tsx'
import { PasswordField } from '#src/parts/fields.tsx'
import { LabelAmount, LabelValues } from '#src/parts/label-values.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Dialog } from '#src/parts/overlays.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'

/** Closes the account permanently, if no bet, withdrawal or held deposit is open. */
export function CloseAccountScreen() {
  const t = useText()
  const query = useQuery(closingQuery)
  return (
    <Screen title={t('closing.title')} back>
      <Loaded query={query} skeleton={<SkeletonRows count={4} />}>
        {(closing) =>
          closing.may_close ? <CloseForm closing={closing} /> : <StillOpen closing={closing} />
        }
      </Loaded>
    </Screen>
  )
}

function StillOpen({ closing }: { closing: Closing }) {
  const t = useText()
  const running = amountFromWire(closing.running)
  const balance = amountFromWire(closing.balance)
  const canWithdraw = balance >= amountFromWire(closing.withdraw_min)
  const open = [
    ['closing.running', running],
    ['closing.withdrawing', amountFromWire(closing.withdrawing)],
    ['closing.held', amountFromWire(closing.held)],
    ['home.balance', canWithdraw ? balance : 0n],
  ] as const
  return (
    <>
      <Callout icon="warn" tone="warn" title={t('closing.open')}>
        {t('closing.openText')}
      </Callout>
      <Card>
        <LabelValues>
          {open.map(
            ([key, amount]) =>
              amount > 0n && <LabelAmount key={key} label={t(key)} value={amount} />,
          )}
        </LabelValues>
      </Card>
      <Card kind="rows">
        {canWithdraw && (
          <ListRow icon="wallet" title={t('closing.toWithdrawal')} to={href('withdrawal')} />
        )}
        {running > 0n && (
          <ListRow icon="list" title={t('closing.toBets')} to={href('betHistory')} />
        )}
        <ListRow icon="chat" title={t('closing.toSupport')} to={href('support')} />
      </Card>
    </>
  )
}

type CloseFields = { rest: string; code: string; password: string }

/** In micro-units: nothing finer is paid out, so that a balance below it stays booked without a question. */
const FINEST_PAID = 10_000n

/** The choice to leave the rest of the balance booked; the other choices are numbers of pay methods. */
const LEAVE = 'leave'

const FIELD_OF = {
  password_wrong: 'password',
  security_code_wrong: 'code',
  security_code_locked: 'code',
  security_code_not_set: 'code',
} as const

function CloseForm({ closing: state }: { closing: Closing }) {
  const t = useText()
  const balance = amountFromWire(state.balance)
  const navigate = useNavigate()
  const [request, setRequest] = useState<ClosingRequest | null>(null)
  const [withProof, proofSheet] = useProof()
  const form = useSentForm<CloseFields>({
    defaultValues: { rest: balance < FINEST_PAID ? LEAVE : '', code: '', password: '' },
    send: async ({ password, rest, code }) =>
      setRequest({ password, rest: rest === LEAVE ? null : { methodId: Number(rest), code } }),
  })
  const closingNow = useMutation({
    mutationFn: (confirmed: ClosingRequest) => withProof(() => closeOwnAccount(confirmed)),
    onSuccess: () => {
      // Leave first: a screen that needs a session would open the login.
      navigate(href('home'), { replace: true })
      forgetClosedAccount()
      showToast(t('closing.done'), { forMs: 6_000 })
    },
    onError: (error) => {
      const faults = faultsBy(error, FIELD_OF)
      const wrong = (['code', 'password'] as const).find((field) => faults[field])
      if (!wrong) return showFailure(error)
      form.setError(wrong, { message: faults[wrong] ?? '' }, { shouldFocus: true })
    },
  })

  function close(confirmed: ClosingRequest) {
    setRequest(null)
    closingNow.mutate(confirmed)
  }

  return (
    <>
      <Callout icon="warn" tone="warn" title={t('closing.final')}>
        {t('closing.finalText', { days: state.kept_days })}
      </Callout>
      <SentForm
        form={{ ...form, busy: form.busy || closingNow.isPending }}
        submit={t('closing.close')}
      >
        {balance >= FINEST_PAID && <Rest balance={balance} form={form} />}
        <PasswordField
          label={t('settings.password')}
          placeholder={t('login.passwordHint')}
          autoComplete="current-password"
          {...form.field('password', { required: t('login.passwordHint') })}
        />
        <p className="quiet">{t('closing.note')}</p>
      </SentForm>
      <Dialog
        open={request !== null}
        onClose={() => setRequest(null)}
        title={t('closing.sure')}
        tone="warn"
        confirm={{
          label: t('closing.close'),
          onConfirm: () => request !== null && close(request),
          danger: true,
        }}
      >
        {t('closing.sureText')}
      </Dialog>
      {proofSheet}
    </>
  )
}

/** A balance below the smallest withdrawal: paid out by a saved method, or left booked. */
function Rest({ balance, form }: { balance: Amount; form: SentFormState<CloseFields> }) {
  const t = useText()
  const { data: info } = useQuery(withdrawalQuery)
  const methods = info?.methods ?? []
  const chosen = form.watch('rest')
  const options = [
    ...methods.map((method) => ({
      value: String(method.id),
      label: (
        <span translate="no">
          <bdi>{payMethodName(method)}</bdi> {maskedNumber(method)}
        </span>
      ),
    })),
    { value: LEAVE, label: t('closing.restLeave') },
  ]
  return (
    <>
      <Card className="stack-3">
        <LabelValues>
          <LabelAmount label={t('home.balance')} value={balance} decimals="all" />
        </LabelValues>
        <p className="hint">{t('closing.rest')}</p>
        <Controller
          control={form.control}
          name="rest"
          rules={{ required: t('closing.restMissing') }}
          render={({ field, fieldState }) => (
            <ChoiceField
              kind="wrap"
              label={t('closing.restTo')}
              options={options}
              value={field.value || null}
              onChange={field.onChange}
              error={fieldState.error?.message}
              ref={field.ref}
            />
          )}
        />
      </Card>
      {info && methods.length === 0 && (
        <Card kind="rows">
          <ListRow
            icon="wallet"
            title={t('closing.restAdd')}
            to={href('payMethods', { type: '0' })}
          />
        </Card>
      )}
      {chosen !== '' && chosen !== LEAVE && (
        <FormCode
          name="code"
          label={t('settings.securityCode')}
          missing={t('closing.codeHint')}
          secret
          known
        />
      )}
    </>
  )
}

export const closingQuery = queryOptions({
  queryKey: ['closing'],
  staleTime: 0,
  queryFn: ({ signal }) => call(closing, {}, { signal }),
})

/** With the days after which the stored data no longer identifies the player. */
type Closing = ReplyOf<typeof closing>

/** The request to close an account. `rest`: the payee of the rest of the balance; null: it stays booked. */
type ClosingRequest = {
  password: string
  rest: { methodId: number; code: string } | null
}

/** Closes the account. Rejects with password_wrong, something_open, or the reason why the rest cannot be paid. */
async function closeOwnAccount({ password, rest }: ClosingRequest): Promise<void> {
  const request = {
    password,
    ...(rest && { pay_id: rest.methodId, security_code: rest.code }),
  }
  await callThatEndsSession(closeAccount, request, {
    isDone: ({ data }) => data.cause === 'account_closed',
  })
}

/** Deletes the session of the closed account, the lines of its bets and the remembered user name from this device. */
export function forgetClosedAccount(): void {
  const other = otherRemembered()
  endSession()
  if (other === undefined) remember(NOTHING)
  dropKeptLines(other)
  pushFollowsSession(other)
}
