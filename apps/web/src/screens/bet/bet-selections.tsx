import { AmountText } from '@sum28/ui/amount.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { oddsText } from '@sum28/ui/odds-text.ts'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import type { FullBet, Selection } from '#src/data/full-bet.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/bet/bet-selections.module.css'

/** The selections of a bet: odds, stake and payout of each. */
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
