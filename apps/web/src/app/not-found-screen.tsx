import { EmptyState } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { LinkButton } from '#src/parts/button.tsx'

export function NotFoundScreen() {
  const t = useText()
  return (
    <Screen title={t('notFound.title')} back>
      <EmptyState icon="flag" title={t('notFound.title')} hint={t('notFound.hint')}>
        <LinkButton kind="soft" to={href('home')}>
          {t('action.home')}
        </LinkButton>
      </EmptyState>
    </Screen>
  )
}
