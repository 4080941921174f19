import { classNames } from '#src/parts/class-names.ts'
import styles from '#src/parts/icon.module.css'

/** Drawn on a grid of 24, in strokes of the text's colour. */
const PATHS = {
  back: 'M14.5 5l-7 7 7 7',
  forward: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  plus: 'M12 6v12M6 12h12',
  minus: 'M6 12h12',
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  news: 'M5 5h14v14H5zM8.5 9h7M8.5 12.5h7M8.5 16h4',
  play: 'M7 5h10a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3zM9 9v6M12 9v6M15 9v6',
  chart:
    'M7 4v4M7 15v5M17 4v3M17 15v5M5.5 8h3a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1zM15.5 7h3a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z',
  person: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM4.5 20c.8-4 3.7-6 7.5-6s6.7 2 7.5 6',
  people:
    'M12.5 8.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM2.5 19c.6-3.4 3-5 6.5-5s5.9 1.6 6.5 5M15.5 5.3a3.5 3.5 0 0 1 0 6.4M18 14.5c2 .7 3.1 2.2 3.5 4.5',
  bell: 'M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4',
  robot:
    'M8 9h8a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-4a3 3 0 0 1 3-3zM12 9V5M9.5 14h.01M14.5 14h.01',
  shield: 'M12 3.5L19 6v6c0 4-3 7-7 8.5C8 19 5 16 5 12V6zM9 12l2.2 2.2L15.5 10',
  list: 'M5 7h14M5 12h14M5 17h9',
  card: 'M6 6h12a2.5 2.5 0 0 1 2.5 2.5v7A2.5 2.5 0 0 1 18 18H6a2.5 2.5 0 0 1-2.5-2.5v-7A2.5 2.5 0 0 1 6 6zM3.5 10h17',
  wallet:
    'M18 7V5.5A1.5 1.5 0 0 0 16.5 4H6a2.5 2.5 0 0 0 0 5h12.5A1.5 1.5 0 0 1 20 10.5v8a1.5 1.5 0 0 1-1.5 1.5H6a2.5 2.5 0 0 1-2.5-2.5V6.5M16 14.5h.01',
  gear: 'M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM12 4v2M12 18v2M4 12h2M18 12h2M6.5 6.5L8 8M16 16l1.5 1.5M17.5 6.5L16 8M8 16l-1.5 1.5',
  chat: 'M5 6h14v9h-8l-4 4v-4H5z',
  calendar:
    'M7 6h10a2.5 2.5 0 0 1 2.5 2.5v8A2.5 2.5 0 0 1 17 19H7a2.5 2.5 0 0 1-2.5-2.5v-8A2.5 2.5 0 0 1 7 6zM4.5 10.5h15M9 4v3M15 4v3',
  clock: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM12 7.5V12l3 2',
  eye: 'M2.5 12c2-4 5.3-6.5 9.5-6.5s7.5 2.5 9.5 6.5c-2 4-5.3 6.5-9.5 6.5S4.5 16 2.5 12zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  eyeOff:
    'M4 4l16 16M9.9 5.7A9.7 9.7 0 0 1 12 5.5c4.2 0 7.5 2.5 9.5 6.5-.7 1.4-1.6 2.6-2.7 3.6M6.3 7.5A11.6 11.6 0 0 0 2.5 12c2 4 5.3 6.5 9.5 6.5 1.6 0 3-.4 4.3-1M9.9 9.9a3 3 0 0 0 4.2 4.2',
  copy: 'M10.5 9h7a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 9 17.5v-7A1.5 1.5 0 0 1 10.5 9zM15 6v-.5A1.5 1.5 0 0 0 13.5 4h-7A1.5 1.5 0 0 0 5 5.5v7A1.5 1.5 0 0 0 6.5 14',
  warn: 'M12 4.5L21 19.5H3zM12 10v4M12 16.8h.01',
  info: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM12 11.5v4.5M12 8.2h.01',
  done: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM8.5 12.2l2.5 2.5 4.5-5',
  lock: 'M7.5 11h9a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 17.5v-5A1.5 1.5 0 0 1 7.5 11zM8.5 11V8.5a3.5 3.5 0 0 1 7 0V11',
  globe:
    'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM4 12h16M12 4c2.3 2.2 3.4 4.9 3.4 8S14.3 17.8 12 20c-2.3-2.2-3.4-4.9-3.4-8S9.7 6.2 12 4z',
  mail: 'M6 6h12a2.5 2.5 0 0 1 2.5 2.5v7A2.5 2.5 0 0 1 18 18H6a2.5 2.5 0 0 1-2.5-2.5v-7A2.5 2.5 0 0 1 6 6zM4 8l8 5.5L20 8',
  refresh:
    'M19 11a7 7 0 0 0-12.6-3.2L4.5 10M4.5 5.5V10H9M5 13a7 7 0 0 0 12.6 3.2l1.9-2.2M19.5 18.5V14H15',
  offline:
    'M4 4l16 16M8.5 12.6A6.5 6.5 0 0 1 11 11.3M5 9.2a11 11 0 0 1 3-2M12.5 6a11 11 0 0 1 6.5 3.2M14.5 12a6.5 6.5 0 0 1 1 .6M12 17.5h.01',
  line: 'M5 18v-4M10 18v-7M15 18V8M20 18V5',
  logout: 'M13 5H7.5A1.5 1.5 0 0 0 6 6.5v11A1.5 1.5 0 0 0 7.5 19H13M10.5 12H20M17 9l3 3-3 3',
  share: 'M12 15V4.5M8 8l4-4 4 4M6 12v6.5A1.5 1.5 0 0 0 7.5 20h9a1.5 1.5 0 0 0 1.5-1.5V12',
  camera:
    'M5.5 8H8l1.5-2.5h5L16 8h2.5A1.5 1.5 0 0 1 20 9.5v8a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5v-8A1.5 1.5 0 0 1 5.5 8zM15 13a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  trophy:
    'M8 5h8v5a4 4 0 0 1-8 0zM8 6.5H5c0 3 1 4.5 3.2 4.5M16 6.5h3c0 3-1 4.5-3.2 4.5M12 14v3M9 19.5c0-1.5 1.2-2.5 3-2.5s3 1 3 2.5z',
  pause: 'M9 6v12M15 6v12',
  resume: 'M8.5 6v12l9.5-6z',
  flag: 'M6 20.5V4.5M6 5.5h11l-2.5 4 2.5 4H6',
  search: 'M16 11a5 5 0 1 1-10 0 5 5 0 0 1 10 0zM15 15l4.5 4.5',
  external:
    'M10 6H7.5A1.5 1.5 0 0 0 6 7.5v9A1.5 1.5 0 0 0 7.5 18h9a1.5 1.5 0 0 0 1.5-1.5V14M13.5 5.5h5v5M18.5 5.5L11 13',
  star: 'M12 4.5l2.3 4.9 5.2.7-3.8 3.7.9 5.3-4.6-2.6-4.6 2.6.9-5.3-3.8-3.7 5.2-.7z',
  empty: 'M5 13l2.5-7h9L19 13v5a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1zM5 13h4l1 2.5h4l1-2.5h4',
} as const

export type IconName = keyof typeof PATHS

type IconProps = {
  name: IconName
  /** Pixels of each side; 24 by default. */
  size?: number
  className?: string | undefined
}

/** An icon. Hidden from screen readers: the control around it has the name. */
export function Icon({ name, size = 24, className }: IconProps) {
  return (
    <svg
      className={classNames(styles.icon, className)}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

/** At the end of a row that leads further. */
export function Arrow() {
  return <Icon name="forward" size={16} className="ink-3" />
}

type IconButtonProps = {
  icon: IconName
  label: string
  onPress: () => void
  disabled?: boolean
  /** Of what it unfolds. */
  expanded?: boolean
  className?: string | undefined
}

/** A button with only an icon, 44 px on each side. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, onPress, disabled, expanded, className } = props
  return (
    <button
      type="button"
      className={classNames(styles.button, className)}
      aria-label={label}
      aria-expanded={expanded}
      // Not `disabled`, which would take the focus away.
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onPress}
    >
      <Icon name={icon} />
    </button>
  )
}
