/** What this device keeps of a newcomer: the game that he tapped, and what he must still be offered, once at each place. */
import { tabStorage } from '@sum28/ui/storage.ts'
import { readKept, storeKept } from '#src/data/kept-map.ts'
import { currentSession } from '#src/data/session-watch.ts'

export type OfferMoment = 'registration' | 'passkey' | 'deposit'

/** The list of first steps is put away in the same place. */
type Noted = OfferMoment | 'steps'

const OFFERS_KEY = 'limits-offer'

type Answer = 'waits' | 'answered'

/** Makes the next screen offer limits and a passkey, after an account was created. */
export function offerAfterRegistration(): void {
  note('registration', 'waits')
  if ('PublicKeyCredential' in window) note('passkey', 'waits')
}

export function offerAnswered(at: OfferMoment): void {
  note(at, 'answered')
}

export function isOffered(at: OfferMoment): boolean {
  const answer = answerAt(at)
  return at === 'deposit' ? answer !== 'answered' : answer === 'waits'
}

/** Whether the player registered on this device, and has not put the first steps away. */
export function showsFirstSteps(): boolean {
  return answerAt('registration') !== undefined && answerAt('steps') === undefined
}

export function firstStepsPutAway(): void {
  note('steps', 'answered')
}

function keyOf(at: Noted): string {
  return `${currentSession()?.userId ?? ''}:${at}`
}

function note(at: Noted, answer: Answer): void {
  storeKept(OFFERS_KEY, [...readKept<Answer>(OFFERS_KEY).set(keyOf(at), answer)])
}

function answerAt(at: Noted): Answer | undefined {
  return readKept<Answer>(OFFERS_KEY).get(keyOf(at))
}

/** The game that a stranger has tapped, kept over logging in or registering: there he arrives. */
const TAPPED_KEY = 'tapped-game'

/** Keeps it; a player goes where he tapped. */
export function keepTappedGame({ id }: { id: number }): void {
  if (!currentSession()) tabStorage().setItem(TAPPED_KEY, String(id))
}

/** As the hall's address names it; empty if none was tapped. */
export function tappedGame(): { game?: string } {
  const game = tabStorage().getItem(TAPPED_KEY) ?? ''
  return /^\d+$/.test(game) ? { game } : {}
}

export function forgetTappedGame(): void {
  tabStorage().removeItem(TAPPED_KEY)
}
