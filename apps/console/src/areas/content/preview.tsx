import { Box, ToggleButton, ToggleButtonGroup, Typography } from '@mui/material'
import { safeFragment } from '@sum28/ui/safe-fragment.ts'
import styles from '@sum28/ui/safe-html.module.css'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslate } from 'react-admin'
import { TOKENS } from '#src/app/tokens.ts'

type PreviewProps = { lang: string; title?: string; html: string }

/** A text as the app shows it: made safe by the app's own sanitizer, in a phone's width, light or dark. */
export function Preview({ lang, title, html }: PreviewProps) {
  const translate = useTranslate()
  const region = useRef<HTMLDivElement>(null)
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  useLayoutEffect(() => {
    const fragment = safeFragment(html)
    // In the preview, links would lead out of the console.
    for (const link of fragment.querySelectorAll('a')) link.target = '_blank'
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
        sx={{
          ...TOKENS[scheme],
          colorScheme: scheme,
          width: 375,
          maxWidth: '100%',
          height: 480,
          overflow: 'auto',
          padding: 2,
          border: 1,
          borderColor: 'divider',
          borderRadius: 2,
          background: 'var(--bg)',
          color: 'var(--ink)',
          fontSize: 'var(--t-3)',
          '& :where(*)': { margin: 0, padding: 0, boxSizing: 'border-box' },
          '& :where(a)': { color: 'inherit' },
          '& :where(img)': { maxWidth: '100%' },
        }}
      >
        {title !== undefined && (
          <Box component="p" sx={{ fontSize: '1.25rem', fontWeight: 700, marginBottom: 1.5 }}>
            {title}
          </Box>
        )}
        <div ref={region} className={styles.text} />
      </Box>
    </Box>
  )
}
