import type { useText } from '#src/i18n/text.ts'

/** A line's round trip as text: milliseconds, or whole seconds, which take no more room. */
export function speedText(t: ReturnType<typeof useText>, ms: number): string {
  return ms < 1_000 ? t('line.ms', { ms }) : t('line.s', { s: Math.round(ms / 1_000) })
}
