import { LANGUAGES, type Language } from '@sum28/i18n/languages.ts'
import { translate } from '@sum28/i18n/translate.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { startMailServer, startSilentServer } from '#testing/hosts/mail-server.ts'
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
  it.each(LANGUAGES)('arrives whole in %s', async (lang) => {
    const server = await startMailServer()
    const mail = mailIn(lang)
    await transportTo(server.url).send(mail)
    expect(server.arrived).toEqual([
      {
        id: `<${mail.id}@sum28.example>`,
        from: 'no-reply@sum28.example',
        to: [mail.to],
        subject: mail.subject,
        text: mail.text,
      },
    ])
    expect(mail.text).toContain('012345')
  })

  it('has characters of Japanese and Vietnamese in subject and text', () => {
    expect(mailIn('ja').text).toMatch(/[\p{Script=Hiragana}]/u)
    expect(mailIn('vi').text).toMatch(/[ạảấầẩẫậắằẳẵặđ]/)
  })

  it('cannot be made to carry another header or recipient', async () => {
    const server = await startMailServer()
    const subject = 'Code\r\nBcc: other@example.org'
    await transportTo(server.url).send({ id: 'a', to: 'ann@example.org', subject, text: 'x' })
    expect(server.arrived[0]?.to).toEqual(['ann@example.org'])
    expect(server.arrived[0]?.subject).toContain('Bcc')
  })

  it('fails if the server refuses, and the reason names no person', async () => {
    const server = await startMailServer('refuses')
    expect(await messageOf(transportTo(server.url).send(mailIn('en')))).toBe(
      'the mail server did not take the mail (EENVELOPE 450 RCPT TO)',
    )
    expect(server.arrived).toEqual([])
  })

  it('is not sent in plain text if its address requires TLS', async () => {
    const server = await startMailServer()
    const message = await messageOf(transportTo(`${server.url}?requireTLS=true`).send(mailIn('en')))
    expect(message).toMatch(/^the mail server did not take the mail/)
    expect([server.offered, server.arrived]).toEqual([0, []])
  })

  it('fails if the server refuses permanently, or hangs in the middle', async () => {
    const refusing = await startMailServer('refuses for good')
    expect(await messageOf(transportTo(refusing.url).send(mailIn('en')))).toBe(
      'the mail server did not take the mail (EENVELOPE 550 RCPT TO)',
    )
    const suspended = await startMailServer('refuses the sender')
    expect(await messageOf(transportTo(suspended.url).send(mailIn('en')))).toBe(
      'the mail server did not take the mail (EENVELOPE 550 MAIL FROM)',
    )
    // What comes before the server hangs takes less than 5 s on a busy machine too.
    const hanging = await startMailServer('hangs')
    expect(await messageOf(transportTo(hanging.url, 5_000).send(mailIn('en')))).toMatch(
      /^the mail server did not take the mail \(E[A-Z]+\)$/,
    )
    expect(hanging.offered).toBe(1)
  })

  it('fails if the server disconnects, does not answer, or is down', async () => {
    const broken = await startMailServer('breaks')
    const gone = 'smtp://127.0.0.1:1'
    for (const url of [broken.url, await startSilentServer(), gone]) {
      const message = await messageOf(transportTo(url, 100).send(mailIn('en')))
      expect(message).toMatch(/^the mail server did not take the mail \(E[A-Z]+\)$/)
    }
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
