import { numberOfKind, type PayKind } from '#src/data/pay-method.ts'
import { useText } from '#src/i18n/text.ts'
import { OPENED_KEY, useLocation, useNavigateUnlessLeft } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { showToast } from '#src/parts/toast-store.ts'

/** Leaves the form of a saved pay method: back, or to the list if the visit began with the form. */
export function useLeavePayMethodForm(kind: PayKind): () => void {
  const t = useText()
  const navigate = useNavigateUnlessLeft()
  const openedHere = useLocation().key === OPENED_KEY
  return () => {
    showToast(t('toast.saved'))
    if (!openedHere) navigate(-1)
    else
      navigate(href('payMethods', { type: numberOfKind(kind) }), {
        replace: true,
      })
  }
}
