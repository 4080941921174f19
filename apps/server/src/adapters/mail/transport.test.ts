import { type AddressInfo, createServer, Socket } from 'node:net'
import type { Language } from '@sum28/i18n/languages.ts'
import { translate } from '@sum28/i18n/translate.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { startMailServer } from '#testing/hosts/mail-server.ts'
import { eventually } from '#testing/requests/patience.ts'
import { capturedMail, smtpTransport } from './transport.ts'

function transportTo(url: string, timeoutMs?: number) {
  const transport = smtpTransport({
    url,
    from: 'Sum28 <no-reply@sum28.example>',
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  onTestFinished(() => transport.close())
  return transport
}

function mailIn(lang: Language) {
  const values = { code: '012345', minutes: 10 }
  return {
    id: `mail-${lang}`,
    to: 'minh.anh@example.org',
    subject: translate(lang, 'mail.register.subject', values),
    text: translate(lang, 'mail.register.text', values),
  }
}

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: unknown) => (error as Error).message,
  )

describe('mail by SMTP', () => {
  it('arrives whole in any script, and cannot be made to carry another header or recipient', async () => {
    const server = await startMailServer()
    const transport = transportTo(server.url)
    for (const lang of ['ja', 'vi'] as const) {
      const { id, to, subject, text } = mailIn(lang)
      expect(text).toMatch(/\p{Script=Hiragana}|[ạảấầẩẫậắằẳẵặđ]/u)
      await transport.send({ id, to, subject, text })
      expect(server.arrived.at(-1)).toEqual({
        id: `<${id}@sum28.example>`,
        from: 'no-reply@sum28.example',
        to: [to],
        subject,
        text,
        autoSubmitted: 'auto-generated',
      })
    }
    await transport.send({ ...mailIn('en'), subject: 'Code\r\nBcc: other@example.org' })
    const subject = expect.stringContaining('Bcc')
    expect(server.arrived.at(-1)).toMatchObject({ to: ['minh.anh@example.org'], subject })
  })

  it('is not sent in plain text if its address requires TLS', async () => {
    const server = await startMailServer()
    const message = await messageOf(transportTo(`${server.url}?requireTLS=true`).send(mailIn('en')))
    expect(message).toMatch(/^the mail server did not take the mail/)
    expect([server.offered, server.arrived]).toEqual([0, []])
  })

  it.each([
    ['refuses', 'EENVELOPE 450 RCPT TO'],
    ['refuses to relay', 'EENVELOPE 554 RCPT TO'],
    ['has no such mailbox', 'EENVELOPE 550 RCPT TO'],
    ['refuses the sender', 'EENVELOPE 550 MAIL FROM'],
  ] as const)('fails if the server %s, and the reason names no person', async (mood, why) => {
    const server = await startMailServer(mood)
    expect(await messageOf(transportTo(server.url).send(mailIn('en')))).toBe(
      `the mail server did not take the mail (${why})`,
    )
    expect(server.arrived).toEqual([])
  })

  it('fails if the server hangs in the middle, disconnects, does not answer, or is down', async () => {
    const hanging = await startMailServer('hangs')
    const limits = vi.spyOn(Socket.prototype, 'setTimeout')
    onTestFinished(() => limits.mockRestore())
    const held = messageOf(transportTo(hanging.url, 60_000).send(mailIn('en')))
    await eventually(() => hanging.offered > 0)
    // As if it had said nothing for as long as the sender waits.
    const sender = limits.mock.calls.findIndex(([ms]) => ms === 2 * 60_000)
    const socket = limits.mock.contexts[sender] as Socket | undefined
    socket?.emit('timeout')
    const { url: broken } = await startMailServer('breaks')
    const silent = createServer((accepted) => onTestFinished(() => void accepted.destroy()))
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    for (const failing of [
      held,
      ...[broken, `smtp://127.0.0.1:${port}`, 'smtp://127.0.0.1:1'].map((url) =>
        messageOf(transportTo(url, 100).send(mailIn('en'))),
      ),
    ]) {
      expect(await failing).toMatch(/^the mail server did not take the mail \(E[A-Z]+\)$/)
    }
    expect(hanging.offered).toBe(1)
  })
})

it('captured mail is kept newest first for every process, the latest two hundred, each once', async () => {
  const { db } = await createTestDatabase()
  const { send } = capturedMail(db)
  const mail = { to: 'ann@example.org', text: '' }
  for (let index = 0; index < 205; index += 1)
    await send({ ...mail, id: String(index), subject: String(index) })
  await send({ ...mail, id: '204', subject: 'again' })
  const mails = await capturedMail(db).latest()
  expect(mails).toHaveLength(200)
  expect(mails[0]).toEqual({ ...mail, subject: '204', at: expect.any(Number) })
  expect(mails.at(-1)?.subject).toBe('5')
})
