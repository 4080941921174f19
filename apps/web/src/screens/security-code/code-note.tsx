import { Callout } from '@sum28/ui/callout.tsx'
import { useText } from '#src/i18n/text.ts'

/** The purpose of the code, and the effects of a change. */
export function CodeNote() {
  const t = useText()
  return (
    <Callout icon="shield" tone="accent">
      {t('securityCode.note')}
    </Callout>
  )
}
