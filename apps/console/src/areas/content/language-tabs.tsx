import { Tab, Tabs } from '@mui/material'
import { TEXT_LANGUAGES } from '@sum28/contract/staff-content-routes.ts'
import { useTranslate } from 'react-admin'
import { languageName } from '#src/parts/values.tsx'

export type TextLanguage = (typeof TEXT_LANGUAGES)[number]

type LanguageTabsProps = {
  chosen: TextLanguage
  choose: (lang: TextLanguage) => void
  /** The languages without a text. */
  missing: readonly string[]
}

/** The seven languages; those without a text are marked. */
export function LanguageTabs({ chosen, choose, missing }: LanguageTabsProps) {
  const translate = useTranslate()
  return (
    <Tabs
      value={chosen}
      onChange={(_event, lang: TextLanguage) => choose(lang)}
      variant="scrollable"
      aria-label={translate('areas.content.languages')}
    >
      {TEXT_LANGUAGES.map((lang) => {
        const label = (
          <span>
            <span lang={lang}>{languageName(lang)}</span>
            {missing.includes(lang) && ` (${translate('areas.content.missing')})`}
          </span>
        )
        const id = `language-${lang}`
        return <Tab key={lang} id={id} aria-controls="language-panel" value={lang} label={label} />
      })}
    </Tabs>
  )
}
