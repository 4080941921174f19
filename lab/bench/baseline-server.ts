/**
 * Servers to compare the product with, in a process of their own; baselines.ts starts them.
 *
 *   constant <body>  the bare framework: reads the JSON of the request and answers with the body
 *   peer <url>       the honest peer: each order is one transaction of its own, written by hand, on 16
 *                    connections. It has no sessions, no idempotency keys, no limits and no odds.
 *   streams          keeps every request open as an event stream, and writes to all what its parent sends
 */
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { STREAM_PING_MS } from '@sum28/contract/stream-rules.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'

const PEER_CONNECTIONS = 16

const [kind = '', argument = ''] = process.argv.slice(2)
const server = await make()
const address = server.address()
process.send?.(typeof address === 'object' && address ? address.port : 0)
process.on('disconnect', () => process.exit(0))

async function make(): Promise<Server> {
  if (kind === 'streams') {
    const server = streams().listen(0, '127.0.0.1', 4096)
    await once(server, 'listening')
    return server
  }
  const fastify = kind === 'peer' ? peer(argument) : constant(argument)
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  return fastify.server
}

function constant(body: string): FastifyInstance {
  const fastify = Fastify()
  fastify.post('/*', (_request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8').send(body)
  })
  return fastify
}

function streams(): Server {
  const open = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(': open\n\n')
    open.add(response)
    response.on('close', () => open.delete(response))
  })
  server.timeout = 0
  setInterval(() => {
    for (const response of open) response.write(': ping\n\n')
  }, STREAM_PING_MS)
  process.on('message', (event: string) => {
    const began = Date.now()
    for (const response of open) response.write(event)
    process.send?.(began)
  })
  return server
}

type Order = { issue: string; plan_id: number; game_id: number; play_type: string; money: number }

function peer(url: string): FastifyInstance {
  const pool = new pg.Pool({ connectionString: url, max: PEER_CONNECTIONS })
  // The product's database ends before this server does.
  pool.on('error', () => {})
  const fastify = Fastify()
  fastify.post<{ Body: Order }>('/api/Lottery/playOrder', async (request) => {
    const player = Number(request.headers.token)
    const { issue, plan_id: room, game_id: game, play_type: rules, money } = request.body
    const total = money * (JSON.parse(rules) as number[]).length * 1_000_000
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ cash: string }>({
        name: 'lock',
        text: 'select cash from balance where holder_id = $1 for update',
        values: [player],
      })
      const after = Number(rows[0]?.cash) - total
      if (!(after >= 0)) throw new Error('too little money')
      const bet = await client.query<{ id: string }>({
        name: 'bet',
        text: `insert into bet (player_id, game_id, issue, room_id, rules, total, cash_after)
          values ($1, $2, $3, $4, $5, $6, $7) returning id`,
        values: [player, game, issue, room, rules, total, after],
      })
      await client.query({
        name: 'posting',
        text: `insert into posting (holder_id, kind, amount, cash_after, reference)
          values ($1, 'stake', $2, $3, $4)`,
        values: [player, total, after, `bet:${bet.rows[0]?.id}`],
      })
      await client.query({
        name: 'balance',
        text: 'update balance set cash = $2 where holder_id = $1',
        values: [player, after],
      })
      await client.query('commit')
      const data = { id: Number(bet.rows[0]?.id), user_id: player, issue, play_type: rules, total }
      return { code: 1, msg: 'done', time: String(Math.floor(Date.now() / 1000)), data }
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  })
  return fastify
}
