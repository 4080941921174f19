/**
 * Removes the full-screen loader of index.html once its animation has ended. Only the style decides
 * how long it is shown (one second, styles/boot.css), so that it ends in time on a slow device too.
 * With reduced motion it is never shown.
 */
export function removeLoaderWhenLeft(): void {
  const loader = document.getElementById('boot')
  if (!loader) return
  if (getComputedStyle(loader).visibility === 'hidden') {
    loader.remove()
    return
  }
  // The ends of its tiles' animations bubble up to here too.
  loader.addEventListener('animationend', ({ target }) => {
    if (target === loader) loader.remove()
  })
}
