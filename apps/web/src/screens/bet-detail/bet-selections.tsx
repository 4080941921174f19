import type { FullBet, Selection } from '#src/data/full-bet.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import styles from '#src/screens/bet-detail/bet-selections.module.css'
import { AmountText } from '#src/ui/amount.tsx'
import { Card } from '#src/ui/card.tsx'
import { oddsText } from '#src/ui/odds-text.ts'
import { OutcomeTags } from '#src/ui/outcome-tag.tsx'

/** What was chosen: the odds that were fixed, the stake on each, and what each came to. */
export function BetSelections({ bet }: { bet: FullBet }) {
  const t = useText()
  const { tag } = useLocale()
  return (
    <Card kind="rows">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('receipt.selection')}</th>
            <th scope="col">{t('receipt.odds')}</th>
            <th scope="col">{t('receipt.stake')}</th>
            <th scope="col">{t('receipt.paid')}</th>
          </tr>
        </thead>
        <tbody>
          {bet.selections.map((selection) => (
            <tr key={selection.outcome} data-hit={selection.hit === true}>
              <th scope="row">
                <OutcomeTags outcomes={[selection.outcome]} />
              </th>
              <td className="num">{oddsText(selection.odds, tag)}</td>
              <td>
                <AmountText value={selection.stake} decimals="all" unit={false} />
              </td>
              <td>
                <Outcome selection={selection} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Outcome({ selection: { hit, payout } }: { selection: Selection }) {
  const t = useText()
  if (hit === null) return <span className={styles.quiet}>----</span>
  if (!hit) return <span className={styles.quiet}>{t('receipt.missed')}</span>
  return (
    <span className={styles.hit}>
      <AmountText value={payout} decimals="all" unit={false} />
      <span className="unseen">{t('receipt.hit')}</span>
    </span>
  )
}
