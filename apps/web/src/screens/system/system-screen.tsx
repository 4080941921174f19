import { Callout } from '@sum28/ui/callout.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { useStore } from '@sum28/ui/store.ts'
import { type ReactNode, useId } from 'react'
import { canVibrate, vibrateForProfit, winVibration } from '#src/data/win-vibration.ts'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/system/system.module.css'

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

type SwitchRowProps = {
  title: string
  /** A second, quieter line. */
  note?: ReactNode
  on: boolean
  onChange: (on: boolean) => void
  disabled?: boolean
}

/** A list row with a switch; the whole row can be tapped. */
function SwitchRow({ title, note, on, onChange, disabled = false }: SwitchRowProps) {
  const id = useId()
  return (
    <label className={styles.row}>
      <span className="lines grow">
        <span id={`${id}-title`} className={styles.title}>
          {title}
        </span>
        {note && (
          <span id={`${id}-note`} className={styles.note}>
            {note}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        className={styles.input}
        checked={on}
        aria-checked={on}
        disabled={disabled}
        aria-labelledby={`${id}-title`}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={styles.track} aria-hidden="true" />
    </label>
  )
}
