import { ownPath, safeFragment } from '@sum28/ui/safe-fragment.ts'
import styles from '@sum28/ui/safe-html.module.css'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { pictureAddress } from '#src/data/lines.ts'
import { useNavigate } from '#src/navigation/navigation.tsx'
import { Card } from '#src/parts/card.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'

/**
 * An HTML text of the operator, made safe again before it is shown. Import it only from screens
 * that are loaded on demand: it contains the sanitizer.
 */
export function SafeHtml({ html, lang }: { html: string; lang?: string | undefined }) {
  const region = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  useLayoutEffect(() => {
    // Inserted as nodes, so that the safe text is not parsed a second time.
    region.current?.replaceChildren(safeFragment(html, pictureAddress))
  }, [html])

  useEffect(() => {
    const element = region.current
    if (!element) return
    // Links within the app change the screen without reloading the page.
    function follow(event: MouseEvent) {
      const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const path = link && ownPath(link)
      if (!path || elsewhere || event.defaultPrevented) return
      event.preventDefault()
      navigate(path)
    }
    element.addEventListener('click', follow)
    return () => element.removeEventListener('click', follow)
  }, [navigate])

  return <div ref={region} className={styles.text} lang={lang} />
}

/** Widths of the lines of two paragraphs. */
const LINES = ['46%', '100%', '94%', '98%', '62%', '100%', '91%', '38%']

/** The placeholder of a card with such a text. */
export function SkeletonText() {
  return (
    <Card className="grid-3" aria-hidden="true">
      {LINES.map((width, at) => (
        <Skeleton key={at} height={14} width={width} />
      ))}
    </Card>
  )
}
