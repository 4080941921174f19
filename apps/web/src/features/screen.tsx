import type { ComponentProps, ReactNode } from 'react'
import { PageHeader } from '#src/features/page-header.tsx'
import { PullToRefresh } from '#src/features/pull-to-refresh.tsx'
import { Page } from '#src/parts/page.tsx'

type ScreenProps = ComponentProps<typeof PageHeader> &
  Omit<ComponentProps<typeof Page>, 'header'> & {
    /** Resolves when the data is refreshed; without it the screen cannot be pulled down. */
    onRefresh?: () => Promise<unknown>
    children: ReactNode
  }

/** The frame of a screen: its header, its content, and the refresh by pulling it down. */
export function Screen({ game, footer, onRefresh, children, ...header }: ScreenProps) {
  const page = (
    <Page header={<PageHeader {...header} />} footer={footer} game={game}>
      {children}
    </Page>
  )
  return onRefresh ? <PullToRefresh onRefresh={onRefresh}>{page}</PullToRefresh> : page
}
