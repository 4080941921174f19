/** Parses CSV by RFC 4180: rows of cells, lines ended by CRLF. For tests. */
export function parseCsv(text: string, between = ','): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (at >= text.length) throw new Error('a quoted cell has no end')
        if (text[at] === '"') at++
        cell += text[at]
      }
      at++
    } else {
      while (at < text.length && text[at] !== between && text[at] !== '\r') cell += text[at++]
    }
    row.push(cell)
    if (text[at] === between) at++
    else if (text.startsWith('\r\n', at)) {
      rows.push(row)
      row = []
      at += 2
    } else throw new Error(`no cell ends at ${at}: ${JSON.stringify(text.slice(at, at + 10))}`)
  }
  if (row.length > 0) throw new Error('the last line has no end')
  return rows
}
