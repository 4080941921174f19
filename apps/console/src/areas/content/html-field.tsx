import { Box, TextField, ToggleButton, ToggleButtonGroup, Typography } from '@mui/material'
import { deviceStorage } from '@sum28/ui/storage.ts'
import { lazy, Suspense, useState } from 'react'
import { useTranslate } from 'react-admin'

// Large, and needed only on a few pages.
const RichText = lazy(async () => ({
  default: (await import('#src/areas/content/rich-text.tsx')).RichText,
}))

type HtmlFieldProps = {
  lang: string
  value: string
  disabled: boolean
  /** The server's fault. */
  fault: string | undefined
  onChange: (html: string) => void
}

/** Whether the user last wrote HTML by hand in this browser. */
const REMEMBERED = 'sum28.console.html'

/** A text, written with buttons or as HTML. A text that the editor cannot keep is shown only as HTML. */
export function HtmlField({ lang, value, disabled, fault, onChange }: HtmlFieldProps) {
  const translate = useTranslate()
  const [byHand, setByHand] = useState(() => deviceStorage().getItem(REMEMBERED) === 'yes')
  const beyond = tagsBeyondEditor(value)
  const asHtml = byHand || beyond.length > 0

  function choose(mode: 'rich' | 'html' | null): void {
    if (mode === null) return
    setByHand(mode === 'html')
    deviceStorage().setItem(REMEMBERED, mode === 'html' ? 'yes' : 'no')
  }

  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <ToggleButtonGroup
        size="small"
        exclusive
        value={asHtml ? 'html' : 'rich'}
        onChange={(_event, mode: 'rich' | 'html' | null) => choose(mode)}
        aria-label={translate('areas.content.writeBy')}
      >
        <ToggleButton value="rich" disabled={beyond.length > 0}>
          {translate('areas.content.rich')}
        </ToggleButton>
        <ToggleButton value="html">{translate('areas.content.asHtml')}</ToggleButton>
      </ToggleButtonGroup>
      {beyond.length > 0 && (
        <Typography variant="body2">
          {translate('areas.content.beyondEditor', { tags: beyond.join(', ') })}
        </Typography>
      )}
      {asHtml ? (
        <TextField
          label={translate('areas.content.html')}
          value={value}
          disabled={disabled}
          error={fault !== undefined}
          helperText={fault ?? translate('areas.content.htmlHint')}
          onChange={(event) => onChange(event.target.value)}
          multiline
          minRows={14}
          maxRows={22}
          slotProps={{ htmlInput: { lang, spellCheck: true } }}
        />
      ) : (
        <Suspense fallback={<Box sx={{ height: 360 }} />}>
          <RichText
            key={lang}
            lang={lang}
            value={value}
            disabled={disabled}
            fault={fault}
            onChange={onChange}
          />
        </Suspense>
      )}
    </Box>
  )
}

/** Elements that the editor supports; the server allows more (tables, figures, subscripts), typed as HTML. */
const TAGS: ReadonlySet<string> = new Set([
  ...['p', 'h2', 'h3', 'h4', 'br', 'hr', 'blockquote', 'pre', 'code'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'a', 'ul', 'ol', 'li', 'img'],
])

/** The elements of a text that the editor would drop, each once. */
function tagsBeyondEditor(html: string): string[] {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const names = [...parsed.body.querySelectorAll('*')].map(({ localName }) => localName)
  return [...new Set(names.filter((name) => !TAGS.has(name)))]
}
