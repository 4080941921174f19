/** Serves the contract's downloads: as any call until the first byte, then a file as it is made. */
import { Readable } from 'node:stream'
import type { Download, ParsedOf } from '@sum28/contract/route.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusalReply } from '#src/http/envelope.ts'
import { languageOfRequest, readRequest, type ServeOptions } from '#src/http/serve-routes.ts'
import type { Caller } from '#src/modules/accounts/caller.ts'
import type { StaffCaller } from '#src/modules/staff/staff-caller.ts'
import { isRefusal, type Refusal } from '#src/refusal.ts'

/** A file that is made while it is sent. */
export type File = {
  /** Plain ASCII without quotes. */
  name: string
  chunks: AsyncIterable<string>
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

export function serveDownloads(
  fastify: FastifyInstance,
  bindings: readonly DownloadBinding[],
  options: Pick<ServeOptions, 'findCaller' | 'findStaff' | 'rateLimits'>,
): void {
  for (const { download, handle } of bindings) {
    fastify.route({
      method: download.method,
      url: download.path,
      config: { rateLimit: options.rateLimits.of(download.rate) },
      handler: (request, reply) => answer({ download, handle }, options, request, reply),
    })
  }
}

async function answer(
  { download, handle }: DownloadBinding,
  options: Pick<ServeOptions, 'findCaller' | 'findStaff'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const lang = languageOfRequest(request)
  const read = await readRequest(download, options, request)
  const file = isRefusal(read) ? read : await handle({ ...read, lang })
  if (isRefusal(file)) {
    const { http, envelope } = refusalReply(file, lang)
    return reply.code(http).send(envelope)
  }
  // What fails before there is a first chunk is still answered with an envelope; what fails later
  // breaks the connection off, so that no reader takes a part for the whole.
  const chunks = file.chunks[Symbol.asyncIterator]()
  const first = await chunks.next()
  return reply
    .type(`${download.mediaType}; charset=utf-8`)
    .header('Content-Disposition', `attachment; filename="${file.name}"`)
    .send(Readable.from(following(first, chunks)))
}

async function* following(first: IteratorResult<string>, chunks: AsyncIterator<string>) {
  try {
    for (let next = first; !next.done; next = await chunks.next()) yield next.value
  } finally {
    await chunks.return?.()
  }
}
