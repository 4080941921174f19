import { Card } from '@sum28/ui/card.tsx'
import { LANGUAGES, type LocaleType } from '@sum28/ui/languages.ts'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showFailure } from '#src/data/failure.ts'
import { Screen } from '#src/features/screen.tsx'
import { chooseLanguage, currentLanguageChoice } from '#src/i18n/activate-language.ts'
import { useText } from '#src/i18n/text.ts'
import { useGoBack } from '#src/navigation/navigation.tsx'

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
      // The server's texts are in the language of the request.
      queries.invalidateQueries()
      goBack()
    } catch (error) {
      setChosen(before)
      showFailure(error)
    }
  }

  return (
    <Screen title={t('language.title')} back>
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
    </Screen>
  )
}
