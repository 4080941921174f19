import { ceremonyFault } from '@sum28/ui/passkey-ceremony.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { fieldFaults } from '#src/data/failure.ts'
import {
  factorFault,
  factorQuery,
  isRefused,
  needsFactor,
  needsProof,
  proveByPasskey,
  proveByPassword,
  supportsPasskeys,
  useMayHavePasskey,
} from '#src/data/passkeys.ts'
import { filled, SentForm, useSentForm, type WithProof } from '#src/features/sent-form.tsx'
import { chatAddress } from '#src/features/use-support.ts'
import { text, useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { PasswordField, TextField } from '#src/parts/fields.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import { showToast } from '#src/parts/toast-store.ts'

type Waiting = { proved: () => void; closed: () => void }

/**
 * Asks the player to prove that it is him, if an action needs it, and then does the action. If he closes the sheet, the
 * action rejects with an AbortError.
 *
 * @returns a function that wraps an action, and the sheet to show
 */
export function useProof(): [WithProof, ReactNode] {
  const [waiting, setWaiting] = useState<Waiting[]>([])

  async function withProof<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act()
    } catch (error) {
      if (!needsProof(error)) throw error
    }
    await new Promise<void>((resolve, reject) => {
      const closed = () => reject(new DOMException('no proof', 'AbortError'))
      setWaiting((others) => [...others, { proved: resolve, closed }])
    })
    return act()
  }

  function settle(how: keyof Waiting) {
    for (const each of waiting) each[how]()
    setWaiting((all) => all.filter((each) => !waiting.includes(each)))
  }

  const sheet = waiting.length > 0 && (
    <ProofSheet proved={() => settle('proved')} closed={() => settle('closed')} />
  )
  return [withProof, sheet]
}

function ProofSheet({ proved, closed }: Waiting) {
  const t = useText()
  const hasPasskey = useMayHavePasskey()
  const byPasskey = useMutation({
    mutationFn: () => proveByPasskey().catch(toldOfCeremony),
    onSuccess: proved,
  })
  const factor = useQuery(factorQuery)
  const form = useSentForm<{ password: string; code: string }>({
    defaultValues: { password: '', code: '' },
    send: proveByPassword,
    onSent: proved,
    faultsOf: (error) => {
      // Another device may have switched it on meanwhile.
      if (needsFactor(error)) void factor.refetch()
      return { ...fieldFaults(error), code: factorFault(error) }
    },
  })
  return (
    <Sheet open onClose={closed} title={t('proof.title')}>
      <div className="stack-4">
        <p className="quiet">{t('proof.text')}</p>
        {hasPasskey && supportsPasskeys() && (
          <Button wide busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            {t('proof.passkey')}
          </Button>
        )}
        <SentForm form={form} submit={t('proof.confirm')}>
          <PasswordField
            label={t('settings.password')}
            autoComplete="current-password"
            {...form.field('password', { required: t('login.passwordHint') })}
          />
          {factor.data && factor.data.since !== null && (
            <FactorField
              {...form.field('code', { validate: { filled: filled(t('login.codeHint')) } })}
            />
          )}
        </SentForm>
      </div>
    </Sheet>
  )
}

/** The code of the second factor, and what a player does who has lost all that gives him codes. */
export function FactorField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  const t = useText()
  return (
    <>
      <TextField label={t('login.code')} autoComplete="one-time-code" literal {...props} />
      <LostFactor />
    </>
  )
}

/** The operator's contact, which needs no login. */
function LostFactor() {
  const t = useText()
  const { supportChat, supportEmail } = useQuery(configQuery).data ?? {}
  const chat = chatAddress(supportChat)
  const address = chat ?? (supportEmail && `mailto:${supportEmail}`)
  return (
    <p className="hint">
      {t('factor.lost')}{' '}
      {address && (
        <a href={address} target="_blank" rel="noopener noreferrer">
          {chat ? t('support.openChat') : supportEmail}
        </a>
      )}
    </p>
  )
}

/**
 * Tells why a passkey was not made or used; nothing, if the player himself closed the browser's window.
 *
 * @param how `quietly`: he did not ask for it, so only a refusal of the server is told
 * @throws an AbortError, of which nobody is told again, or the error of a call
 */
export function toldOfCeremony(error: unknown, { quietly = false } = {}): never {
  const fault = ceremonyFault(error)
  if (quietly ? isRefused(error) : fault === null) throw error
  if (fault && fault !== 'closed' && !quietly) showToast(text(`security.${fault}`), { stays: true })
  throw new DOMException('told', 'AbortError')
}
