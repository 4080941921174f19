import { Icon, type IconName } from '#src/icon.tsx'
import styles from '#src/icon-button.module.css'

type IconButtonProps = {
  icon: IconName
  /** Its name, for who cannot see the picture. */
  label: string
  onPress: () => void
  disabled?: boolean
}

/** A picture to press, 44 px each way. */
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
