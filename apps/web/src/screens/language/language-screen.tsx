import { LANGUAGES, type LocaleType } from '@sum28/ui/languages.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Screen } from '#src/features/screen.tsx'
import { currentLanguageChoice } from '#src/i18n/activate-language.ts'
import { chooseLanguage } from '#src/i18n/choose-language.ts'
import { useText } from '#src/i18n/text.ts'
import { isLeft, useGoBack, useLocation } from '#src/navigation/navigation.tsx'
import { Card } from '#src/parts/card.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { showToast } from '#src/parts/toast-store.ts'

export function LanguageScreen() {
  const t = useText()
  const goBack = useGoBack()
  const queries = useQueryClient()
  const location = useLocation()
  const [loading, setLoading] = useState<LocaleType | null>(null)

  async function choose(type: LocaleType) {
    setLoading(type)
    try {
      if (!(await chooseLanguage(type))) return
      // The server's texts are in the language of the request.
      queries.invalidateQueries()
      if (!isLeft(location)) goBack()
    } catch {
      // Its texts could not be fetched: no choice makes this fail.
      showToast(t('failure.unreachable'), { stays: true })
    }
    setLoading(null)
  }

  function rowOf(type: LocaleType) {
    return {
      chosen: type === (loading ?? currentLanguageChoice().type),
      end: loading === type && t('toast.loading'),
      onPress: () => choose(type),
    }
  }

  return (
    <Screen title={t('home.language')} back>
      <Card kind="rows">
        <ListRow icon="globe" title={t('language.system')} {...rowOf(0)} />
      </Card>
      <Card kind="rows">
        {LANGUAGES.map(({ type, name, tag }) => (
          <ListRow key={type} title={<span lang={tag}>{name}</span>} {...rowOf(type)} />
        ))}
      </Card>
    </Screen>
  )
}
