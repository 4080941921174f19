/** The focus goes to the page that is opened by what stays there itself: an entry of the menu, or a result of the search. */
import { useEffect } from 'react'
import { useLocation } from 'react-router'

let wanted = false

/** Called before the page is opened. */
export function focusNextPage(): void {
  wanted = true
}

export function useNextPageFocus(): void {
  const { key } = useLocation()
  useEffect(() => {
    const page = document.getElementById('main-content')
    if (!wanted || !page) return
    wanted = false
    page.tabIndex = -1
    page.focus()
  }, [key])
}
