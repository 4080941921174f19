import { Icon } from '@sum28/ui/icon.tsx'
import { oddsText } from '@sum28/ui/odds-text.ts'
import { useOutcomeWord } from '@sum28/ui/outcome-tag.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { useState } from 'react'
import type { RoomOdds } from '#src/data/odds.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/chance-table.module.css'

/** Each outcome's chance and return, folded at first. */
export function ChanceTable({ odds }: { odds: RoomOdds }) {
  const t = useText()
  const [unfolded, setUnfolded] = useState(false)
  return (
    <details
      className={styles.chances}
      onToggle={(event) => event.currentTarget.open && setUnfolded(true)}
    >
      <summary>
        {t('panel.chances')}
        <Icon name="down" size={18} />
      </summary>
      <p>{t('panel.chancesHint')}</p>
      {/* Rendered only when unfolded: otherwise the panel would open late. */}
      {unfolded && <Chances odds={odds} />}
    </details>
  )
}

function Chances({ odds }: { odds: RoomOdds }) {
  const t = useText()
  const { tag } = useLocale()
  const word = useOutcomeWord()
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  return (
    <table className="num">
      <thead>
        <tr>
          <th scope="col">{t('panel.outcome')}</th>
          <th scope="col">{t('panel.odds')}</th>
          <th scope="col">{t('panel.chance')}</th>
          <th scope="col">{t('panel.return')}</th>
        </tr>
      </thead>
      <tbody>
        {[...odds.named, ...odds.sums].map((offer) => (
          <tr key={offer.ruleId}>
            <th scope="row">{word(offer.outcome)}</th>
            <td>{oddsText(offer.odds, tag)}</td>
            <td>{percent.format(Number(offer.chance))}</td>
            <td>{percent.format(Number(offer.return))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
