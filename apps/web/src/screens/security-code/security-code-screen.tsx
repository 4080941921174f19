import { keyedActions } from '@sum28/contract/keyed-actions.ts'
import { isCommonCode } from '@sum28/domain/typed-digits.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { needsLogin, showFailure } from '#src/data/failure.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import {
  hasSecurityCodeQuery,
  saveSecurityCode,
  securityCodeFaults,
} from '#src/data/security-code.ts'
import { canRestore, restoreSession } from '#src/data/session.ts'
import { currentSession, placeBefore, useSignedIn } from '#src/data/session-watch.ts'
import { FormCode } from '#src/features/form-code.tsx'
import { ErrorState } from '#src/features/loaded.tsx'
import { useProof } from '#src/features/proof.tsx'
import { Screen } from '#src/features/screen.tsx'
import { SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { useSupport } from '#src/features/use-support.ts'
import { useText } from '#src/i18n/text.ts'
import { useGoBack, useNavigateUnlessLeft, useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { CodeField } from '#src/parts/code-field.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { Dialog } from '#src/parts/overlays.tsx'
import { showToast } from '#src/parts/toast-store.ts'

/**
 * Sets or changes the security code. The server knows which; until it has answered, and without a
 * session, the address decides.
 */
export function SecurityCodeScreen() {
  const t = useText()
  const goBack = useGoBack()
  const [{ isTrue }] = useRouteQuery('securityCode')
  const signedIn = useSignedIn()
  const codeQuery = useQuery({ ...hasSecurityCodeQuery, enabled: signedIn })
  // After saving there is a code, but the form behind the dialog must not change.
  const [savedAs, setSavedAs] = useState<'new' | 'change' | null>(null)
  const form = savedAs ?? ((codeQuery.data ?? isTrue === 'true') ? 'change' : 'new')
  const [save, proof] = useSaveCode(() => setSavedAs(form))
  const unknown = signedIn && codeQuery.isError && codeQuery.data === undefined

  return (
    <Screen
      title={form === 'change' ? t('securityCode.changeTitle') : t('securityCode.setTitle')}
      back
    >
      {unknown ? (
        <ErrorState error={codeQuery.error} onRetry={() => codeQuery.refetch()} />
      ) : form === 'change' ? (
        <ChangeCodeForm save={save} />
      ) : (
        <NewCodeForm save={save} />
      )}
      {proof}
      <Dialog open={savedAs !== null} onClose={goBack} title={t('securityCode.saved')} tone="done">
        {t('securityCode.savedText')}
      </Dialog>
    </Screen>
  )
}

/**
 * Sets the first code, which is typed twice; the last digit of the second sends it, so the digits are visible while
 * typed. The server asks for a proof that it is the player.
 */
function NewCodeForm({ save }: { save: SaveCode }) {
  const t = useText()
  const saving = useMutation({
    mutationFn: save,
    onError: (error) => {
      if (!securityCodeFaults(error).newCode) showFailure(error)
    },
  })
  const [code, setCode] = useState('')
  const [again, setAgain] = useState('')
  const [differs, setDiffers] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const againField = useRef<HTMLInputElement>(null)
  // The refusal stays until a digit changes.
  const error = saving.variables?.newCode === code ? saving.error : null
  const [common, setCommon] = useState(false)
  const fault = common ? t('securityCode.common') : securityCodeFaults(error).newCode
  useEffect(() => {
    if (fault) field.current?.focus()
  }, [fault])

  function repeat(repeated: string) {
    if (!isComplete(code)) return field.current?.focus()
    if (repeated === code) return saving.mutate({ newCode: code })
    setAgain('')
    setDiffers(true)
    againField.current?.focus()
  }

  return (
    <div className="stack-4">
      <CodeField
        {...useSecret({ shown: true })}
        ref={field}
        label={t('securityCode.choose')}
        hint={t('securityCode.hint')}
        error={fault}
        value={code}
        onChange={(typed) => {
          setCode(typed)
          setAgain('')
          if (typed !== '') setCommon(false)
        }}
        onComplete={(chosen) => {
          setCommon(isCommonCode(chosen))
          if (isCommonCode(chosen)) setCode('')
          else againField.current?.focus()
        }}
        disabled={saving.isPending}
      />
      <CodeField
        {...useSecret({ shown: true })}
        ref={againField}
        label={t('securityCode.again')}
        error={differs ? t('securityCode.differ') : undefined}
        value={again}
        onChange={(typed) => {
          setAgain(typed)
          if (typed !== '') setDiffers(false)
        }}
        onComplete={repeat}
        disabled={saving.isPending}
      />
      {error && (
        <Button wide kind="soft" onClick={() => repeat(again)}>
          {t('action.retry')}
        </Button>
      )}
      <CodeNote />
    </div>
  )
}

const isComplete = (code: string) => /^\d{6}$/.test(code)

function ChangeCodeForm({ save }: { save: SaveCode }) {
  const t = useText()
  const { openSupport } = useSupport()
  const form = useSentForm<{ oldCode: string; newCode: string }>({
    defaultValues: { oldCode: '', newCode: '' },
    send: save,
    faultsOf: (error) => {
      const { oldCode, newCode, triesLeft } = securityCodeFaults(error)
      const left =
        triesLeft === undefined ? '' : ` · ${t('securityCode.triesLeft', { count: triesLeft })}`
      return { oldCode: oldCode && `${oldCode}${left}`, newCode }
    },
  })
  return (
    <div className="stack-4">
      <SentForm form={form} submit={t('securityCode.confirm')}>
        <FormCode
          {...useSecret()}
          name="oldCode"
          label={t('securityCode.old')}
          missing={t('securityCode.oldHint')}
          onComplete={() => form.setFocus('newCode')}
        />
        <FormCode
          {...useSecret({ shown: true })}
          name="newCode"
          label={t('securityCode.new')}
          hint={t('securityCode.hint')}
          missing={t('securityCode.newHint')}
          faultOf={(code) => (isCommonCode(code) ? t('securityCode.common') : undefined)}
        />
      </SentForm>
      <CodeNote />
      <Button kind="plain" size="s" onClick={openSupport}>
        {t('securityCode.forgotten')}
      </Button>
    </div>
  )
}

/** The properties of a field whose digits a button shows and hides; `shown`: they are visible at first. */
function useSecret(first = { shown: false }) {
  const t = useText()
  const [shown, setShown] = useState(first.shown)
  const toggle = (
    <Button kind="plain" size="s" onClick={() => setShown(!shown)}>
      <Icon name={shown ? 'eyeOff' : 'eye'} size={20} />
      <span>{shown ? t('securityCode.hide') : t('securityCode.show')}</span>
    </Button>
  )
  return { known: true, secret: !shown, end: toggle }
}

function CodeNote() {
  const t = useText()
  return (
    <Callout icon="shield" tone="accent">
      {t('securityCode.note')}
    </Callout>
  )
}

type SaveCode = ReturnType<typeof useSaveCode>[0]

/**
 * Saves the codes, and has the sheet that asks for a proof if one is needed. Without a session it shows a toast and opens
 * the login: the screen is public.
 */
function useSaveCode(onSaved: () => void) {
  const t = useText()
  const navigate = useNavigateUnlessLeft()
  const [withProof, proof] = useProof()
  const [actions] = useState(keyedActions)

  function leadToLogin() {
    showToast(t('hall.pleaseLogIn'))
    navigate(href('login'), { replace: true, state: placeBefore(location) })
  }

  async function save(codes: { newCode: string; oldCode?: string }): Promise<void> {
    try {
      if (canRestore()) await restoreSession()
      if (!currentSession()) return leadToLogin()
      await withProof(() => actions.send(codes, (key) => saveSecurityCode(codes, key)))
      onSaved()
    } catch (error) {
      if (needsLogin(error)) return leadToLogin()
      // The address may be wrong, or another device may have set the code.
      refetchQuery(hasSecurityCodeQuery)
      throw error
    }
  }
  return [save, proof] as const
}
