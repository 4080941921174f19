import type { ReactNode } from 'react'
import styles from './gallery.module.css'

/** One component with its states. */
export function GalleryPart({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2>{name}</h2>
      <div className={styles.states}>{children}</div>
    </section>
  )
}

type StateProps = {
  name: string
  /** Several small things beside each other. */
  side?: boolean
  children: ReactNode
}

/** One state of a component. */
export function State({ name, side = false, children }: StateProps) {
  return (
    <div className={styles.state}>
      <small>{name}</small>
      <div className={side ? styles.side : undefined}>{children}</div>
    </div>
  )
}
