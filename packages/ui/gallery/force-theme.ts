/** Shows a page light or dark, whatever the system's setting. */

export type Theme = 'light' | 'dark'

export function isTheme(value: string | null): value is Theme {
  return value === 'light' || value === 'dark'
}

/** Rewrites the media conditions of all styles, also of those that are added later. */
export function forceTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme
  const rewrite = () => {
    for (const sheet of document.styleSheets) {
      for (const rule of sheet.cssRules) {
        if (!(rule instanceof CSSMediaRule)) continue
        const wanted = /prefers-color-scheme: (light|dark)/.exec(rule.conditionText)?.[1]
        if (wanted) rule.media.mediaText = wanted === theme ? 'all' : 'not all'
      }
    }
  }
  rewrite()
  new MutationObserver(rewrite).observe(document.head, {
    childList: true,
    subtree: true,
    characterData: true,
  })
}
