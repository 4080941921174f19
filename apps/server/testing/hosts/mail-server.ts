/** A real SMTP server on its own port, whose behaviour the test decides. */
import type { Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export type ArrivedMail = {
  /** Its Message-ID. */
  id: string
  from: string
  to: string[]
  subject: string
  text: string
  /** Its header of that name. */
  autoSubmitted: string | undefined
}

export type MailServer = {
  url: string
  readonly arrived: readonly ArrivedMail[]
  /** How many times a mail was offered, taken or not. */
  readonly offered: number
  /**
   * From now on mails are accepted, or refused temporarily or permanently, by its rules or since there is no such
   * mailbox; or, instead of an answer, the connection breaks or no answer comes.
   */
  mood:
    | 'takes'
    | 'refuses'
    | 'refuses to relay'
    | 'has no such mailbox'
    | 'refuses the sender'
    | 'breaks'
    | 'hangs'
  /** An address that it refuses for good in any mood. */
  closedBox: string | null
}

const REFUSALS: Partial<Record<MailServer['mood'], [number, string]>> = {
  refuses: [450, '4.2.1 greylisted'],
  'refuses to relay': [554, '5.7.1 relay access denied'],
}

/** Starts one; it ends with the test, or when the caller says. */
export async function startMailServer(
  mood: MailServer['mood'] = 'takes',
  whenOver: (end: () => Promise<void>) => void = onTestFinished,
): Promise<MailServer> {
  const arrived: ArrivedMail[] = []
  let offered = 0
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    // A connection that still waits for an answer does not outlive the test.
    closeTimeout: 1,
    onMailFrom(_address, _session, done) {
      if (server.mood !== 'refuses the sender') return done()
      offered += 1
      done(Object.assign(new Error('5.7.1 sender not allowed'), { responseCode: 550 }))
    },
    onRcptTo({ address }, _session, done) {
      offered += 1
      if (server.mood === 'takes' && address !== server.closedBox) return done()
      if (server.mood === 'hangs') return
      if (server.mood === 'breaks') {
        for (const { _socket: socket } of smtp.connections as unknown as Set<{ _socket: Socket }>) {
          socket.destroy()
        }
        return
      }
      const [responseCode, why] = REFUSALS[server.mood] ?? [550, '5.1.1 no such mailbox']
      done(Object.assign(new Error(`${why}: <${address}>`), { responseCode }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        arrived.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          ...readMail(Buffer.concat(chunks).toString('latin1')),
        })
        done()
      })
    },
  })
  // What a client that gave up leaves behind does not concern the test.
  smtp.on('error', () => {})
  await new Promise<void>((ready) => smtp.listen(0, '127.0.0.1', ready))
  whenOver(() => new Promise<void>((closed) => smtp.close(closed)))
  const { port } = smtp.server.address() as { port: number }
  const server: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    arrived,
    get offered() {
      return offered
    },
    mood,
    closedBox: null,
  }
  return server
}

/** Subject and text of a message of one part (RFC 5322, encoded as RFC 2045 and 2047 say). */
function readMail(raw: string): Omit<ArrivedMail, 'from' | 'to'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
  )
  const body = rest.join('\r\n\r\n')
  const encoding = (headers.get('content-transfer-encoding') ?? '7bit').toLowerCase()
  const text = Buffer.from(
    encoding === 'quoted-printable' ? unquote(body.replace(/=\r\n/g, '')) : body,
    encoding === 'base64' ? 'base64' : 'latin1',
  ).toString('utf8')
  return {
    id: headers.get('message-id') ?? '',
    subject: readWords(headers.get('subject') ?? ''),
    text: text.replace(/\r\n/g, '\n').trimEnd(),
    autoSubmitted: headers.get('auto-submitted'),
  }
}

function readWords(header: string): string {
  const bytes = header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_word, kind: string, coded: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(coded, 'base64').toString('latin1')
        : unquote(coded.replace(/_/g, ' ')),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function unquote(text: string): string {
  return text.replace(/=([0-9A-F]{2})/gi, (_coded, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
