import { useState } from 'react'

/**
 * A value, or the last one while there is none (null): the words of a dialog stay while it leaves.
 *
 * @param value the same object in each rendering until it changes
 */
export function useKept<Value>(value: Value | null): Value | null {
  const [kept, setKept] = useState(value)
  if (value !== null && value !== kept) setKept(value)
  return value ?? kept
}
