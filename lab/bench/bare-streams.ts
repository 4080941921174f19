/**
 * Streams without the product, for comparison: a server of Node's own that keeps every request open, sends the same
 * comment lines as often, and writes to all what it is told by the process that started it.
 */
import { createServer, type ServerResponse } from 'node:http'
import { STREAM_PING_MS } from '@sum28/contract/stream-rules.ts'

const open = new Set<ServerResponse>()

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.write(': open\n\n')
  open.add(response)
  response.on('close', () => open.delete(response))
})
server.timeout = 0
server.listen(0, '127.0.0.1', 4096, () => {
  const address = server.address()
  process.send?.(typeof address === 'object' && address ? address.port : 0)
})
setInterval(() => {
  for (const response of open) response.write(': ping\n\n')
}, STREAM_PING_MS)
process.on('message', (event: string) => {
  const began = Date.now()
  for (const response of open) response.write(event)
  process.send?.(began)
})
process.on('disconnect', () => process.exit(0))
