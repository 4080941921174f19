/** Serves the contract's downloads: as any call until the first byte, then a file as it is made. */
import { Readable } from 'node:stream'
import type { Download, ParsedOf } from '@sum28/contract/route.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageOfRequest } from '#src/http/bodies.ts'
import { places } from '#src/http/places.ts'
import {
  type Finding,
  readRequest,
  type ServeOptions,
  sendRefusal,
} from '#src/http/serve-routes.ts'
import { inTime } from '#src/in-time.ts'
import type { Caller } from '#src/modules/accounts/caller.ts'
import type { StaffCaller } from '#src/modules/staff/staff-caller.ts'
import { networkOf } from '#src/network-of.ts'
import { isRefusal, type Refusal } from '#src/refusal.ts'

/** A file that is made while it is sent. */
export type File = {
  /** Plain ASCII without quotes. */
  name: string
  chunks: AsyncIterable<string | Uint8Array>
}

type CallerOf<D extends Download> = D['auth'] extends 'none'
  ? null
  : D['auth'] extends 'staff'
    ? StaffCaller
    : Caller

type DownloadCall<Input, Who> = { input: Input; caller: Who; lang: Language }

export type DownloadBinding = {
  readonly download: Download
  readonly handle: (call: DownloadCall<unknown, unknown>) => Promise<File | Refusal>
}

/** Ties a handler to a download; its input and caller are typed by the contract. */
export function bindDownload<const D extends Download>(
  download: D,
  handle: (call: DownloadCall<ParsedOf<D>, CallerOf<D>>) => Promise<File | Refusal>,
): DownloadBinding {
  return { download, handle: handle as DownloadBinding['handle'] }
}

/**
 * A file that is being sent holds a connection to the database: as many of one network at once, and
 * no longer for a reader who takes nothing for so long, or is not done by the end.
 */
export type DownloadBounds = { ofNetwork: number; idleMs: number; longestMs: number }

const BOUNDS: DownloadBounds = { ofNetwork: 2, idleMs: 30_000, longestMs: 600_000 }

const RETRY_SECONDS = 10

export function serveDownloads(
  fastify: FastifyInstance,
  bindings: readonly DownloadBinding[],
  options: Finding & Pick<ServeOptions, 'rateLimits'>,
  bounds = BOUNDS,
): void {
  const sending = places({ network: bounds.ofNetwork }, RETRY_SECONDS)
  for (const { download, handle } of bindings) {
    fastify.route({
      method: download.method,
      url: download.path,
      config: { rateLimit: options.rateLimits.of(download) },
      handler: async (request, reply) => {
        const place = sending.take({ network: networkOf(request.ip) })
        if (isRefusal(place)) return sendRefusal(place, request, reply)
        reply.raw.once('close', place)
        return answer({ download, handle }, { ...options, bounds }, request, reply)
      },
    })
  }
}

async function answer(
  { download, handle }: DownloadBinding,
  options: Finding & { bounds: DownloadBounds },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  // What fails before there is a first chunk is still answered with an envelope; what fails later
  // breaks the connection off, so that no reader takes a part for the whole.
  async function begin() {
    const lang = languageOfRequest(request)
    const read = await readRequest(download, options, request)
    const file = isRefusal(read) ? read : await handle({ ...read, lang })
    if (isRefusal(file)) return file
    const chunks = file.chunks[Symbol.asyncIterator]()
    return { file, chunks, first: await chunks.next() }
  }
  const begun = await inTime(begin(), {
    withinMs: options.answerWithinMs,
    tooLate: (late) => {
      if (!isRefusal(late)) void late.chunks.return?.()
    },
  })
  if (isRefusal(begun)) return sendRefusal(begun, request, reply)
  const { file, chunks, first } = begun
  const body = Readable.from(following(first, chunks))
  hangUpOnSlow(body, options.bounds)
  return reply
    .type(typed(download.mediaType))
    .header('Content-Disposition', `attachment; filename="${file.name}"`)
    .send(body)
}

/** Of text, with how it is written. */
function typed(mediaType: string): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType
}

type Chunk = string | Uint8Array

async function* following(first: IteratorResult<Chunk>, chunks: AsyncIterator<Chunk>) {
  try {
    for (let next = first; !next.done; next = await chunks.next()) yield next.value
  } finally {
    await chunks.return?.()
  }
}

/** Ends a body that its reader takes nothing of for too long, or has not taken by the end. */
function hangUpOnSlow(body: Readable, { idleMs, longestMs }: DownloadBounds): void {
  const hangUp = () => body.destroy(new Error('the reader of a file is too slow'))
  const idle = setTimeout(hangUp, idleMs).unref()
  const longest = setTimeout(hangUp, longestMs).unref()
  // Each piece is asked for when there is room for it at the reader's.
  body.on('data', () => idle.refresh())
  body.once('close', () => {
    clearTimeout(idle)
    clearTimeout(longest)
  })
}
