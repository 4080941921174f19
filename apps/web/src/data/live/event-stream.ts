/** Reads server-sent events (HTML standard, "Parsing an event stream") as far as they are used here. */

export type StreamEvent = { readonly name: string; readonly data: string }

/**
 * @returns a function that takes the next piece of text, cut anywhere, and returns the events that
 * it completes. An event cut off by the stream's end is never returned.
 */
export function eventStreamParser(): (piece: string) => StreamEvent[] {
  let rest = ''
  let name = ''
  let data: string[] = []

  function takeLine(line: string): StreamEvent | null {
    if (line === '') {
      const event = data.length > 0 ? { name: name || 'message', data: data.join('\n') } : null
      name = ''
      data = []
      return event
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    return null
  }

  return (piece) => {
    const text = rest + piece
    // A carriage return at the end may be the first half of a line's end.
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    return lines.map(takeLine).filter((event) => event !== null)
  }
}
