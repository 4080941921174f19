/**
 * Serves the contract's downloads: like any call until the first byte, then as a file that is generated while it is
 * sent.
 */
import { Readable } from 'node:stream'
import type { Download, ParsedOf } from '@sum28/contract/route.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { concurrencyLimit } from '#src/concurrency/concurrency-limit.ts'
import { networkOf } from '#src/formats/network-of.ts'
import type { Caller, CallerOf, StaffCaller } from '#src/http/caller.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import { Refused } from './envelope.ts'
import { whenClosed } from './flood-guard.ts'
import { hook, hooksOf, type ServeOptions } from './serve-calls.ts'

/** A file that is generated while it is sent. */
export type File = {
  /** Plain ASCII without quotes. */
  name: string
  chunks: AsyncIterable<string | Uint8Array>
}

type DownloadCall<Input, Who> = { input: Input; caller: Who; lang: Language }

export type DownloadBinding = {
  readonly download: Download
  readonly handle: (call: DownloadCall<unknown, unknown>) => Promise<File | Refusal>
}

/** Binds a handler to a download; the contract gives the types of its input and caller. */
export function bindDownload<const D extends Download>(
  download: D,
  handle: (call: DownloadCall<ParsedOf<D>, CallerOf<D>>) => Promise<File | Refusal>,
): DownloadBinding {
  return { download, handle: handle as DownloadBinding['handle'] }
}

/**
 * A file in transfer holds a database connection. So one network may have only a few at once, a player and a member of
 * staff one, players together leave some for staff, and a transfer ends if its reader takes too little data in a time,
 * or is not done by the limit.
 */
export type DownloadBounds = {
  ofNetwork: number
  ofPlayers: number
  ofStaff: number
  idleMs: number
  bytesASecond: number
  longestMs: number
}

/** As many files together as `resources.ts` has connections for them. */
export const BOUNDS: DownloadBounds = {
  ofNetwork: 2,
  ofPlayers: 4,
  ofStaff: 2,
  idleMs: 30_000,
  bytesASecond: 8_000,
  longestMs: 600_000,
}

const RETRY_SECONDS = 10

export function serveDownloads(
  fastify: FastifyInstance,
  bindings: readonly DownloadBinding[],
  options: ServeOptions,
  bounds = BOUNDS,
): void {
  const sending = concurrencyLimit({ network: bounds.ofNetwork }, RETRY_SECONDS)
  const toPlayers = concurrencyLimit(
    { all: bounds.ofPlayers, network: bounds.ofNetwork, person: 1 },
    RETRY_SECONDS,
  )
  const toStaff = concurrencyLimit({ all: bounds.ofStaff, person: 1 }, RETRY_SECONDS)

  /** Before anything else is done for the request: every file counts for its network. */
  async function takePlace({ ip }: FastifyRequest, { raw }: FastifyReply) {
    const end = sending.begin({ network: networkOf(ip) })
    if (isRefusal(end)) throw new Refused(end)
    whenClosed(raw, end)
  }
  /** The place of a caller: the function that gives it back, or too_many_requests. */
  function placeOf(who: Caller | StaffCaller | null, network: string): (() => void) | Refusal {
    if (who && 'staffId' in who) return toStaff.begin({ all: '', person: String(who.staffId) })
    return toPlayers.begin({ all: '', network, person: who ? String(who.playerId) : network })
  }

  async function send(
    { download, handle }: DownloadBinding,
    { call }: FastifyRequest,
    reply: FastifyReply,
  ) {
    const leave = placeOf(call.caller, call.address)
    if (isRefusal(leave)) throw new Refused(leave)
    const beginning = begun(handle(call))
    whenClosed(reply.raw, () => void leaveAfter(beginning, leave))
    const { file, chunks, first } = await beginning
    // It was given up meanwhile.
    if (reply.sent) return
    clearTimeout(call.deadline)
    const body = Readable.from(following(first, chunks))
    hangUpOnSlow(body, bounds)
    reply
      .type(typed(download.mediaType))
      .header('Content-Disposition', `attachment; filename="${file.name}"`)
    return body
  }

  for (const binding of bindings) {
    const { download } = binding
    const { takeFields, preParsing = [], ...admission } = hooksOf(download, options)
    fastify.route({
      method: download.method,
      url: download.path,
      config: { rateLimit: options.rateLimits.of(download) },
      preParsing: [takePlace, ...preParsing],
      ...admission,
      preHandler: hook(takeFields),
      handler: (request, reply) => send(binding, request, reply),
    })
  }
}

/** Gives a place back once nothing is read for it: a query goes on when the reader of its file has left. */
async function leaveAfter(beginning: ReturnType<typeof begun>, leave: () => void): Promise<void> {
  await beginning.then(({ chunks }) => chunks.return?.()).catch(() => {})
  leave()
}

/** The content type, with the character set of text. */
function typed(mediaType: string): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType
}

type Chunk = string | Uint8Array

/**
 * A file with its first chunk: a failure before it still gets an envelope; a later failure breaks the connection, so
 * that no reader takes an incomplete file for the complete one.
 */
async function begun(made: Promise<File | Refusal>) {
  const file = await made
  if (isRefusal(file)) throw new Refused(file)
  const chunks = file.chunks[Symbol.asyncIterator]()
  return { file, chunks, first: await chunks.next() }
}

async function* following(first: IteratorResult<Chunk>, chunks: AsyncIterator<Chunk>) {
  try {
    for (let next = first; !next.done; next = await chunks.next()) yield next.value
  } finally {
    await chunks.return?.()
  }
}

/** Ends a body whose reader takes too little data in a time, or has not read it by the limit. */
function hangUpOnSlow(body: Readable, bounds: DownloadBounds): void {
  const { idleMs, bytesASecond, longestMs } = bounds
  const hangUp = () => body.destroy(new Error('the reader of a file is too slow'))
  let taken = 0
  const looking = setInterval(() => {
    if (taken < (bytesASecond * idleMs) / 1_000) hangUp()
    taken = 0
  }, idleMs).unref()
  const longest = setTimeout(hangUp, longestMs).unref()
  // Each chunk is produced when the reader has room for it.
  body.on('data', (chunk: Chunk) => {
    taken += chunk.length
  })
  body.once('close', () => {
    clearInterval(looking)
    clearTimeout(longest)
  })
}
