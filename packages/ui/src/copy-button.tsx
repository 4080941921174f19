import { Button, type ButtonKind } from '#src/button.tsx'
import { copyText } from '#src/copy-text.ts'
import { Icon } from '#src/icon.tsx'
import { IconButton } from '#src/icon-button.tsx'
import { useText } from '#src/text.ts'
import { showToast } from '#src/toast-store.ts'

type CopyButtonProps = {
  value: string
  /** The button's label; for an icon, its name. */
  label: string
  /** Only the icon. */
  small?: boolean
  kind?: ButtonKind
}

/** Copies a text, and says whether it did. */
export function CopyButton({ value, label, small = false, kind = 'soft' }: CopyButtonProps) {
  const t = useText()

  async function copy() {
    showToast((await copyText(value)) ? t('copy.done') : t('copy.failed'))
  }

  if (small) return <IconButton icon="copy" label={label} onPress={copy} />
  return (
    <Button kind={kind} size="s" wide onClick={copy}>
      <Icon name="copy" size={20} />
      {label}
    </Button>
  )
}
