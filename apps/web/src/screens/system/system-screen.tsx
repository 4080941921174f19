import { Callout } from '@sum28/ui/callout.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { useStore } from '@sum28/ui/store.ts'
import { SwitchRow } from '@sum28/ui/switch-row.tsx'
import { canVibrate, vibrateForProfit, winVibration } from '#src/data/win-vibration.ts'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'

/** The settings of this device, for this visit. */
export function SystemScreen() {
  const t = useText()
  const on = useStore(winVibration)
  const can = canVibrate()

  function change(next: boolean) {
    winVibration.set(next)
    // As an example.
    vibrateForProfit()
  }

  return (
    <Screen title={t('settings.system')} back>
      <Card kind="rows">
        <SwitchRow
          title={t('system.vibration')}
          note={t('system.vibrationNote')}
          on={on}
          onChange={change}
          disabled={!can}
        />
      </Card>
      <Callout icon="info">{can ? t('system.forNow') : t('system.cannot')}</Callout>
    </Screen>
  )
}
