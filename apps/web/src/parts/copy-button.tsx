import { copyText } from '@sum28/ui/copy-text.ts'
import { useText } from '#src/i18n/text.ts'
import { Button, type ButtonKind } from '#src/parts/button.tsx'
import { Icon, IconButton } from '#src/parts/icon.tsx'
import { showToast } from '#src/parts/toast-store.ts'

type CopyButtonProps = {
  /** The text, or what fetches it. */
  value: string | (() => Promise<string>)
  /** The button's label; for an icon, its name. */
  label: string
  small?: boolean
  kind?: ButtonKind
}

/** Copies a text, and says whether it did. */
export function CopyButton({ value, label, small = false, kind = 'soft' }: CopyButtonProps) {
  const t = useText()

  async function copy() {
    const text = typeof value === 'string' ? value : await value()
    const copied = await copyText(text)
    showToast(t(copied ? 'copy.done' : 'copy.failed'), { stays: !copied })
  }

  if (small) return <IconButton icon="copy" label={label} onPress={copy} />
  return (
    <Button kind={kind} size="s" wide onClick={copy}>
      <Icon name="copy" size={20} />
      {label}
    </Button>
  )
}
