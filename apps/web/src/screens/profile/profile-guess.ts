/**
 * The profile in an address, shown until the server's profile is loaded. Only values in the server's
 * form are used, because users can change an address.
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
    // Only a path of this site: another site would learn the viewer's address.
    avatar: matching(query.avatar, /^(preset:[1-8]|\/(?!\/)[\w/.-]{1,200})$/),
  }
}

function matching(value: string | undefined, pattern: RegExp): string {
  return value !== undefined && pattern.test(value) ? value : ''
}
