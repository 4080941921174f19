import { buttonClass } from '@sum28/ui/button.tsx'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { Page } from '@sum28/ui/page.tsx'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { PageHeader } from '#src/features/page-header.tsx'
import { useText } from '#src/i18n/text.ts'

/** Shown for an address that no route has. */
export function NotFoundScreen() {
  const t = useText()
  return (
    <Page header={<PageHeader title={t('notFound.title')} back />}>
      <EmptyState icon="flag" title={t('notFound.title')} hint={t('notFound.hint')}>
        <Link className={buttonClass({ kind: 'soft' })} to={href('home')}>
          {t('action.home')}
        </Link>
      </EmptyState>
    </Page>
  )
}
