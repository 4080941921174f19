/** Banners that ship with the app: art without words. The words are laid over, in every language. */
const OWN = ['fairness', 'exact', 'rounds'] as const

export type OwnBanner = (typeof OWN)[number]

/** Which of the app's own banners an image is, by its file's name; null for the operator's own. */
export function bannerWords(image: string): OwnBanner | null {
  const name = /^\/banners\/([a-z]+)\.svg$/.exec(image)?.[1]
  return OWN.find((own) => own === name) ?? null
}

/** Where a banner leads: into the app, or out of it; null for nowhere, or what is no address. */
export function linkOf(link: string): { to: string; outside: boolean } | null {
  if (/^\/(?![/\\])/.test(link)) return { to: link, outside: false }
  return /^https?:\/\/[^/]/i.test(link) ? { to: link, outside: true } : null
}
