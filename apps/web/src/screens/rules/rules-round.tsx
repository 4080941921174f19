import { durationText } from '@sum28/ui/duration-text.ts'
import { useLocale } from '@sum28/ui/text.ts'
import type { Rules } from '#src/data/room-rules.ts'
import { useText } from '#src/i18n/text.ts'
import { RulesPart } from '#src/screens/rules/rules-part.tsx'
import styles from '#src/screens/rules/rules-round.module.css'

/** A round's two parts to scale, and the opening hours. */
export function RulesRound({ rules }: { rules: Rules }) {
  const t = useText()
  const { tag } = useLocale()
  const { roundSeconds, sealSeconds } = rules
  const open = durationText(roundSeconds - sealSeconds, tag)
  const sealed = durationText(sealSeconds, tag)
  return (
    <RulesPart title={t('rules.roundTitle')}>
      <div className={styles.line} aria-hidden="true">
        <div className={styles.open} style={{ flexGrow: roundSeconds - sealSeconds }}>
          <span>{t('rules.open')}</span>
          <b className="num">{open}</b>
        </div>
        <div className={styles.sealed} style={{ flexGrow: sealSeconds }}>
          <span>{t('round.sealed')}</span>
          <b className="num">{sealed}</b>
        </div>
        <div className={styles.draw}>
          <i />
          <span>{t('rules.draw')}</span>
        </div>
      </div>
      <p>{t('rules.roundText', { open, sealed })}</p>
      <p>
        {t('rules.hours', {
          hours: rules.openingHours.replace('-', '–'),
          zone: zoneName(rules.zone, tag),
          count: rules.roundsADay,
        })}
      </p>
    </RulesPart>
  )
}

/** `Asia/Singapore` → `Singapore Standard Time`, as the language calls it. */
function zoneName(zone: string, tag: string): string {
  const format = new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName: 'longGeneric' })
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? zone
}
