import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeProfile } from '#src/data/change-profile.ts'
import { profileQuery } from '#src/data/profile.ts'
import { currentSession } from '#src/data/session-watch.ts'
import { AvatarPreset, presetNumber } from '#src/features/avatar.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { isLeft, useGoBack, useLocation } from '#src/navigation/navigation.tsx'
import { Button } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import styles from '#src/screens/avatar/avatar.module.css'

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** The preset pictures; one is chosen and confirmed. */
export function AvatarScreen() {
  const t = useText()
  const goBack = useGoBack()
  const location = useLocation()
  const profile = useQuery(profileQuery)
  const [picked, setPicked] = useState<number | null>(null)
  const chosen = picked ?? presetNumber(profile.data?.avatar ?? '')
  const save = useMutation({
    mutationFn: (number: number) => changeProfile({ avatar: `preset:${number}` }),
    onSuccess: () => {
      showToast(t('avatar.saved'))
      if (!isLeft(location)) goBack()
    },
  })

  function confirm() {
    if (!currentSession()) showToast(t('hall.pleaseLogIn'))
    else if (chosen !== null) save.mutate(chosen)
  }

  return (
    <Screen
      title={t('avatar.default')}
      back
      footer={
        <Button wide disabled={chosen === null} busy={save.isPending} onClick={confirm}>
          {t('avatar.confirm')}
        </Button>
      }
    >
      <Card>
        <fieldset className={styles.grid}>
          <legend className="unseen">{t('avatar.default')}</legend>
          {NUMBERS.map((number) => (
            <label key={number} className={styles.option}>
              <span className={styles.face}>
                <AvatarPreset number={number} />
              </span>
              <input
                type="radio"
                name="avatar"
                className="tick"
                checked={number === chosen}
                aria-label={t('avatar.number', { number })}
                onChange={() => setPicked(number)}
              />
            </label>
          ))}
        </fieldset>
      </Card>
    </Screen>
  )
}
