/** A page that the browser translates: each text becomes new elements, and the page's own text node is taken out. */
import type { Page } from '@playwright/test'

/** Translates a page into capitals, at its start and whenever its texts change. */
export async function translate(page: Page): Promise<void> {
  await page.addInitScript(`{
    const isTranslated = (node) => node.parentElement?.closest('font, script, style, [translate=no]')
    function translate(root) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts = []
      while (walker.nextNode()) texts.push(walker.currentNode)
      for (const text of texts) {
        if (!text.data.trim() || isTranslated(text)) continue
        const outer = document.createElement('font')
        const inner = document.createElement('font')
        inner.textContent = text.data.toUpperCase()
        outer.append(inner)
        text.replaceWith(outer)
      }
    }
    new MutationObserver((changes) => {
      for (const { addedNodes, target } of changes) {
        if (target.nodeType === Node.TEXT_NODE && target.isConnected) translate(target.parentNode)
        for (const node of addedNodes) {
          if (node.isConnected) translate(node.nodeType === Node.TEXT_NODE ? node.parentNode : node)
        }
      }
    }).observe(document, { childList: true, characterData: true, subtree: true })
  }`)
}
