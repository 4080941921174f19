import { Alert, Button, Card } from '@mui/material'
import { saveAbout, showAbout, type WireAbout } from '@sum28/contract/staff-content-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { LanguageTabs, type TextLanguage } from '#src/areas/content/language-tabs.tsx'
import { TextForm, type Written } from '#src/areas/content/text-form.tsx'
import { useMay } from '#src/data/session.ts'
import { useAction } from '#src/data/use-action.ts'
import { useReply } from '#src/data/use-reply.ts'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'

/** What the operator says about himself, in each language. */
export function AboutPage() {
  const [lang, setLang] = useState<TextLanguage>('en')
  const answer = useReply(showAbout, {}, { everyMs: 15_000 })
  return (
    <Page title="areas.content.about">
      <Loaded answer={answer}>
        {(texts) => (
          <Card sx={{ padding: 2 }}>
            <LanguageTabs
              chosen={lang}
              choose={setLang}
              missing={texts.filter(({ version }) => version === 0).map((text) => text.lang)}
            />
            {texts
              .filter((text) => text.lang === lang)
              .map((text) => (
                <AboutText key={text.lang} latest={text} />
              ))}
          </Card>
        )}
      </Loaded>
    </Page>
  )
}

function AboutText({ latest }: { latest: WireAbout }) {
  const translate = useTranslate()
  const may = useMay()
  const [seen, setSeen] = useState(latest)
  const { act, pending, failure } = useAction(saveAbout, { done: 'areas.content.aboutSaved' })
  const now = latest.version > seen.version ? latest : seen

  async function save({ html }: Written): Promise<boolean> {
    const done = await act({ text_lang: seen.lang, version: seen.version, html })
    const saved = done?.reply.find(({ lang }) => lang === seen.lang)
    if (saved) setSeen(saved)
    return saved !== undefined
  }

  return (
    <>
      {now !== seen && (
        <Alert
          severity="warning"
          action={
            <Button onClick={() => setSeen(now)}>{translate('areas.content.takePresent')}</Button>
          }
        >
          {translate('areas.content.stale', { name: now.changed_by ?? '—' })}
        </Alert>
      )}
      <TextForm
        lang={seen.lang}
        seen={{ html: seen.html }}
        now={{ html: now.html }}
        editable={may(saveAbout.action)}
        pending={pending}
        failure={failure}
        save={save}
      />
    </>
  )
}
