import { Skeletons } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { rulesQuery } from '#src/data/rules.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/rules/rules.module.css'
import { RulesBody } from '#src/screens/rules/rules-body.tsx'

/** The rules: public as /rules, and from a room as /lotteryExplain. */
export function RulesScreen() {
  const t = useText()
  const rules = useQuery(rulesQuery)
  return (
    <Screen title={t('rules.title')} back>
      <p className="lead">{t('rules.lead')}</p>
      <div className={styles.adults}>
        <b aria-hidden="true">18+</b>
        <p>
          {t('rules.adults')} <Link to={href('saferPlay')}>{t('help.more')}</Link>
        </p>
      </div>
      <Loaded query={rules} skeleton={<Skeletons heights={[188, 196]} rows={8} />}>
        {(found) => <RulesBody rules={found} />}
      </Loaded>
    </Screen>
  )
}
