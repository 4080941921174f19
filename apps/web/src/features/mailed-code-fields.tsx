import { createStore, useStore } from '@sum28/ui/store.ts'
import { useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { sendEmailCode } from '#src/data/email-code.ts'
import { fieldFaults, retryAfterSeconds, showFailure } from '#src/data/failure.ts'
import { FormCode } from '#src/features/form-code.tsx'
import { filled } from '#src/features/sent-form.tsx'
import { useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { useSecondsLeft } from '#src/parts/countdown.ts'
import { TextField } from '#src/parts/fields.tsx'

/** The values that the form around these fields must have; it uses a FormProvider. */
type MailedCode = { email: string; code: string }

/** An e-mail address, and the code that is mailed to it for one purpose. */
export function MailedCodeFields({ event }: { event: 'register' | 'resetpwd' }) {
  const t = useText()
  const { register, getValues, setError, clearErrors, setFocus, formState } =
    useFormContext<MailedCode>()
  const { errors } = formState
  const [sent, setSent] = useState(false)
  const sendButton = useRef<HTMLSpanElement>(null)

  /** Returns the seconds until another may be requested, or null. */
  async function mailCode(): Promise<number | null> {
    const email = getValues('email').trim()
    if (!email) {
      setError('email', { message: t('register.emailHint') })
      setFocus('email')
      return null
    }
    try {
      const wait = await sendEmailCode({ email, event })
      setSent(true)
      clearErrors('code')
      setFocus('code')
      return wait
    } catch (error) {
      const { email: fault } = fieldFaults(error)
      if (!fault) showFailure(error)
      else setError('email', { message: fault }, { shouldFocus: true })
      return retryAfterSeconds(error)
    }
  }

  return (
    <>
      <TextField
        label={t('register.email')}
        placeholder={t('register.emailHint')}
        type="email"
        inputMode="email"
        autoComplete="email"
        // The key of a phone's keyboard sends the code, as the button does.
        enterKeyHint="send"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          sendButton.current?.querySelector('button')?.click()
        }}
        error={errors.email?.message}
        {...register('email', { validate: { filled: filled(t('register.emailHint')) } })}
      />
      <FormCode
        name="code"
        label={t('register.code')}
        missing={t('register.codeHint')}
        hint={sent ? t('register.codeSent') : undefined}
        end={
          <span ref={sendButton}>
            <CooldownButton name={`${event}-code`} onPress={mailCode}>
              {t('register.sendCode')}
            </CooldownButton>
          </span>
        }
      />
    </>
  )
}

type CooldownButtonProps = {
  /** The name of the cooldown, which continues after the screen is left. */
  name: string
  /** Acts, and resolves to the seconds of the cooldown, or null for none. */
  onPress: () => Promise<number | null>
  /** The label outside a cooldown. */
  children: string
}

/** A button with a cooldown, such as 'send code'. */
export function CooldownButton({ name, onPress, children }: CooldownButtonProps) {
  const t = useText()
  const seconds = useCooldown(name)
  const [busy, setBusy] = useState(false)

  async function press() {
    setBusy(true)
    try {
      const rest = await onPress()
      if (rest !== null) startCooldown(name, rest)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button kind="soft" size="s" busy={busy} disabled={seconds > 0} onClick={press}>
      <span className="num">
        {seconds > 0 ? t('action.againInSeconds', { seconds }) : children}
      </span>
    </Button>
  )
}

/** The end of each cooldown, as an instant of `performance.now()`: leaving a screen does not end one. */
const endsAt = createStore<ReadonlyMap<string, number>>(new Map())

export function startCooldown(name: string, seconds: number): void {
  endsAt.set(new Map(endsAt.get()).set(name, performance.now() + seconds * 1_000))
}

function useCooldown(name: string): number {
  return useSecondsLeft(useStore(endsAt).get(name) ?? null)
}
