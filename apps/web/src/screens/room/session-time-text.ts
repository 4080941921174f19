/** `65` → `1h 5m`, as short as the language writes it. */
export function sessionTimeText(minutes: number, tag: string): string {
  // The shortest forms of Chinese, Japanese and Korean are English letters.
  const letters = /^(zh|ja|ko)/.test(tag)
  const unitDisplay = letters ? 'short' : 'narrow'
  const counted = (count: number, unit: string) =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay }).format(count)
  const hours = Math.floor(minutes / 60)
  const rest = counted(minutes % 60, 'minute')
  const text = hours === 0 ? rest : `${counted(hours, 'hour')} ${rest}`
  return letters ? text.replaceAll(/\s/g, '') : text
}
