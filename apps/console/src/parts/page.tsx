import { Stack, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { Title, useTranslate } from 'react-admin'

type PageProps = {
  /** A key of the catalogs. */
  title: string
  /** What stands at the right of the heading. */
  aside?: ReactNode
  children: ReactNode
}

/** A page that is no list: its name, and what is on it. */
export function Page({ title, aside, children }: PageProps) {
  const translate = useTranslate()
  return (
    <Stack component="section" sx={{ gap: 2, paddingBlock: 2, minWidth: 0 }}>
      <Title title={title} />
      <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center', gap: 2 }}>
        <Typography variant="h1">{translate(title)}</Typography>
        {aside}
      </Stack>
      {children}
    </Stack>
  )
}
