import { type ReactNode, useRef } from 'react'
import styles from '#src/features/page.module.css'
import { useText } from '#src/i18n/text.ts'
import { useArrival } from '#src/navigation/arrival.ts'
import { useGoBack } from '#src/navigation/navigation.tsx'
import { IconButton } from '#src/parts/icon.tsx'

type PageHeaderProps = {
  /** Also the document's title. */
  title: string
  /** A quieter line under it. */
  note?: ReactNode
  /** A back button; `true` returns to the previous screen. */
  back?: boolean | (() => void)
  /** At the end: `IconButton`s or a chip. */
  action?: ReactNode
}

export function PageHeader({ title, note, back = false, action }: PageHeaderProps) {
  const t = useText()
  const goBack = useGoBack()
  const heading = useRef<HTMLHeadingElement>(null)
  useArrival(title, heading)
  return (
    <header className={styles.header}>
      {back && (
        <IconButton
          icon="back"
          label={t('action.back')}
          onPress={typeof back === 'function' ? back : goBack}
        />
      )}
      <div className={styles.words} data-back={back !== false}>
        <h1 className={styles.title} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {note && <div className="caption">{note}</div>}
      </div>
      {action}
    </header>
  )
}

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
