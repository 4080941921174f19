import type { ReactNode } from 'react'
import { Link } from '#src/navigation/navigation.tsx'
import { Card } from '#src/parts/card.tsx'
import { Icon, type IconName } from '#src/parts/icon.tsx'
import styles from '#src/parts/record-row.module.css'

/** The colour of a sign or badge; the words beside it say the same. */
export type RecordTone = 'quiet' | 'in' | 'accent' | 'warn' | 'bad'

type RecordRowProps = {
  /** Before the words: a `RecordSign`, or a game's mark. */
  sign: ReactNode
  title: ReactNode
  /** At the end of the title's line: the amount. */
  value?: ReactNode
  /** The quieter line below, and the element at its end. */
  note?: ReactNode
  noteEnd?: ReactNode
  children?: ReactNode
  /** The target of a tap; without it the row is not a link. */
  to?: string
}

type RecordCardProps<Item> = {
  items: readonly Item[]
  keyOf: (item: Item) => number | string
  /** The row of an item, and its place. */
  children: (item: Item, at: number) => ReactNode
}

/** A card with a row for each item. */
export function RecordCard<Item>({ items, keyOf, children }: RecordCardProps<Item>) {
  return (
    <Card kind="rows">
      <RecordList>
        {items.map((item, at) => (
          <li key={keyOf(item)}>{children(item, at)}</li>
        ))}
      </RecordList>
    </Card>
  )
}

/** A list of records with lines between them; its children are `li`s. */
export function RecordList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>
}

/** A record in a list: a bet, a movement of money, a transfer, a message. */
export function RecordRow({ sign, title, value, note, noteEnd, children, to }: RecordRowProps) {
  const content = (
    <>
      {sign}
      <span className={styles.words}>
        <span className={styles.line}>
          <span className={`ink ${styles.title}`}>{title}</span>
          {value && <span className={`ink small bold ${styles.end}`}>{value}</span>}
        </span>
        {(note || noteEnd) && (
          <span className={styles.line}>
            {note && <span className="num">{note}</span>}
            {noteEnd && <span className={styles.end}>{noteEnd}</span>}
          </span>
        )}
      </span>
      {children && <div className={styles.foot}>{children}</div>}
    </>
  )
  if (to === undefined) return <div className={styles.row}>{content}</div>
  return (
    <Link className={styles.row} to={to}>
      {content}
    </Link>
  )
}

/** The picture before a record. */
export function RecordSign({ icon, tone = 'quiet' }: { icon: IconName; tone?: RecordTone }) {
  return (
    <span className={styles.sign} data-tone={tone}>
      <Icon name={icon} size={20} />
    </span>
  )
}

/** The state of a record, as a word beside its title. */
export function RecordBadge({ tone = 'quiet', children }: { tone?: RecordTone; children: string }) {
  return (
    <>
      {/* A space, unlike a margin, disappears if the badge begins a line. */}{' '}
      <span className={styles.badge} data-tone={tone}>
        {children}
      </span>
    </>
  )
}
