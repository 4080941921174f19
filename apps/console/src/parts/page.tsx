import { Stack } from '@mui/material'
import type { ReactNode } from 'react'
import { Title } from 'react-admin'

type PageProps = {
  /** A key of the catalogs. */
  title: string
  /** Buttons above the page, at the right. */
  aside?: ReactNode
  children: ReactNode
}

/** A page without a list: its name and content. */
export function Page({ title, aside, children }: PageProps) {
  return (
    <Stack component="section" sx={{ gap: 2, paddingBlock: 2, minWidth: 0 }}>
      <Title title={title} />
      {aside && (
        <Stack direction="row" sx={{ justifyContent: 'end', flexWrap: 'wrap', gap: 1 }}>
          {aside}
        </Stack>
      )}
      {children}
    </Stack>
  )
}
