import {
  Alert,
  Box,
  Button,
  Stack,
  TextField,
  ToggleButton,
  ToggleButtonGroup,
  Typography,
} from '@mui/material'
import { ownPath, safeFragment } from '@sum28/ui/safe-fragment.ts'
import styles from '@sum28/ui/safe-html.module.css'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslate } from 'react-admin'
import { TOKENS } from '#src/app/tokens.ts'
import { HtmlField } from '#src/areas/content/html-field.tsx'
import type { TextLanguage } from '#src/areas/content/language-tabs.tsx'
import type { Failure } from '#src/data/failure.ts'

/** The text of one language; `title` is absent for a piece without titles. */
export type TextDraft = { title?: string; html: string }

/** The fields that were typed, by language; the others are as they were seen last. */
export type TypedTexts = Partial<Record<TextLanguage, Partial<TextDraft>>>

type TextFormProps = {
  lang: string
  /** The text that the form was filled with. */
  seen: TextDraft
  /** The present text; differs if someone else has changed it meanwhile. */
  now: TextDraft
  /** The unsaved fields; the page keeps them while another language is shown. */
  typed: Partial<TextDraft> | undefined
  setTyped: (text: Partial<TextDraft> | undefined) => void
  editable: boolean
  pending: boolean
  failure: Failure | null
  /** Resolves to whether it was saved. */
  save: (text: TextDraft) => Promise<boolean>
  /** Further buttons. */
  children?: ReactNode
}

/** Title and text of the language of a tab, beside a preview of the app. */
export function TextForm(props: TextFormProps) {
  const { lang, seen, now, typed, setTyped, editable, pending, failure, save, children } = props
  const translate = useTranslate()
  const text = { ...seen, ...typed }
  const faults = failure?.fields ?? {}
  const meanwhile = seen.title !== now.title || seen.html !== now.html

  return (
    <div role="tabpanel" id="language-panel" aria-labelledby={`language-${lang}`}>
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
              onChange={(event) => setTyped({ ...typed, title: event.target.value })}
              autoComplete="off"
              slotProps={{ htmlInput: { lang } }}
            />
          )}
          <HtmlField
            lang={lang}
            value={text.html}
            disabled={!editable}
            fault={faults.html}
            onChange={(html) => setTyped({ ...typed, html })}
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
                gap: 1,
                flexWrap: 'wrap',
                position: 'sticky',
                bottom: 0,
                zIndex: 'var(--layer-above)',
                paddingBlock: 1,
                backgroundColor: 'background.paper',
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
    </div>
  )
}

/** For a link within the app: the host of the console may have no app. */
function disableLink(link: HTMLAnchorElement): void {
  link.removeAttribute('href')
  link.setAttribute('role', 'link')
  link.setAttribute('aria-disabled', 'true')
}

type PreviewProps = { lang: string; title?: string; html: string }

/** A text as the app shows it: made safe by the app's own sanitizer, in a phone's width, light or dark. */
function Preview({ lang, title, html }: PreviewProps) {
  const translate = useTranslate()
  const region = useRef<HTMLDivElement>(null)
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  useLayoutEffect(() => {
    const fragment = safeFragment(html)
    // In the preview, links would lead out of the console.
    for (const link of fragment.querySelectorAll('a')) {
      link.target = '_blank'
      if (ownPath(link) !== null) disableLink(link)
    }
    region.current?.replaceChildren(fragment)
  }, [html])
  return (
    <Box>
      <Typography variant="h6" component="h2">
        {translate('areas.content.preview')}
      </Typography>
      <ToggleButtonGroup
        size="small"
        exclusive
        value={scheme}
        onChange={(_event, chosen: 'light' | 'dark' | null) => chosen && setScheme(chosen)}
        aria-label={translate('areas.content.preview')}
        sx={{ marginBottom: 1 }}
      >
        {(['light', 'dark'] as const).map((each) => (
          <ToggleButton key={each} value={each}>
            {translate(`areas.content.${each}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Box
        lang={lang}
        role="region"
        aria-label={translate('areas.content.preview')}
        tabIndex={0}
        // Not among the styles: the library takes `--text-label` for the name of a class.
        style={TOKENS[scheme] as object}
        sx={{
          colorScheme: scheme,
          width: 375,
          maxWidth: '100%',
          height: 480,
          overflow: 'auto',
          padding: 2,
          border: 1,
          borderColor: 'divider',
          borderRadius: 'var(--radius-field)',
          background: 'var(--bg)',
          color: 'var(--ink)',
          fontSize: 'var(--text-body)',
          '& :where(*)': { margin: 0, padding: 0, boxSizing: 'border-box' },
          '& :where(a)': { color: 'inherit' },
          '& :where(img)': { maxWidth: '100%' },
        }}
      >
        {title !== undefined && (
          <Box
            component="p"
            sx={{
              fontSize: 'var(--text-title)',
              fontWeight: 'var(--weight-bold)',
              marginBottom: 1.5,
            }}
          >
            {title}
          </Box>
        )}
        <div ref={region} className={styles.text} />
      </Box>
    </Box>
  )
}
