import { Button } from '@sum28/ui/button.tsx'
import { IconButton } from '@sum28/ui/icon.tsx'
import { useEffect, useState } from 'react'
import { storeNewBuild } from '#src/app/keep-offline.ts'
import { watchForNewBuild } from '#src/app/new-build.ts'
import styles from '#src/app/shell.module.css'
import { useText } from '#src/i18n/text.ts'

/**
 * Says that a newer build is available; the page does not reload by itself.
 *
 * @param shown false on screens with buttons that spend money, which it must not move or cover
 */
export function UpdateBar({ shown }: { shown: boolean }) {
  const t = useText()
  const [ready, setReady] = useState(false)
  useEffect(
    () =>
      watchForNewBuild(() => {
        setReady(true)
        storeNewBuild()
      }),
    [],
  )

  return (
    // The region must exist before its text, or screen readers do not announce it.
    <div className={styles.updateRegion} role="status">
      {ready && shown && (
        <div className={styles.updateBar}>
          <p className="grow">{t('update.ready')}</p>
          <Button kind="soft" size="s" onClick={() => location.reload()}>
            {t('update.reload')}
          </Button>
          <IconButton icon="close" label={t('update.later')} onPress={() => setReady(false)} />
        </div>
      )}
    </div>
  )
}
