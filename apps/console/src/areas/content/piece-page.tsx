import { Card, Chip, Stack, Typography } from '@mui/material'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import { useState } from 'react'
import { Title, useTranslate } from 'react-admin'
import { useParams } from 'react-router'
import { ArticleForm } from '#src/areas/content/article-form.tsx'
import { LanguageTabs, type TextLanguage } from '#src/areas/content/language-tabs.tsx'
import { type PieceForms, STATE_TONES } from '#src/areas/content/piece-forms.ts'
import { PublishForm } from '#src/areas/content/publish-form.tsx'
import { type TextDraft, TextForm, type TypedTexts } from '#src/areas/content/text-form.tsx'
import { useMay } from '#src/data/session.ts'
import { useTyped, useUnsaved } from '#src/data/unsaved.ts'
import { useAction } from '#src/data/use-action.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { StaleAlert } from '#src/parts/stale-alert.tsx'
import { MomentText } from '#src/parts/values.tsx'

export function ArticlePage() {
  return <PiecePage kind="article" />
}

export function AnnouncementPage() {
  return <PiecePage kind="announcement" />
}

function PiecePage({ kind }: { kind: wire.PieceKind }) {
  const id = Number(useParams().id)
  const answer = useReply(wire.showPiece, { kind, id }, { everyMs: 15_000 })
  return (
    <Stack component="section" sx={{ gap: 2, paddingBlock: 2, minWidth: 0 }}>
      <Loaded answer={answer}>{(piece) => <Piece latest={piece} />}</Loaded>
    </Stack>
  )
}

/** The forms of the piece as it was loaded first; a warning shows that someone else has changed it since. */
function Piece({ latest }: { latest: wire.WirePiece }) {
  const translate = useTranslate()
  const [seen, setSeen] = useState(latest)
  // `latest` may have been fetched before the last save.
  const now = latest.version > seen.version ? latest : seen
  const forms = { seen, now, onSaved: setSeen }
  return (
    <>
      <Title title={textIn(now, 'en').title ?? ''} />
      {now !== seen && (
        <StaleAlert label="areas.content.takePresent" onReload={() => setSeen(now)}>
          {translate('areas.content.stale', { name: now.changed_by ?? '—' })}
        </StaleAlert>
      )}
      <Facts piece={now} />
      <PublishForm key={`${seen.published_at} ${seen.published_until}`} {...forms} />
      {seen.kind === 'article' && <ArticleForm {...forms} />}
      <Texts {...forms} />
    </>
  )
}

function Facts({ piece }: { piece: wire.WirePiece }) {
  const translate = useTranslate()
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      <Chip
        color={STATE_TONES[piece.state]}
        label={translate(`areas.content.state.${piece.state}`)}
      />
      <Typography color="textSecondary">
        {translate('areas.content.version', { version: piece.version })}
        {piece.changed_at !== null && (
          <>
            {' · '}
            {piece.changed_by} <MomentText at={piece.changed_at} />
          </>
        )}
      </Typography>
    </Stack>
  )
}

function Texts({ seen, now, onSaved }: PieceForms) {
  const translate = useTranslate()
  const may = useMay()
  const [lang, setLang] = useState<TextLanguage>('en')
  const name = `texts ${seen.id} ${seen.version}`
  const [typed, setTyped] = useTyped<TypedTexts>(name, {})
  useUnsaved(Object.keys(typed).length > 0, { form: name, typed })
  const saving = useAction(wire.savePieceText, { done: 'areas.content.saved' })
  const { kind, id, version } = seen
  const form = { kind, id, version, text_lang: lang }
  const missing = wire.TEXT_LANGUAGES.filter((each) => textIn(now, each).html === '')

  async function save({ title = '', html }: TextDraft): Promise<boolean> {
    const done = await saving.act({ ...form, title, html })
    if (done) onSaved(done.reply)
    return done !== null
  }

  return (
    <Card sx={{ padding: 2, overflow: 'visible' }}>
      <LanguageTabs chosen={lang} choose={setLang} missing={missing} />
      <TextForm
        key={lang}
        lang={lang}
        seen={textIn(seen, lang)}
        now={textIn(now, lang)}
        typed={typed[lang]}
        setTyped={(text) =>
          setTyped(({ [lang]: _before, ...others }) =>
            text ? { ...others, [lang]: text } : others,
          )
        }
        editable={may(wire.savePieceText.action)}
        pending={saving.pending}
        failure={saving.failure}
        save={save}
      >
        {lang !== 'en' && textIn(seen, lang).html !== '' && (
          <ActionButton
            route={wire.removePieceText}
            request={form}
            label="areas.content.removeLanguage"
            done="areas.content.removed"
            then={onSaved}
            tone="error"
          >
            {translate('areas.content.removeLanguageText')}
          </ActionButton>
        )}
      </TextForm>
    </Card>
  )
}

function textIn({ texts }: wire.WirePiece, lang: string): TextDraft {
  const { title, html } = texts.find((text) => text.lang === lang) ?? { title: '', html: '' }
  return { title, html }
}
