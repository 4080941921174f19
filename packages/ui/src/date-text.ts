/** `Nov 21, 2026`, as the language writes it; the calendar day in the zone. */
export function dateText(at: number, { tag, zone }: { tag: string; zone: string }): string {
  return new Intl.DateTimeFormat(tag, { timeZone: zone, dateStyle: 'medium' }).format(at)
}
