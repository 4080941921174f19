import { Callout } from '@sum28/ui/callout.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { Dialog } from '@sum28/ui/dialog.tsx'
import { LabelAmount, LabelValues } from '@sum28/ui/label-values.tsx'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { Page } from '@sum28/ui/page.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { PasswordField } from '@sum28/ui/text-field.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import {
  type Closing,
  closeOwnAccount,
  closingQuery,
  forgetClosedAccount,
  passwordFault,
} from '#src/data/close-account.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { PageHeader } from '#src/features/page-header.tsx'
import { FormNote, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'

/** Closes the account for good, once nothing stands open in it. */
export function CloseAccountScreen() {
  const t = useText()
  const query = useQuery(closingQuery)
  return (
    <Page header={<PageHeader title={t('closing.title')} back />}>
      <Loaded query={query} skeleton={<SkeletonRows count={4} />}>
        {(closing) =>
          closing.mayClose ? <CloseForm closing={closing} /> : <StillOpen closing={closing} />
        }
      </Loaded>
    </Page>
  )
}

function StillOpen({ closing }: { closing: Closing }) {
  const t = useText()
  const { running, withdrawing, held, balance, withdrawMin } = closing
  const open = [
    ['closing.running', running],
    ['closing.withdrawing', withdrawing],
    ['closing.held', held],
    ['closing.balance', balance >= withdrawMin ? balance : 0n],
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
        {balance >= withdrawMin && (
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

function CloseForm({ closing: { balance, keptDays } }: { closing: Closing }) {
  const t = useText()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<string | null>(null)
  const form = useSentForm<{ password: string }>({
    defaultValues: { password: '' },
    fields: ['password'],
    send: async ({ password }) => setAsked(password),
  })
  const closing = useMutation({
    mutationFn: closeOwnAccount,
    onSuccess: () => {
      // Leave first: a screen that needs a session would open the login.
      navigate(href('home'), { replace: true })
      forgetClosedAccount()
      showToast(t('closing.done'), { forMs: 6_000 })
    },
    onError: (error) => {
      setAsked(null)
      showFailure(error)
      const { password } = passwordFault(error)
      if (password) form.setError('password', { message: password })
    },
  })
  return (
    <>
      <Callout icon="warn" tone="warn" title={t('closing.final')}>
        {t('closing.finalText', { days: keptDays })}
      </Callout>
      {balance > 0n && (
        <Card>
          <div className="stack-3">
            <LabelValues>
              <LabelAmount label={t('closing.balance')} value={balance} decimals="all" />
            </LabelValues>
            <p className="hint">{t('closing.rest')}</p>
          </div>
        </Card>
      )}
      <SentForm form={form} submit={t('closing.close')}>
        <PasswordField
          label={t('closing.password')}
          placeholder={t('closing.passwordHint')}
          autoComplete="current-password"
          {...form.field('password', { required: t('closing.passwordHint') })}
        />
        <FormNote>{t('closing.note')}</FormNote>
      </SentForm>
      <Dialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={t('closing.sure')}
        tone="warn"
        confirm={{
          label: t('closing.close'),
          onConfirm: () => asked !== null && closing.mutate({ password: asked }),
          busy: closing.isPending,
          danger: true,
        }}
      >
        {t('closing.sureText')}
      </Dialog>
    </>
  )
}
