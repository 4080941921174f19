import type { ComponentProps, ReactNode } from 'react'
import { Page, PageHeader } from '#src/features/page.tsx'
import { PullToRefresh } from '#src/features/pull-to-refresh.tsx'

type ScreenProps = ComponentProps<typeof PageHeader> &
  Omit<ComponentProps<typeof Page>, 'header'> & {
    /** What is fetched again when the screen is pulled down. */
    refreshes?: { refetch: (options: { throwOnError: true }) => Promise<unknown> }
    /** The same by a function of the screen's own; without either the screen cannot be pulled down. */
    onRefresh?: () => Promise<unknown>
    children: ReactNode
  }

/** The frame of a screen: its header, its content, and the refresh by pulling it down. */
export function Screen(props: ScreenProps) {
  const { game, footer, refreshes, children, ...header } = props
  const { onRefresh = refreshes && (() => refreshes.refetch({ throwOnError: true })) } = props
  const page = (
    <Page header={<PageHeader {...header} />} footer={footer} game={game}>
      {children}
    </Page>
  )
  return onRefresh ? <PullToRefresh onRefresh={onRefresh}>{page}</PullToRefresh> : page
}
