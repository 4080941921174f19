/** The built apps: the player's at /, the operator's at /console. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { variesByEncoding } from '#src/http/compress-answer.ts'
import { Refused } from '#src/http/envelope.ts'
import { refuse } from '#src/refusal/refusal.ts'
import { pathOf } from './request-parts.ts'

type BuiltApp = {
  /** The path under which it is served, with a slash at its end. */
  prefix: `/${string}`
  folder: string
  /** Whether its libraries insert style sheets into the page, for which each page gets a nonce. */
  stylesByNonce?: boolean
  /** The path of the picture that programs show beside a link to it. */
  preview?: string
}

/** Longer prefixes first: an address belongs to the first prefix that it begins with. */
const APPS: readonly BuiltApp[] = [
  {
    prefix: '/console/',
    folder: fileURLToPath(new URL('../../../console/dist', import.meta.url)),
    stylesByNonce: true,
  },
  {
    prefix: '/',
    folder: fileURLToPath(new URL('../../../web/dist', import.meta.url)),
    preview: '/icon-maskable-512.png',
  },
]

/** The compressed forms that the build puts beside a file. No client requests them by name. */
const COMPRESSED_FORMS = ['**/*.br', '**/*.gz']

/** The place of the nonce in a built page; `html.cspNonce` of its Vite configuration. */
const NONCE_PLACE = '__STYLE_NONCE__'

const NONCE_BYTES = 16

/** Paths that are never a screen of an app. */
const NOT_A_SCREEN =
  /^\/(api|dev|beacon|tron|healthz|readyz|metrics|openapi\.json|docs|assets|uploads|tlog)(\/|$)/i

const PAGE_TYPE = 'text/html; charset=utf-8'

/** The last part of a path has a file extension: a file that does not exist. */
const IS_A_FILE = /\.[^/]*$/

/**
 * Serves the built apps. Browsers cache files with a hash in their names forever; they request the pages, the service
 * worker and all else each time. Every address that is no file gets its app's page, which shows the screen or says
 * that there is none.
 *
 * Only files and the player's page are compressed, once: the length of a compressed reply that contains both a secret and
 * text from the request would reveal the secret.
 *
 * @param publicUrl the address that players open, if it is known: a preview of a link needs the whole address of its picture
 */
export async function serveApps(
  fastify: FastifyInstance,
  publicUrl: string | null,
  apps = APPS,
): Promise<void> {
  const built = apps
    .filter(({ folder }) => existsSync(join(folder, 'index.html')))
    .map((app) => ({ ...app, page: pageOf(app, publicUrl), preloads: preloadsOf(app) }))
  for (const { prefix, folder } of built) {
    await fastify.register(fastifyStatic, {
      root: folder,
      prefix,
      wildcard: false,
      decorateReply: false,
      preCompressed: true,
      index: false,
      globIgnore: ['**/index.html', ...COMPRESSED_FORMS],
      cacheControl: false,
      setHeaders: (reply, path) => {
        // Names of built files contain a hash of their content; all else may change at any time.
        const forever = /[\\/]assets[\\/]/.test(path)
        reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
        // The page of another line shows the pictures of the first content from this one.
        if (/\.(svg|png|webp)$/.test(path))
          reply.header('cross-origin-resource-policy', 'cross-origin')
      },
    })
  }

  fastify.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const app = built.find(({ prefix }) => `${path.toLowerCase()}/`.startsWith(prefix))
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isScreen = !NOT_A_SCREEN.test(path) && !IS_A_FILE.test(path)
    if (app && isRead && (isScreen || path === `${app.prefix}index.html`)) {
      if (app.stylesByNonce) return sendWithNonce(reply, app.page.html)
      const preloads = app.preloads.get(path.toLowerCase().replace(/\/+$/, ''))
      if (preloads) reply.header('link', preloads)
      variesByEncoding(reply)
      reply.header('cache-control', 'no-cache').type(PAGE_TYPE)
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
        return reply.send(app.page.html)
      return reply.header('content-encoding', 'gzip').send(app.page.gzipped)
    }
    return reply.send(new Refused(refuse('not_found')))
  })
}

/**
 * Sends an app's page with a nonce that its style sheets carry. Scripts still may only be files of our origin. The
 * page is not cached, because the nonce of a cached page would be invalid.
 */
function sendWithNonce(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  return reply
    .header('content-security-policy', policy.replace("style-src 'self'", `$& 'nonce-${nonce}'`))
    .header('cache-control', 'no-store')
    .type(PAGE_TYPE)
    .send(page.replaceAll(NONCE_PLACE, nonce))
}

function pageOf({ folder, preview }: BuiltApp, publicUrl: string | null) {
  const built = readFileSync(join(folder, 'index.html'), 'utf8')
  const html =
    preview && publicUrl
      ? built.replace('</head>', `<meta property="og:image" content="${publicUrl}${preview}" />$&`)
      : built
  return { html, gzipped: gzipSync(html) }
}

/** The `Link` header of each screen's page, by its path in small letters. The build writes it. */
function preloadsOf({ folder }: BuiltApp): ReadonlyMap<string, string> {
  const file = join(folder, 'preloads.json')
  if (!existsSync(file)) return new Map()
  return new Map(Object.entries<string>(JSON.parse(readFileSync(file, 'utf8'))))
}
