import { Alert, Button, Stack, TextField, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { HtmlField } from '#src/areas/content/html-field.tsx'
import { Preview } from '#src/areas/content/preview.tsx'
import type { Failure } from '#src/data/failure.ts'

/** The text of one language; `title` is absent for a piece without titles. */
export type TextDraft = { title?: string; html: string }

type TextFormProps = {
  lang: string
  /** The text that the form was filled with. */
  seen: TextDraft
  /** The present text; differs if someone else has changed it meanwhile. */
  now: TextDraft
  /** The unsaved text; the page keeps it while another language is shown. */
  typed: TextDraft | undefined
  setTyped: (text: TextDraft | undefined) => void
  editable: boolean
  pending: boolean
  failure: Failure | null
  /** Resolves to whether it was saved. */
  save: (text: TextDraft) => Promise<boolean>
  /** Further buttons. */
  children?: ReactNode
}

/** Title and text of one language, beside a preview of the app. */
export function TextForm(props: TextFormProps) {
  const { lang, seen, now, typed, setTyped, editable, pending, failure, save, children } = props
  const translate = useTranslate()
  const text = typed ?? seen
  const faults = failure?.fields ?? {}
  const meanwhile = seen.title !== now.title || seen.html !== now.html

  return (
    <Stack
      component="form"
      noValidate
      direction={{ xs: 'column', md: 'row' }}
      sx={{ gap: 3, paddingTop: 2 }}
      onSubmit={async (event) => {
        event.preventDefault()
        if (await save(text)) setTyped(undefined)
      }}
    >
      <Stack sx={{ flex: 1, gap: 2, minWidth: 0 }}>
        {text.title !== undefined && (
          <TextField
            label={translate('areas.content.textTitle')}
            value={text.title}
            disabled={!editable}
            error={'title' in faults}
            helperText={faults.title}
            onChange={(event) => setTyped({ ...text, title: event.target.value })}
            autoComplete="off"
          />
        )}
        <HtmlField
          lang={lang}
          value={text.html}
          disabled={!editable}
          fault={faults.html}
          onChange={(html) => setTyped({ ...text, html })}
        />
        {meanwhile && (
          <Alert severity="warning">
            <Typography variant="body2">{translate('areas.content.thereNow')}</Typography>
            {now.title !== undefined && <Typography variant="body2">{now.title}</Typography>}
            <Typography
              variant="body2"
              component="pre"
              sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontFamily: 'monospace' }}
            >
              {now.html}
            </Typography>
          </Alert>
        )}
        {editable && (
          <Stack
            direction="row"
            // The button stays in view below a long text.
            sx={{
              ...{ gap: 1, flexWrap: 'wrap', position: 'sticky', bottom: 0, zIndex: 1 },
              ...{ paddingBlock: 1, backgroundColor: 'background.paper' },
            }}
          >
            <Button type="submit" variant="contained" loading={pending} disabled={!typed}>
              {translate('areas.content.save')}
            </Button>
            {typed && (
              <Button onClick={() => setTyped(undefined)} disabled={pending}>
                {translate('areas.content.forget')}
              </Button>
            )}
            {children}
          </Stack>
        )}
      </Stack>
      <Preview
        lang={lang}
        html={text.html}
        {...(text.title !== undefined && { title: text.title })}
      />
    </Stack>
  )
}
