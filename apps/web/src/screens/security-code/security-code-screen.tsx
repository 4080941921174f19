import { isCommonCode } from '@sum28/domain/typed-digits.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { needsLogin, showFailure } from '#src/data/failure.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import {
  hasSecurityCodeQuery,
  saveSecurityCode,
  securityCodeFaults,
} from '#src/data/security-code.ts'
import { canRestore, restoreSession } from '#src/data/session.ts'
import { currentSession, placeBefore, useSignedIn } from '#src/data/session-watch.ts'
import { ErrorState } from '#src/features/loaded.tsx'
import { useProof } from '#src/features/proof.tsx'
import { Screen } from '#src/features/screen.tsx'
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
  const [code, setCode] = useState('')
  const [again, setAgain] = useState('')
  const [differs, setDiffers] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const againField = useRef<HTMLInputElement>(null)
  // The refusal stays until a digit changes.
  const error = save.variables?.newCode === code ? save.error : null
  const [common, setCommon] = useState(false)
  const fault = common ? t('securityCode.common') : securityCodeFaults(error).newCode
  useEffect(() => {
    if (fault) field.current?.focus()
  }, [fault])

  function repeat(repeated: string) {
    if (!isComplete(code)) return field.current?.focus()
    if (repeated === code) return save.mutate({ newCode: code })
    setAgain('')
    setDiffers(true)
    againField.current?.focus()
  }

  return (
    <div className="stack-4">
      <SecretCodeField
        ref={field}
        label={t('securityCode.choose')}
        hint={t('securityCode.hint')}
        error={fault}
        shownAtFirst
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
        disabled={save.isPending}
      />
      <SecretCodeField
        ref={againField}
        label={t('securityCode.again')}
        error={differs ? t('securityCode.differ') : undefined}
        shownAtFirst
        value={again}
        onChange={(typed) => {
          setAgain(typed)
          if (typed !== '') setDiffers(false)
        }}
        onComplete={repeat}
        disabled={save.isPending}
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
  const [oldCode, setOldCode] = useState('')
  const [newCode, setNewCode] = useState('')
  const [missing, setMissing] = useState<'old' | 'new' | null>(null)
  const oldField = useRef<HTMLInputElement>(null)
  const newField = useRef<HTMLInputElement>(null)
  const { openSupport } = useSupport()
  // A refused code stays marked until one of its digits changes.
  const faults = securityCodeFaults(save.error)
  const oldFault = save.variables?.oldCode === oldCode ? wordsOfOldFault() : undefined
  const common = isComplete(newCode) && isCommonCode(newCode)
  const newFault = common
    ? t('securityCode.common')
    : save.variables?.newCode === newCode
      ? faults.newCode
      : undefined

  function wordsOfOldFault(): string | undefined {
    const { oldCode: fault, triesLeft } = faults
    if (!fault || triesLeft === undefined) return fault
    return `${fault} · ${t('securityCode.triesLeft', { count: triesLeft })}`
  }

  function submit() {
    const first = !isComplete(oldCode) ? 'old' : !isComplete(newCode) ? 'new' : null
    setMissing(first)
    if (first === null && !common) {
      save.mutate({ oldCode, newCode })
      return
    }
    const field = first === 'old' ? oldField : newField
    field.current?.focus()
  }

  return (
    <form
      className="stack-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <SecretCodeField
        ref={oldField}
        label={t('securityCode.old')}
        error={missing === 'old' ? t('securityCode.oldHint') : oldFault}
        value={oldCode}
        onChange={(code) => {
          setOldCode(code)
          setMissing(null)
        }}
        onComplete={() => newField.current?.focus()}
        disabled={save.isPending}
      />
      <SecretCodeField
        ref={newField}
        label={t('securityCode.new')}
        hint={t('securityCode.hint')}
        error={missing === 'new' ? t('securityCode.newHint') : newFault}
        shownAtFirst
        value={newCode}
        onChange={(code) => {
          setNewCode(code)
          setMissing(null)
        }}
        disabled={save.isPending}
      />
      <Button type="submit" wide busy={save.isPending}>
        {t('securityCode.confirm')}
      </Button>
      <CodeNote />
      <Button kind="plain" size="s" onClick={openSupport}>
        {t('securityCode.forgotten')}
      </Button>
    </form>
  )
}

type SecretCodeFieldProps = Omit<ComponentProps<typeof CodeField>, 'known' | 'secret' | 'end'> & {
  /** Whether the digits are visible at first. */
  shownAtFirst?: boolean
}

function SecretCodeField({ shownAtFirst = false, ...field }: SecretCodeFieldProps) {
  const t = useText()
  const [shown, setShown] = useState(shownAtFirst)
  const toggle = (
    <Button kind="plain" size="s" onClick={() => setShown(!shown)}>
      <Icon name={shown ? 'eyeOff' : 'eye'} size={20} />
      <span>{shown ? t('securityCode.hide') : t('securityCode.show')}</span>
    </Button>
  )
  return <CodeField {...field} known secret={!shown} end={toggle} />
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

/** Sends the codes, and the sheet that asks for a proof if one is needed. Without a session, shows a toast and opens the login: the screen is public. */
function useSaveCode(onSaved: () => void) {
  const t = useText()
  const navigate = useNavigateUnlessLeft()
  const [withProof, proof] = useProof()

  function leadToLogin() {
    showToast(t('hall.pleaseLogIn'))
    navigate(href('login'), { replace: true, state: placeBefore(location) })
  }

  const save = useMutation({
    /** Resolves to whether the codes were saved. */
    mutationFn: async (codes: { newCode: string; oldCode?: string }) => {
      if (canRestore()) await restoreSession()
      if (!currentSession()) return false
      await withProof(() => saveSecurityCode(codes))
      return true
    },
    onSuccess: (sent) => (sent ? onSaved() : leadToLogin()),
    onError: (error) => {
      if (needsLogin(error)) return leadToLogin()
      const { oldCode, newCode } = securityCodeFaults(error)
      if (!oldCode && !newCode) showFailure(error)
      // The address may be wrong, or another device may have set the code.
      refetchQuery(hasSecurityCodeQuery)
    },
  })
  return [save, proof] as const
}
