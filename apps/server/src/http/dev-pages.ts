/** The demo's own calls: read captured mail, send test USDT. They never exist in production. */
import { parseAmount } from '@sum28/domain/money.ts'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'
import type { CapturedMail, CapturedMails } from '#src/adapters/mail/transport.ts'
import { escapeHtml, htmlPage } from '#src/http/html-page.ts'

const transferBody = z.object({ to: z.string(), amount: z.union([z.string(), z.number()]) })

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

function mailHtml({ to, subject, text, at }: CapturedMail): string {
  return `<article><h2>${escapeHtml(subject)}</h2>
    <p>${escapeHtml(to)} · ${new Date(at).toISOString()}</p><pre>${escapeHtml(text)}</pre></article>`
}
