import { NAMED_OUTCOMES } from '@sum28/domain/outcomes.ts'
import { oddsText } from '@sum28/ui/odds-text.ts'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import type { RoomRules, RuleRow } from '#src/data/room-rules.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/rules/odds-table.module.css'
import { sumsText } from '#src/screens/rules/sums-text.ts'

/** The number of possible draws, all equally likely. */
const DRAWS = 1_000

/** All 36 outcomes of a room, with sticky headings. */
export function OddsTable({ room }: { room: RoomRules }) {
  const t = useText()
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('panel.outcome')}</th>
          <th scope="col">{t('panel.odds')}</th>
          <th scope="col">{t('panel.chance')}</th>
          <th scope="col">{t('panel.return')}</th>
        </tr>
      </thead>
      <Rows title={t('rules.named')} rows={room.named} />
      <Rows title={t('panel.sums')} rows={room.sums} />
    </table>
  )
}

function Rows({ title, rows }: { title: string; rows: readonly RuleRow[] }) {
  const t = useText()
  const { tag } = useLocale()
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  const whole = new Intl.NumberFormat(tag)
  return (
    <tbody className="num">
      <tr className={styles.group}>
        <th scope="rowgroup" colSpan={4}>
          {title}
        </th>
      </tr>
      {rows.map((row) => (
        <tr key={row.ruleId}>
          <th scope="row">
            <div className={styles.outcome}>
              <OutcomeTags outcomes={[row.outcome]} />
              <span className="caption">
                {sumsOf(row.outcome) ??
                  t('rules.ways', { ways: whole.format(row.ways), all: whole.format(DRAWS) })}
              </span>
            </div>
          </th>
          <td>{oddsText(row.odds, tag)}</td>
          <td>{percent.format(Number(row.chance))}</td>
          <td>{percent.format(Number(row.return))}</td>
        </tr>
      ))}
    </tbody>
  )
}

/** The sums of a named outcome; null for a single sum. */
function sumsOf(outcome: string): string | null {
  const named = NAMED_OUTCOMES.find((each) => each === outcome)
  return named ? sumsText(named) : null
}
