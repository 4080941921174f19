/**
 * The demo's own calls: read captured mail, send test USDT, make the local chain fail. They never exist in
 * production.
 */
import { parseAmount } from '@sum28/domain/money.ts'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'
import type { CapturedMail, CapturedMails } from '#src/adapters/mail/transport.ts'
import { escapeHtml, htmlPage } from '#src/http/html-page.ts'

const transferBody = z.object({ to: z.string(), amount: z.union([z.string(), z.number()]) })

const failureBody = z.object({
  kind: z.enum(['http429', 'http403', 'error200', 'empty', 'malformed', 'timeout']),
  call: z.enum(['getnowblock', 'getblockbynum', 'gettransactioninfobyblocknum']).optional(),
  times: z.int().min(1).max(1_000).optional(),
  retryAfterSeconds: z.int().min(0).max(3_600).optional(),
})

const heightBody = z.object({ blocks: z.int().min(0).max(1_000_000) })

export function serveDevPages(
  fastify: FastifyInstance,
  options: { mails: CapturedMails | null; chain: LocalTronNode | null },
): void {
  const { mails, chain } = options

  if (mails) {
    fastify.get('/dev/mail', async (request, reply) => {
      const latest = await mails.latest()
      if (!/text\/html/.test(request.headers.accept ?? '')) return latest
      return reply
        .type('text/html')
        .send(htmlPage('Captured mail', latest.map(mailHtml).join('') || '<p>None yet.</p>'))
    })
  }
  if (chain) {
    fastify.post('/dev/chain/transfer', async (request, reply) => {
      const body = transferBody.safeParse(request.body)
      if (!body.success) return reply.code(400).send({ error: 'send {"to": address, "amount": u}' })
      const amount = parseAmount(body.data.amount, 6)
      if (!amount.ok) return reply.code(400).send({ error: `amount: ${amount.fault}` })
      const sent = chain.transfer({ to: body.data.to, amountMicro: amount.amount })
      if (!sent.ok) return reply.code(400).send({ error: sent.message })
      if (/text\/html/.test(request.headers.accept ?? '')) return reply.redirect('/dev', 303)
      return { tx_id: sent.txId, block: sent.blockNumber }
    })
  }
  if (chain) serveChainFailures(fastify, chain)
  fastify.get('/dev', async (_request, reply) =>
    reply.type('text/html').send(
      htmlPage(
        'Demo',
        `${mails ? '<p><a href="/dev/mail">Captured mail</a></p>' : ''}
         ${
           chain
             ? `<h2>Send test USDT</h2>
                <form method="post" action="/dev/chain/transfer">
                  <p><label>To<br><input name="to" size="40" required></label></p>
                  <p><label>Amount in u<br><input name="amount" value="1000" required></label></p>
                  <p><button>Send</button></p>
                </form>`
             : ''
         }
         <p><a href="/">The app</a> · <a href="/openapi.json">API</a></p>`,
      ),
    ),
  )
}

/** Failures of the local chain, to try how the product handles them. */
function serveChainFailures(fastify: FastifyInstance, chain: LocalTronNode): void {
  fastify.post('/dev/chain/fail', async (request, reply) => {
    const body = failureBody.safeParse(request.body)
    if (!body.success) {
      const kinds = failureBody.shape.kind.options.join(', ')
      return reply.code(400).send({ error: `send {"kind": one of ${kinds}, "times", "call"}` })
    }
    const { kind, call, times, retryAfterSeconds } = body.data
    chain.failNext({
      kind,
      ...(call ? { call } : {}),
      ...(times ? { times } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
    return { ordered: kind }
  })
  fastify.post('/dev/chain/recover', async () => {
    chain.clearFailures()
    chain.setBack(0)
    return { height: chain.height(), solid: chain.solidHeight() }
  })
  fastify.post('/dev/chain/back', async (request, reply) => {
    const body = heightBody.safeParse(request.body)
    if (!body.success) return reply.code(400).send({ error: 'send {"blocks": how many fewer}' })
    chain.setBack(body.data.blocks)
    return { height: chain.height(), solid: chain.solidHeight() }
  })
}

function mailHtml({ to, subject, text, at }: CapturedMail): string {
  return `<article><h2>${escapeHtml(subject)}</h2>
    <p>${escapeHtml(to)} · ${new Date(at).toISOString()}</p><pre>${escapeHtml(text)}</pre></article>`
}
