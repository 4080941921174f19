import { Card } from '@sum28/ui/card.tsx'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { href } from '#src/app/routes.ts'
import { configQuery } from '#src/data/config.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { Answers } from '#src/screens/support/answers.tsx'
import { Contact } from '#src/screens/support/contact.tsx'

/** The operator's contacts, if any, and the common answers. */
export function SupportScreen() {
  const t = useText()
  const config = useQuery(configQuery)
  return (
    <Screen title={t('support.title')} back>
      <Loaded query={config} skeleton={<Skeleton height={190} />}>
        {({ support_url, features }) => (
          <Contact chat={support_url} email={features.support_email} />
        )}
      </Loaded>
      <Answers />
      <Card kind="rows">
        <ListRow icon="list" title={t('support.rules')} to={href('rules')} />
        <ListRow icon="shield" title={t('support.fairness')} to={href('fairness')} />
      </Card>
    </Screen>
  )
}
