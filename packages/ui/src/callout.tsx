import type { ReactNode } from 'react'
import styles from '#src/callout.module.css'
import { Icon, type IconName } from '#src/icon.tsx'

type CalloutProps = {
  icon: IconName
  /** `warn` for what stands in the way; quiet unless told. */
  tone?: 'quiet' | 'warn'
  title?: string
  children: ReactNode
}

/** What a person should know at this place, with its picture. */
export function Callout({ icon, tone = 'quiet', title, children }: CalloutProps) {
  return (
    <div className={styles.callout} data-tone={tone}>
      <Icon name={icon} size={20} />
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        <div>{children}</div>
      </div>
    </div>
  )
}
