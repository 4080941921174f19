import { startFigures, startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { useTranslate } from 'react-admin'
import { Figures } from '#src/areas/start/figures.tsx'
import { Needs } from '#src/areas/start/needs.tsx'
import { useMay } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'

const NEEDS_MS = 10_000
const FIGURES_MS = 60_000

/** The first page: needs that wait for staff, and the figures of the day. */
export function StartPage() {
  const translate = useTranslate()
  const may = useMay()
  const needs = useReply(startNeeds, {}, { everyMs: NEEDS_MS })
  return (
    <Page title="areas.start.title">
      <section aria-label={translate('areas.start.needs')}>
        <Loaded answer={needs}>{(reply) => <Needs needs={reply.needs} />}</Loaded>
      </section>
      {may('start.figures') && <Today />}
    </Page>
  )
}

function Today() {
  const answer = useReply(startFigures, {}, { everyMs: FIGURES_MS })
  return <Loaded answer={answer}>{(figures) => <Figures figures={figures} />}</Loaded>
}
