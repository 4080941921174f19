import { useState } from 'react'

/**
 * What is being entered in an overlay. At each opening it begins as the value that the screen
 * shows, and follows that value until the user enters something.
 */
export function useDraft<Value extends object | string>(
  open: boolean,
  shown: Value,
): [Value, (entered: Value) => void] {
  const [entered, setEntered] = useState<Value | null>(null)
  const [wasOpen, setWasOpen] = useState(open)
  // Not in an effect: it could run after the first input, which would then be lost.
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setEntered(null)
  }
  return [entered ?? shown, setEntered]
}
