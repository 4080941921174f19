import { showToast } from '@sum28/ui/toast-store.ts'
import { useEffect } from 'react'
import { useText } from '#src/i18n/text.ts'

/**
 * Shows 'none yet' in a toast if a list is empty.
 *
 * @param range the chosen days and filters, as one text: each new choice shows the toast again
 */
export function useEmptyListToast(none: boolean, range: string): void {
  const t = useText()
  useEffect(() => {
    if (none) showToast(t('list.noneYet'))
  }, [none, range, t])
}
