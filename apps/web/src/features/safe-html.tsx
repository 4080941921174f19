import { useEffect, useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { ownPath, safeFragment } from '#src/features/safe-fragment.ts'
import styles from '#src/features/safe-html.module.css'

/**
 * An HTML text of the operator's, made safe once more before it is shown. Import it from screens
 * that are loaded on demand alone: it brings the cleaner along.
 */
export function SafeHtml({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  useLayoutEffect(() => {
    // As nodes: text that was made safe is not parsed a second time.
    place.current?.replaceChildren(safeFragment(html))
  }, [html])

  useEffect(() => {
    const element = place.current
    if (!element) return
    // Links within the app change the screen instead of loading the page anew.
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

  return <div ref={place} className={styles.text} />
}
