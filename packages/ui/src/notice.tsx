import type { ReactNode } from 'react'
import { Icon, type IconName } from '#src/icon.tsx'
import styles from '#src/notice.module.css'

type NoticeProps = {
  icon: IconName
  /** `warn` for what stands in the way; quiet unless told. */
  tone?: 'quiet' | 'warn'
  title?: string
  children: ReactNode
}

/** What a person should know at this place, with its picture. */
export function Notice({ icon, tone = 'quiet', title, children }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone}>
      <Icon name={icon} size={20} />
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        <div>{children}</div>
      </div>
    </div>
  )
}
