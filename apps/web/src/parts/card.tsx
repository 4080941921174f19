import type { ComponentProps, ReactNode } from 'react'
import styles from '#src/parts/card.module.css'
import { classNames } from '#src/parts/class-names.ts'

type CardProps = ComponentProps<'div'> & {
  /** `rows`: for `ListRow`s, without inner space above and below. */
  kind?: 'plain' | 'rows'
}

/** A raised surface around things that belong together. */
export function Card({ kind = 'plain', className, ...rest }: CardProps) {
  return <div {...rest} className={classNames(styles.card, styles[kind], className)} />
}

type CardHeadingProps = { children: string; end?: ReactNode }

/** The heading over a card, with an element at its end. */
export function CardHeading({ children, end }: CardHeadingProps) {
  return (
    <div className={styles.heading}>
      <h2>{children}</h2>
      {end}
    </div>
  )
}

/** Cards under one heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack-2 shrink">
      <CardHeading>{title}</CardHeading>
      {children}
    </section>
  )
}
