import type { ReactNode } from 'react'
import { Link } from '#src/navigation/navigation.tsx'
import { Arrow, Icon, type IconName } from '#src/parts/icon.tsx'
import styles from '#src/parts/list-row.module.css'

type ListRowProps = {
  title: ReactNode
  icon?: IconName
  note?: ReactNode
  /** At the end: a value, a badge. */
  end?: ReactNode
  /** The target of a tap. */
  to?: string
  /** Called on a tap. With neither `to` nor `onPress` the row is no control. */
  onPress?: () => void
  /** An arrow at the end; the default for a row that can be tapped. */
  arrow?: boolean
  /** For a choice among rows: whether it is the chosen one. */
  chosen?: boolean
  danger?: boolean
}

/** One row of a list: 52 px or more to tap. */
export function ListRow({
  title,
  icon,
  note,
  end,
  to,
  onPress,
  arrow,
  chosen,
  danger,
}: ListRowProps) {
  const pressable = to !== undefined || onPress !== undefined
  const content = (
    <>
      {icon && <Icon name={icon} size={22} className={styles.icon} />}
      <span className={styles.words}>
        <span className="medium">{title}</span>
        {note && <span className="hint">{note}</span>}
      </span>
      {end && <span className={styles.end}>{end}</span>}
      {chosen && <Icon name="check" size={20} className={styles.chosen} />}
      {(arrow ?? (pressable && chosen === undefined && !danger)) && <Arrow />}
    </>
  )
  if (to !== undefined) {
    return (
      <Link className={styles.row} to={to} data-danger={danger}>
        {content}
      </Link>
    )
  }
  if (!onPress) return <div className={styles.row}>{content}</div>
  return (
    <button
      type="button"
      className={styles.row}
      data-danger={danger}
      aria-pressed={chosen}
      onClick={onPress}
    >
      {content}
    </button>
  )
}
