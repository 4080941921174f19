import { Card } from '@sum28/ui/card.tsx'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { Skeletons } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { href } from '#src/app/routes.ts'
import { type Exclusion, protectionQuery } from '#src/data/protection.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { BreakChoice } from '#src/screens/take-break/break-choice.tsx'
import { BreakFacts } from '#src/screens/take-break/break-facts.tsx'
import { BreakNow } from '#src/screens/take-break/break-now.tsx'
import { lengthsOffered } from '#src/screens/take-break/lengths-offered.ts'
import styles from '#src/screens/take-break/take-break.module.css'

/** Time-outs and self-exclusions: the forms to begin one, and the present one. */
export function TakeBreakScreen() {
  const t = useText()
  const protection = useQuery(protectionQuery)
  return (
    <Screen title={t('break.title')} back>
      <Loaded query={protection} skeleton={<Skeletons heights={[44, 164, 236, 236]} />}>
        {({ exclusion }) => (
          <>
            {exclusion ? (
              <BreakNow exclusion={exclusion} />
            ) : (
              <p className={styles.lead}>{t('break.lead')}</p>
            )}
            <Card>
              <BreakFacts />
            </Card>
            <Choices exclusion={exclusion} />
          </>
        )}
      </Loaded>
      <Card kind="rows">
        <ListRow
          icon="shield"
          title={t('home.saferPlay')}
          note={t('home.saferPlayNote')}
          to={href('saferPlay')}
        />
      </Card>
    </Screen>
  )
}

/** The breaks that can be begun: during a break, only longer ones. */
function Choices({ exclusion }: { exclusion: Exclusion | null }) {
  const t = useText()
  const { timeOut, selfExclusion } = lengthsOffered(exclusion, Date.now())
  const none = timeOut.length + selfExclusion.length === 0
  return (
    <>
      {exclusion && !none && <p className={styles.lead}>{t('break.longer')}</p>}
      {timeOut.length > 0 && <BreakChoice kind="timeOut" lengths={timeOut} />}
      {selfExclusion.length > 0 && <BreakChoice kind="selfExclusion" lengths={selfExclusion} />}
    </>
  )
}
