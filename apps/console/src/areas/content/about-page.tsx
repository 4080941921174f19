import { Card } from '@mui/material'
import { saveAbout, showAbout, type WireAbout } from '@sum28/contract/staff-content-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { LanguageTabs, type TextLanguage } from '#src/areas/content/language-tabs.tsx'
import { type TextDraft, TextForm, type TypedTexts } from '#src/areas/content/text-form.tsx'
import { useMay } from '#src/data/session.ts'
import { useTyped, useUnsaved } from '#src/data/unsaved.ts'
import { useAction } from '#src/data/use-action.ts'
import { useReply } from '#src/data/use-reply.ts'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { StaleAlert } from '#src/parts/stale-alert.tsx'

/** The operator's page about himself, in each language. */
export function AboutPage() {
  const answer = useReply(showAbout, {}, { everyMs: 15_000 })
  return (
    <Page title="areas.content.about">
      <Loaded answer={answer}>{(texts) => <About latest={texts} />}</Loaded>
    </Page>
  )
}

/** The forms of the texts as they were loaded first, with the unsaved text of each language. */
function About({ latest }: { latest: readonly WireAbout[] }) {
  const translate = useTranslate()
  const may = useMay()
  const [lang, setLang] = useState<TextLanguage>('en')
  const [seen, setSeen] = useState(latest)
  const form = `about ${latest.map(({ version }) => version).join()}`
  const [typed, setTyped] = useTyped<TypedTexts>(form, {})
  const { act, pending, failure } = useAction(saveAbout, { done: 'areas.content.aboutSaved' })
  useUnsaved(Object.keys(typed).length > 0, { form, typed })
  const mine = seen.find((text) => text.lang === lang)
  const newest = latest.find((text) => text.lang === lang)
  if (!mine || !newest) return null
  const now = newest.version > mine.version ? newest : mine

  /** Replaces the text of one language; the others stay as they were loaded first. */
  function onSaved(text: WireAbout): void {
    setSeen((before) => before.map((each) => (each.lang === text.lang ? text : each)))
  }

  async function save({ html }: TextDraft): Promise<boolean> {
    const done = await act({ text_lang: lang, version: mine?.version ?? 0, html })
    const saved = done?.reply.find((text) => text.lang === lang)
    if (saved) onSaved(saved)
    return saved !== undefined
  }

  return (
    <Card sx={{ padding: 2, overflow: 'visible' }}>
      <LanguageTabs
        chosen={lang}
        choose={setLang}
        missing={latest.filter(({ version }) => version === 0).map((text) => text.lang)}
      />
      {now !== mine && (
        <StaleAlert label="areas.content.takePresent" onReload={() => onSaved(now)}>
          {translate('areas.content.stale', { name: now.changed_by ?? '—' })}
        </StaleAlert>
      )}
      <TextForm
        key={lang}
        lang={lang}
        seen={{ html: mine.html }}
        now={{ html: now.html }}
        typed={typed[lang]}
        setTyped={(text) =>
          setTyped(({ [lang]: _before, ...others }) =>
            text ? { ...others, [lang]: text } : others,
          )
        }
        editable={may(saveAbout.action)}
        pending={pending}
        failure={failure}
        save={save}
      />
    </Card>
  )
}
