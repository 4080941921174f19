/** Sends a signed POST to an address that the operator has named, and to no other place. */
import { createHmac } from 'node:crypto'
import { mayBePublic, NotPublic, postPublicly } from './public-request.ts'

/**
 * What is wrong with the address of a receiver, as a key of a fault's text; null: nothing. A name is looked up only when
 * something is sent: what it leads to may change at any time.
 *
 * @param privateToo whether plain HTTP and private networks are allowed, as in the demo
 */
export function webhookFault(text: string, privateToo: boolean): 'webhook_url' | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return 'webhook_url'
  return privateToo || mayBePublic(url) ? null : 'webhook_url'
}

/** How long a receiver may take for all of it. */
const ANSWER_MS = 10_000

/** The signature of a body at an instant: a receiver that refuses old instants cannot be sent one again by a stranger. */
function webhookSignature(secret: string, body: string, unixSeconds: number): string {
  const mac = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')
  return `t=${unixSeconds},v1=${mac}`
}

type Sent = 'taken' | 'gone' | { failure: string }

/**
 * Sends a body once. A redirect is a failure: it could lead to another place. Nothing of the answer but its status is
 * read.
 *
 * @returns `taken` for any 2xx, `gone` for 410, else why not, without anything that the receiver wrote
 */
export async function sendWebhook({
  url,
  secret,
  body,
  now,
  privateToo,
  signal,
  answerMs = ANSWER_MS,
}: {
  url: string
  secret: string
  /** JSON. */
  body: string
  /** Milliseconds since 1970. */
  now: number
  privateToo: boolean
  signal: AbortSignal
  answerMs?: number
}): Promise<Sent> {
  // The setting may have changed since it was added.
  if (webhookFault(url, privateToo)) return { failure: 'it is no public address' }
  try {
    const status = await postPublicly(new URL(url), {
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'Sum28-Signature': webhookSignature(secret, body, Math.floor(now / 1000)),
      },
      body: Buffer.from(body),
      withinMs: answerMs,
      signal,
      anywhere: privateToo,
    })
    if (status >= 200 && status < 300) return 'taken'
    return status === 410 ? 'gone' : { failure: `it answered ${status}` }
  } catch (error) {
    if (error instanceof NotPublic) return { failure: 'it leads to a private network' }
    const { name, code = 'it did not answer' } = error as NodeJS.ErrnoException
    return { failure: name === 'AbortError' ? 'it did not answer in time' : code }
  }
}
