import { Icon, type IconName } from '#src/icon.tsx'
import styles from '#src/icon-button.module.css'

type IconButtonProps = {
  icon: IconName
  /** The name for screen readers. */
  label: string
  onPress: () => void
  disabled?: boolean
}

/** A button with only an icon, 44 px on each side. */
export function IconButton({ icon, label, onPress, disabled = false }: IconButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      disabled={disabled}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  )
}
