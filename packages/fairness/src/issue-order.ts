/** The order of rounds by their issues: the day as eight digits, then the round's number on it, of three or more. */
type Place = { readonly day: string; readonly number: number }

/** @returns null if the text is no issue: then it has no place */
export function placeOfIssue(issue: string): Place | null {
  const [, day = '', number = ''] = /^([0-9]{8})([0-9]{3,8})$/.exec(issue) ?? []
  return day === '' ? null : { day, number: Number(number) }
}

/** Whether an issue is of a later round than another; null if one of them has no place. */
export function isLaterIssue(issue: string, than: string): boolean | null {
  const [one, other] = [placeOfIssue(issue), placeOfIssue(than)]
  if (!one || !other) return null
  return one.day === other.day ? one.number > other.number : one.day > other.day
}
