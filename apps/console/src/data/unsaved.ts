/** Unsaved input: leaving the page then needs a confirmation. */
import { useEffect, useId } from 'react'

const unsaved = new Set<string>()

/** Marks a form as unsaved while `isUnsaved` is true and the form is mounted. */
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

/** How many forms on the page have unsaved input. */
export function unsavedForms(): number {
  return unsaved.size
}

export function somethingIsUnsaved(): boolean {
  return unsaved.size > 0
}
