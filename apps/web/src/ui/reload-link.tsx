import { useText } from '#src/i18n/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'

/** Asks for an empty list once more. */
export function ReloadLink({ onReload }: { onReload: () => void }) {
  const t = useText()
  return (
    <Button kind="plain" size="s" onClick={onReload}>
      <Icon name="refresh" size={18} />
      {t('action.reload')}
    </Button>
  )
}
