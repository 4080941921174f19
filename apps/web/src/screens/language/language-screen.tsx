import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGoBack } from '#src/app/use-go-back.ts'
import { LANGUAGES, type LocaleType } from '#src/i18n/languages.ts'
import { chooseLanguage, currentLanguageChoice } from '#src/i18n/speak-choice.ts'
import { useText } from '#src/i18n/text.ts'
import { Card } from '#src/ui/card.tsx'
import { ListRow } from '#src/ui/list-row.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { showFailure } from '#src/ui/show-failure.ts'

export function LanguageScreen() {
  const t = useText()
  const goBack = useGoBack()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState(() => currentLanguageChoice().type)

  async function choose(type: LocaleType) {
    const before = chosen
    setChosen(type)
    try {
      await chooseLanguage(type)
      // The server's texts are in the language that was asked for.
      queries.invalidateQueries()
      goBack()
    } catch (error) {
      setChosen(before)
      showFailure(error)
    }
  }

  return (
    <Page header={<PageHeader title={t('language.title')} back />}>
      <Card kind="rows">
        <ListRow
          icon="globe"
          title={t('language.system')}
          chosen={chosen === 0}
          onPress={() => choose(0)}
        />
      </Card>
      <Card kind="rows">
        {LANGUAGES.map(({ type, name, tag }) => (
          <ListRow
            key={type}
            title={<span lang={tag}>{name}</span>}
            chosen={chosen === type}
            onPress={() => choose(type)}
          />
        ))}
      </Card>
    </Page>
  )
}
