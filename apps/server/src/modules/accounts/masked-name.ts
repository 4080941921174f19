/** A user name with a masked middle: at most two characters at the front and two at the end are shown. */
export function maskedName(username: string): string {
  const shown = username.length <= 4 ? 1 : 2
  return `${username.slice(0, shown)}**${username.slice(-shown)}`
}
