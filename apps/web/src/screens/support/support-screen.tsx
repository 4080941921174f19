import { useQuery } from '@tanstack/react-query'
import { href } from '#src/app/routes.ts'
import { configQuery } from '#src/data/config.ts'
import { useText } from '#src/i18n/text.ts'
import { Answers } from '#src/screens/support/answers.tsx'
import { Contact } from '#src/screens/support/contact.tsx'
import { Card } from '#src/ui/card.tsx'
import { ListRow } from '#src/ui/list-row.tsx'
import { Loaded } from '#src/ui/loaded.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/**
 * How the operator is reached, as far as he named ways, and the common answers, which are there
 * whatever he named.
 */
export function SupportScreen() {
  const t = useText()
  const config = useQuery(configQuery)
  return (
    <Page header={<PageHeader title={t('support.title')} back />}>
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
    </Page>
  )
}
