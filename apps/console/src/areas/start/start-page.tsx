import { Page } from '#src/parts/page.tsx'

/** The first page: what needs a person now, and the figures of the day. */
export function StartPage() {
  return <Page title="areas.start.title">{null}</Page>
}
