import type { ReactNode } from 'react'
import { useAnnounced } from '#src/navigation/arrival.ts'
import styles from '#src/parts/callout.module.css'
import { Icon, type IconName } from '#src/parts/icon.tsx'

type CalloutProps = {
  icon: IconName
  /** `accent` colours the icon; `warn` is for an obstacle; quiet by default. */
  tone?: 'quiet' | 'accent' | 'warn'
  title?: string
  children: ReactNode
}

/** A boxed note within a page, with an icon. */
export function Callout({ icon, tone = 'quiet', title, children }: CalloutProps) {
  return (
    <div className={styles.callout} data-tone={tone}>
      <Icon name={icon} size={20} />
      <div className="lines grow">
        {title && <p className={styles.title}>{title}</p>}
        <div>{children}</div>
      </div>
    </div>
  )
}

export type VerdictLook = {
  readonly icon: IconName
  readonly tone: 'in' | 'warn' | 'bad' | 'quiet'
}

/** The result of a check, which screen readers say when it comes. */
export function Verdict({
  look: { icon, tone },
  title,
  children,
}: {
  look: VerdictLook
  title: string
  children: string
}) {
  useAnnounced(`${title}: ${children}`)
  return (
    <div className={styles.verdict} data-tone={tone}>
      <Icon name={icon} size={26} />
      <div>
        <b>{title}</b>
        <p>{children}</p>
      </div>
    </div>
  )
}
