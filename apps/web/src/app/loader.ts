/**
 * Takes the full-screen loader of index.html away once it has left. How long it stays is the style's
 * alone (one second, styles/boot.css): it leaves in time though the program be slow, and what is
 * under it is drawn meanwhile. Who wishes less motion never sees it.
 */
export function removeLoaderWhenLeft(): void {
  const loader = document.getElementById('boot')
  if (!loader) return
  if (getComputedStyle(loader).visibility === 'hidden') {
    loader.remove()
    return
  }
  // Its tiles have animations of their own, whose ends are heard here too.
  loader.addEventListener('animationend', ({ target }) => {
    if (target === loader) loader.remove()
  })
}
