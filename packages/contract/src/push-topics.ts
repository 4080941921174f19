/** What a player can be told of while the app is closed. The modules of routes export nothing but routes. */
export const PUSH_TOPICS = ['deposit', 'withdrawal', 'sign_in', 'support'] as const

/** A message as the app's service worker decrypts it. */
export type PushMessage = {
  title: string
  body: string
  /** The page of the app that shows more. */
  path: string
  topic: (typeof PUSH_TOPICS)[number]
  /** The language of the texts. */
  lang: string
}
