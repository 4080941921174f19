import { buttonClass } from '@sum28/ui/button.tsx'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { Page } from '@sum28/ui/page.tsx'
import { Link } from 'react-router'
import { href } from '#src/app/routes.ts'
import { PageHeader } from '#src/features/page-header.tsx'
import { useText } from '#src/i18n/text.ts'

/** A route of the product whose screen is still to come: says so, and leads home. */
export function NotBuiltScreen() {
  const t = useText()
  return <PlainScreen title={t('notBuilt.title')} hint={t('notBuilt.hint')} />
}

export function NotFoundScreen() {
  const t = useText()
  return <PlainScreen title={t('notFound.title')} hint={t('notFound.hint')} />
}

function PlainScreen({ title, hint }: { title: string; hint: string }) {
  const t = useText()
  return (
    <Page header={<PageHeader title={title} back />}>
      <EmptyState icon="flag" title={title} hint={hint}>
        <Link className={buttonClass({ kind: 'soft' })} to={href('home')}>
          {t('action.home')}
        </Link>
      </EmptyState>
    </Page>
  )
}
