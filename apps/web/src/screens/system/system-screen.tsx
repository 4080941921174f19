import { useStore } from '@sum28/ui/store.ts'
import { type ReactNode, useId } from 'react'
import { SCHEMES, scheme } from '#src/data/device-settings.ts'
import {
  canSound,
  canVibrate,
  signalProfit,
  sounds,
  winVibration,
} from '#src/data/device-signals.ts'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { Callout } from '#src/parts/callout.tsx'
import { Card, CardHeading } from '#src/parts/card.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import styles from '#src/screens/system/system.module.css'

/** The settings that this device keeps. */
export function SystemScreen() {
  const t = useText()
  const chosen = useStore(scheme)
  const vibrates = useStore(winVibration) === 'on'
  const sounding = useStore(sounds) === 'on'

  /** Switched on, it gives an example. */
  function change(setting: typeof sounds, on: boolean) {
    setting.set(on ? 'on' : 'off')
    if (on) signalProfit()
  }

  return (
    <Screen title={t('settings.system')} back>
      <CardHeading>{t('tab.system')}</CardHeading>
      <Card kind="rows">
        {SCHEMES.map((each) => (
          <ListRow
            key={each}
            title={t(`system.scheme.${each}`)}
            chosen={each === chosen}
            onPress={() => scheme.set(each)}
          />
        ))}
      </Card>
      <Card kind="rows">
        <SwitchRow
          title={t('system.vibration')}
          note={t(canVibrate() ? 'system.vibrationNote' : 'system.cannot')}
          on={vibrates}
          onChange={(on) => change(winVibration, on)}
          disabled={!canVibrate()}
        />
        <SwitchRow
          title={t('system.sounds')}
          note={t(canSound() ? 'system.soundsNote' : 'system.cannotSound')}
          on={sounding}
          onChange={(on) => change(sounds, on)}
          disabled={!canSound()}
        />
      </Card>
      <Callout icon="info">{t('system.kept')}</Callout>
    </Screen>
  )
}

type SwitchRowProps = {
  title: string
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
        <span id={`${id}-title`} className="medium">
          {title}
        </span>
        {note && (
          <span id={`${id}-note`} className="hint">
            {note}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        className={styles.toggle}
        checked={on}
        aria-checked={on}
        disabled={disabled}
        aria-labelledby={`${id}-title`}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
