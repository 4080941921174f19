import { Refusal } from '@sum28/contract/client.ts'
import * as routes from '@sum28/contract/passkey-routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { call } from '#src/data/client.ts'
import { fieldFaults } from '#src/data/failure.ts'
import { profileQuery } from '#src/data/profile.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { useProof } from '#src/features/proof.tsx'
import { filled, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { CodeField } from '#src/parts/code-field.tsx'
import { TextField } from '#src/parts/fields.tsx'
import { showToast } from '#src/parts/toast-store.ts'

/** The address of the account, and its change by a code of each address. Visitors have none. */
export function EmailAddress() {
  const t = useText()
  const present = useQuery(profileQuery).data?.email ?? ''
  const [changing, setChanging] = useState(false)
  const [next, setNext] = useState<string | null>(null)
  const [withProof, proofSheet] = useProof()
  if (present === '') return null

  function end() {
    setChanging(false)
    setNext(null)
    void refetchQuery(profileQuery)
  }

  return (
    <section className="stack-3" aria-labelledby="address">
      <h2 id="address">{t('address.title')}</h2>
      <p translate="no">{present}</p>
      {!changing && (
        <Button kind="soft" wide onClick={() => setChanging(true)}>
          {t('address.change')}
        </Button>
      )}
      {changing && next === null && <NewAddress withProof={withProof} onSent={setNext} />}
      {next !== null && (
        <Codes withProof={withProof} present={present} next={next} onChanged={end} />
      )}
      <p className="quiet">{t('address.hold')}</p>
      {proofSheet}
    </section>
  )
}

type WithProof = { withProof: ReturnType<typeof useProof>[0] }

function NewAddress({ withProof, onSent }: WithProof & { onSent: (email: string) => void }) {
  const t = useText()
  const form = useSentForm<{ email: string }>({
    defaultValues: { email: '' },
    send: async ({ email }) => {
      await withProof(() => call(routes.mailAddressCodes, { email: email.trim() }))
      showToast(t('address.sent'))
      onSent(email.trim())
    },
    faultsOf: fieldFaults,
  })
  return (
    <SentForm form={form} submit={t('address.send')}>
      <TextField
        label={t('address.new')}
        type="email"
        inputMode="email"
        autoComplete="email"
        {...form.field('email', { validate: { filled: filled(t('register.emailHint')) } })}
      />
    </SentForm>
  )
}

/** The code that was mailed to the present address, and the one to the new address. */
type CodesForm = { presentCode: string; nextCode: string }

function Codes({
  withProof,
  present,
  next,
  onChanged,
}: WithProof & { present: string; next: string; onChanged: () => void }) {
  const t = useText()
  const form = useSentForm<CodesForm>({
    defaultValues: { presentCode: '', nextCode: '' },
    send: async ({ presentCode, nextCode }) => {
      await withProof(() =>
        call(routes.changeAddress, { email: next, old_code: presentCode, new_code: nextCode }),
      )
      showToast(t('address.changed'))
      onChanged()
    },
    faultsOf: (error) => {
      const faults = fieldFaults(error)
      const wrong = error instanceof Refusal ? { [`${error.data.field}`]: error.message } : {}
      return {
        presentCode: wrong.old_code ?? faults.old_code,
        nextCode: wrong.new_code ?? faults.new_code,
      }
    },
  })
  const addresses = { presentCode: present, nextCode: next } as const
  return (
    <SentForm form={form} submit={t('address.change')}>
      {(['presentCode', 'nextCode'] as const).map((name) => (
        <Controller
          key={name}
          control={form.control}
          name={name}
          rules={{ validate: { filled: (code) => code.length === 6 || t('register.codeHint') } }}
          render={({ field }) => (
            <CodeField
              label={t('address.codeTo', { email: addresses[name] })}
              error={form.formState.errors[name]?.message}
              {...field}
            />
          )}
        />
      ))}
    </SentForm>
  )
}
