/** `65` → `1h 5m`, as short as the language writes it. */
export function sessionTimeText(minutes: number, tag: string): string {
  const short = (count: number, unit: string) =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'narrow' }).format(count)
  const hours = Math.floor(minutes / 60)
  const rest = short(minutes % 60, 'minute')
  return hours === 0 ? rest : `${short(hours, 'hour')} ${rest}`
}
