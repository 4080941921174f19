/**
 * Unsaved input: leaving the page then needs a confirmation. If the session ends, what was typed is kept in this tab for
 * the same member and page until he has signed in again.
 */
import { tabStorage } from '@sum28/ui/storage.ts'
import { type Dispatch, type SetStateAction, useEffect, useId, useState } from 'react'
import { sessionOrNull } from '#src/data/session.ts'

/** `form`: its name on the page, with the version on which its input is based. `typed`: without secrets and files. */
type Keeping = { readonly form: string; readonly typed: unknown }

const unsaved = new Map<string, Keeping | undefined>()

/** Marks a form as unsaved while `isUnsaved` is true and the form is mounted. */
export function useUnsaved(isUnsaved: boolean, keeping?: Keeping): void {
  const id = useId()
  useEffect(() => {
    if (!isUnsaved) return
    unsaved.set(id, keeping)
    return () => {
      unsaved.delete(id)
    }
  })
}

/** A form's state: what was typed in it when the member's session ended, once; otherwise `initial`. */
export function useTyped<T>(form: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const state = useState<T>(() => (keptOf(form) as T | undefined) ?? initial)
  useEffect(() => forgetTyped(form), [form])
  return state
}

/** How many forms on the page have unsaved input. */
export function unsavedForms(): number {
  return unsaved.size
}

type Kept = Record<string, unknown>

/** Where a member's input is kept. */
function keyOf(member = sessionOrNull()?.name): string {
  return `console.typed.${member}`
}

/** The name of a form among those of all pages. */
function nameOf(form: string): string {
  return `${window.location.pathname} ${form}`
}

/** Empty where something else is kept there. */
function readKept(): Kept {
  try {
    return { ...JSON.parse(tabStorage().getItem(keyOf()) ?? '{}') }
  } catch {
    return {}
  }
}

/** What was kept of a form, if anything. */
function keptOf(form: string): unknown {
  return readKept()[nameOf(form)]
}

function forgetTyped(form: string): void {
  const { [nameOf(form)]: found, ...others } = readKept()
  if (found !== undefined) writeKept(others)
}

/** Keeps what is typed on the page, before the member is sent to the sign-in page. */
export function keepTyped(): void {
  const forms = [...unsaved.values()].filter((each) => each !== undefined)
  if (forms.length === 0) return
  const typed = forms.map((each) => [nameOf(each.form), each.typed] as const)
  writeKept({ ...readKept(), ...Object.fromEntries(typed) })
}

/** Forgets what was kept of a member, who has left of his own accord. */
export function forgetAllTyped(member: string): void {
  tabStorage().removeItem(keyOf(member))
}

function writeKept(kept: Kept): void {
  try {
    tabStorage().setItem(keyOf(), JSON.stringify(kept))
  } catch {
    // The browser has no room for it.
  }
}
