import { showToast } from '@sum28/ui/toast-store.ts'
import { useEffect } from 'react'
import { useText } from '#src/i18n/text.ts'

/**
 * Shows 'none yet' in a toast if a list has nothing in its days.
 *
 * @param range the days and whatever else was chosen: for another choice it is said again
 */
export function useNoneYet(none: boolean, range: string): void {
  const t = useText()
  useEffect(() => {
    if (none) showToast(t('list.noneYet'))
  }, [none, range, t])
}
