import { Socket } from 'node:net'
import type { Language } from '@sum28/i18n/languages.ts'
import { translate } from '@sum28/i18n/translate.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { startMailServer, startSilentServer } from '#testing/hosts/mail-server.ts'
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
  it.each([
    ['ja', /\p{Script=Hiragana}/u],
    ['vi', /[ạảấầẩẫậắằẳẵặđ]/],
  ] as const)('arrives whole in %s', async (lang, letters) => {
    const server = await startMailServer()
    const mail = mailIn(lang)
    expect(mail.text).toMatch(letters)
    await transportTo(server.url).send(mail)
    expect(server.arrived).toEqual([
      {
        id: `<${mail.id}@sum28.example>`,
        from: 'no-reply@sum28.example',
        to: [mail.to],
        subject: mail.subject,
        text: mail.text,
        autoSubmitted: 'auto-generated',
      },
    ])
  })

  it('cannot be made to carry another header or recipient', async () => {
    const server = await startMailServer()
    const subject = 'Code\r\nBcc: other@example.org'
    await transportTo(server.url).send({ id: 'a', to: 'ann@example.org', subject, text: 'x' })
    expect(server.arrived[0]?.to).toEqual(['ann@example.org'])
    expect(server.arrived[0]?.subject).toContain('Bcc')
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
    const silent = await startSilentServer()
    for (const failing of [
      held,
      ...[broken, silent, 'smtp://127.0.0.1:1'].map((url) =>
        messageOf(transportTo(url, 100).send(mailIn('en'))),
      ),
    ]) {
      expect(await failing).toMatch(/^the mail server did not take the mail \(E[A-Z]+\)$/)
    }
    expect(hanging.offered).toBe(1)
  })
})

describe('captured mail', () => {
  it('is kept newest first, the latest two hundred, each once', async () => {
    const { db } = await createTestDatabase()
    const { latest, send } = capturedMail(db)
    for (let index = 0; index < 205; index += 1) {
      await send({ id: String(index), to: 'ann@example.org', subject: String(index), text: '' })
    }
    await send({ id: '204', to: 'ann@example.org', subject: 'again', text: '' })
    const mails = await latest()
    expect(mails).toHaveLength(200)
    expect(mails[0]).not.toHaveProperty('id')
    expect([mails[0]?.subject, mails.at(-1)?.subject]).toEqual(['204', '5'])
  })

  it('is read by every process of the installation', async () => {
    const { db } = await createTestDatabase()
    await capturedMail(db).send({ id: 'a', to: 'ann@example.org', subject: 'One', text: 'two' })
    expect(await capturedMail(db).latest()).toEqual([
      { to: 'ann@example.org', subject: 'One', text: 'two', at: expect.any(Number) },
    ])
  })
})
