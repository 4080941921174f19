import { type ReactNode, useSyncExternalStore } from 'react'
import { lineBase, watchLineBase } from '#src/data/lines.ts'
import { Screen } from '#src/features/screen.tsx'
import styles from '#src/features/sign-in-frame.module.css'
import { useText } from '#src/i18n/text.ts'

type SignInFrameProps = {
  title: string
  back?: boolean
  action?: ReactNode
  /** See {@link PageFoot}. */
  foot?: string
  children: ReactNode
}

/** The frame of the forms to log in, register and reset the password. */
export function SignInFrame({ title, back = false, action, foot, children }: SignInFrameProps) {
  return (
    <Screen title={title} back={back} action={action}>
      <Brand>
        <span className={styles.tiles} aria-hidden="true">
          <i>9</i>
          <i>9</i>
          <i>9</i>
        </span>
      </Brand>
      {children}
      {foot && <PageFoot>{foot}</PageFoot>}
    </Screen>
  )
}

/** Whether this device can be remembered: the server's cookie is of its own address, and a page of another one never sends it. */
export function useCanRemember(): boolean {
  return useSyncExternalStore(watchLineBase, lineBase) === ''
}

/** The product's name and slogan beside a picture. */
export function Brand({ children }: { children: ReactNode }) {
  const t = useText()
  return (
    <div className={styles.brand}>
      {children}
      <span>
        <b className={styles.name}>Sum28</b>
        <span className="quiet">{t('app.slogan')}</span>
      </span>
    </div>
  )
}

/** At the foot of a page, such as the version. */
export function PageFoot({ children }: { children: ReactNode }) {
  return <p className={styles.foot}>{children}</p>
}
