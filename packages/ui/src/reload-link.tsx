import { Button } from '#src/button.tsx'
import { Icon } from '#src/icon.tsx'
import { useText } from '#src/text.ts'

/** Loads an empty list again. */
export function ReloadLink({ onReload }: { onReload: () => void }) {
  const t = useText()
  return (
    <Button kind="plain" size="s" onClick={onReload}>
      <Icon name="refresh" size={18} />
      {t('action.reload')}
    </Button>
  )
}
