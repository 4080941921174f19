import { Card } from '#src/card.tsx'
import { Skeleton } from '#src/skeleton.tsx'

/** Widths of the lines of two paragraphs. */
const LINES = ['46%', '100%', '94%', '98%', '62%', '100%', '91%', '38%']

/** The placeholder of a card with text. */
export function SkeletonText() {
  return (
    <Card className="grid-3" aria-hidden="true">
      {LINES.map((width, at) => (
        <Skeleton key={at} height={14} width={width} />
      ))}
    </Card>
  )
}
