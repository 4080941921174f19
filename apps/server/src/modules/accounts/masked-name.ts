/** A user name with its middle masked: two characters in front and two at the end at most. */
export function maskedName(username: string): string {
  const shown = username.length <= 4 ? 1 : 2
  return `${username.slice(0, shown)}**${username.slice(-shown)}`
}
