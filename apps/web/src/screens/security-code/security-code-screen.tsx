import { Dialog } from '@sum28/ui/dialog.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useGoBack } from '#src/app/use-go-back.ts'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { hasSecurityCodeQuery } from '#src/data/security-code.ts'
import { useSession } from '#src/data/session-watch.ts'
import { ErrorState } from '#src/features/error-state.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { ChangeCodeForm } from '#src/screens/security-code/change-code-form.tsx'
import { NewCodeForm } from '#src/screens/security-code/new-code-form.tsx'
import { useSaveCode } from '#src/screens/security-code/use-save-code.ts'

/**
 * Sets or changes the security code. The server knows which; until it has answered, and without a
 * session, the address decides.
 */
export function SecurityCodeScreen() {
  const t = useText()
  const goBack = useGoBack()
  const { isTrue } = useRouteQuery('securityCode')
  const signedIn = useSession() !== null
  const known = useQuery({ ...hasSecurityCodeQuery, enabled: signedIn })
  // After saving there is a code, but the form behind the dialog must not change.
  const [savedAs, setSavedAs] = useState<'new' | 'change' | null>(null)
  const form = savedAs ?? ((known.data ?? isTrue === 'true') ? 'change' : 'new')
  const save = useSaveCode(() => setSavedAs(form))
  const unknown = signedIn && known.isError && known.data === undefined

  return (
    <Screen
      title={form === 'change' ? t('securityCode.changeTitle') : t('securityCode.setTitle')}
      back
    >
      {unknown ? (
        <ErrorState error={known.error} onRetry={() => known.refetch()} />
      ) : form === 'change' ? (
        <ChangeCodeForm save={save} />
      ) : (
        <NewCodeForm save={save} />
      )}
      <Dialog open={savedAs !== null} onClose={goBack} title={t('securityCode.saved')} tone="done">
        {t('securityCode.savedText')}
      </Dialog>
    </Screen>
  )
}
