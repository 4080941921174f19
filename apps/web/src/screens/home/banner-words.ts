/** The app's own banners are pictures without words; the words are laid over them by language. */
const OWN = ['fairness', 'exact', 'rounds'] as const

export type OwnBanner = (typeof OWN)[number]

/** The app's own banner with this file name, or null for a banner of the operator. */
export function bannerWords(image: string): OwnBanner | null {
  const name = /^\/banners\/([a-z]+)\.svg$/.exec(image)?.[1]
  return OWN.find((own) => own === name) ?? null
}

/** The target of a banner, inside or outside the app; null for none, or for no valid address. */
export function linkOf(link: string): { to: string; outside: boolean } | null {
  if (/^\/(?![/\\])/.test(link)) return { to: link, outside: false }
  return /^https?:\/\/[^/]/i.test(link) ? { to: link, outside: true } : null
}
