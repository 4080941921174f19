/** Paths as clients may spell them. */
import { request } from 'node:http'

type Reply = { status: number; kept: string | undefined; to: string | undefined; body: string }

/** Sends the path as it is written here: `fetch` would change it, and would name the host itself. */
export function ask(
  server: string,
  method: 'GET' | 'POST',
  path: string,
  host: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json', 'content-length': 2 }
    const sent = request(
      { host: '127.0.0.1', port: new URL(server).port, method, path, headers },
      (answer) => {
        let body = ''
        answer.on('data', (chunk) => {
          body += chunk
        })
        answer.on('end', () => {
          const { 'cache-control': kept, location: to } = answer.headers
          resolve({ status: answer.statusCode ?? 0, kept, to, body })
        })
      },
    )
    sent.on('error', reject)
    sent.end('{}')
  })
}

/** The spellings of a path that the router takes for the same one. */
export const spellings = (path: string, encoded: string, name: string) => [
  [`${name} as it is written`, path],
  [`${name} with an encoded letter`, encoded],
  [`${name} with all of it encoded`, `/${[...path.slice(1)].map(hex).join('')}`],
  [`${name} in capital letters`, path.toUpperCase()],
  [`${name} in capital letters, one of them encoded`, encoded.toUpperCase()],
  [`${name} with a slash at its end`, `${encoded}/`],
  [`${name} with a query`, `${encoded}?lang=en`],
  [`${name} with a fragment`, `${encoded}#part`],
  [`${name} after another host’s name`, `http://other.example${encoded}`],
]

/** Slashes stay: an encoded one is no part of a path. */
const hex = (letter: string) =>
  letter === '/' ? letter : `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`
