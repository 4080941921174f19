import type { ReactNode } from 'react'
import styles from '#src/parts/page.module.css'

type PageProps = {
  /** A `PageHeader`; stays at the top while the page scrolls. */
  header?: ReactNode
  /** Stays at the bottom, over the tab bar where there is one: the screen's main button. */
  footer?: ReactNode
  /** Tints the page with a game's colour: dot, bch, eth or btc. */
  game?: string | undefined
  children: ReactNode
}

/** The frame of a screen: cards in a column, 12 px apart, 16 px from the edges. */
export function Page({ header, footer, game, children }: PageProps) {
  return (
    <div className="stack grow" data-game={game}>
      {header}
      <main className={styles.main}>{children}</main>
      {footer && <div className={styles.footer}>{footer}</div>}
    </div>
  )
}
