import type { ReactNode } from 'react'
import { Screen } from '#src/features/screen.tsx'
import styles from '#src/features/sign-in-frame.module.css'
import { useText } from '#src/i18n/text.ts'

type SignInFrameProps = {
  title: string
  back?: boolean
  action?: ReactNode
  /** At the foot of the page, such as the version. */
  foot?: string
  children: ReactNode
}

/** The frame of the forms to log in, register and reset the password. */
export function SignInFrame({ title, back = false, action, foot, children }: SignInFrameProps) {
  const t = useText()
  return (
    <Screen title={title} back={back} action={action}>
      <div className={styles.brand}>
        <span className={styles.tiles} aria-hidden="true">
          <i>9</i>
          <i>9</i>
          <i>9</i>
        </span>
        <span>
          <b className={styles.name}>Sum28</b>
          <span className="quiet">{t('app.slogan')}</span>
        </span>
      </div>
      {children}
      {foot && <p className={styles.foot}>{foot}</p>}
    </Screen>
  )
}
