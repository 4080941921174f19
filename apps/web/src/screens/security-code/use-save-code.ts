import { showToast } from '@sum28/ui/toast-store.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { needsLogin } from '#src/data/failure-kind.ts'
import { hasSecurityCodeQuery, saveSecurityCode } from '#src/data/security-code.ts'
import { canRestore, restoreSession } from '#src/data/session.ts'
import { currentSession } from '#src/data/session-watch.ts'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'

export type SaveCode = ReturnType<typeof useSaveCode>

/** Sends the codes. Without a session, shows a toast and opens the login: the screen is public. */
export function useSaveCode(onSaved: () => void) {
  const t = useText()
  const navigate = useNavigate()
  const queries = useQueryClient()

  function leadToLogin() {
    showToast(t('hall.pleaseLogIn'))
    navigate(href('login'))
  }

  return useMutation({
    /** Resolves to whether the codes were saved. */
    mutationFn: async (codes: { newCode: string; oldCode?: string }) => {
      if (canRestore()) await restoreSession()
      if (!currentSession()) return false
      await saveSecurityCode(codes)
      return true
    },
    onSuccess: (sent) => (sent ? onSaved() : leadToLogin()),
    onError: (error) => {
      if (needsLogin(error)) return leadToLogin()
      showFailure(error)
      // The address may be wrong, or another device may have set the code.
      queries.invalidateQueries({ queryKey: hasSecurityCodeQuery.queryKey })
    },
  })
}
