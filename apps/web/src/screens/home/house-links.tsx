import { Card } from '@sum28/ui/card.tsx'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { href } from '#src/app/routes.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/home/house-links.module.css'

/** Links to the rules, the fairness page and the page about safer play. */
export function HouseLinks() {
  const t = useText()
  return (
    <>
      <Card kind="rows">
        <ListRow
          icon="list"
          title={t('home.rules')}
          note={t('home.rulesNote')}
          to={href('rules')}
        />
        <ListRow
          icon="shield"
          title={t('home.fairness')}
          note={t('home.fairnessNote')}
          to={href('fairness')}
        />
        <ListRow
          icon="info"
          title={t('home.saferPlay')}
          note={t('home.saferPlayNote')}
          to={href('saferPlay')}
        />
      </Card>
      <p className={styles.adults}>
        <b aria-hidden="true">18+</b>
        {t('home.adults')}
      </p>
    </>
  )
}
