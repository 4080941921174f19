import { CodeField } from '@sum28/ui/code-field.tsx'
import { CooldownButton } from '@sum28/ui/cooldown-button.tsx'
import { TextField } from '@sum28/ui/text-field.tsx'
import { useRef, useState } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { sendEmailCode } from '#src/data/email-code.ts'
import { fieldFaults, retryAfterSeconds } from '#src/data/failure.ts'
import { filled } from '#src/features/sent-form.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'

/** The values that the form around these fields must have; it uses a FormProvider. */
type MailedCode = { email: string; code: string }

/** An e-mail address, and the code that is mailed to it for one purpose. */
export function MailedCodeFields({ event }: { event: 'register' | 'resetpwd' }) {
  const t = useText()
  const { register, control, getValues, setError, clearErrors, setFocus, formState } =
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
      <Controller
        control={control}
        name="code"
        rules={{ validate: { filled: filled(t('register.codeHint')) } }}
        render={({ field }) => (
          <CodeField
            label={t('register.code')}
            error={errors.code?.message}
            hint={sent ? t('register.codeSent') : undefined}
            {...field}
            end={
              <span ref={sendButton}>
                <CooldownButton name={`${event}-code`} onPress={mailCode}>
                  {t('register.sendCode')}
                </CooldownButton>
              </span>
            }
          />
        )}
      />
    </>
  )
}
