/**
 * What an address says of a player, shown for the moment until the server's profile is there. It is
 * taken only in the form that the server itself would send, because anybody may have written it.
 */
export type ProfileGuess = {
  readonly username: string
  readonly id: string
  readonly email: string
  readonly avatar: string
}

export function profileGuess(query: {
  readonly name?: string
  readonly id?: string
  readonly email?: string
  readonly avatar?: string
}): ProfileGuess {
  return {
    username: matching(query.name, /^\w{3,20}$/),
    id: matching(query.id, /^\d{1,10}$/),
    email: matching(query.email, /^[^\s@]{1,64}@[^\s@]{1,190}$/),
    // A path of our own at most: another site would learn who looks.
    avatar: matching(query.avatar, /^(preset:[1-8]|\/(?!\/)[\w/.-]{1,200})$/),
  }
}

function matching(value: string | undefined, pattern: RegExp): string {
  return value !== undefined && pattern.test(value) ? value : ''
}
