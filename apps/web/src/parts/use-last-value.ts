import { useState } from 'react'

/**
 * A value, or the last one while it is null, so that a dialog's text stays during its closing
 * animation.
 *
 * @param value the same object in each rendering until it changes
 */
export function useLastValue<Value>(value: Value | null): Value | null {
  const [kept, setKept] = useState(value)
  if (value !== null && value !== kept) setKept(value)
  return value ?? kept
}
