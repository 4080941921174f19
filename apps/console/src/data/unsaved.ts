/** What is typed and not saved: leaving the page then asks first. */
import { useEffect, useId } from 'react'

const unsaved = new Set<string>()

/** Marks a form as holding something that is not saved, until it says otherwise or is gone. */
export function useUnsaved(isUnsaved: boolean): void {
  const id = useId()
  useEffect(() => {
    if (!isUnsaved) return
    unsaved.add(id)
    return () => {
      unsaved.delete(id)
    }
  }, [id, isUnsaved])
}

export function somethingIsUnsaved(): boolean {
  return unsaved.size > 0
}
