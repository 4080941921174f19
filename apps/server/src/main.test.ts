import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { runProduct } from '#testing/product/started-server.ts'

/** Starts the product, which fails; returns what it says, and whether it has made a database before. */
function failedStart(environment: Record<string, string>) {
  const folder = temporaryFolder()
  const run = runProduct(folder, { PORT: '0', ...environment })
  return { ...run, database: existsSync(join(folder, 'postgres')) }
}

// A name that no server of names can know; an address that needs an interface; one of another machine.
it.each(['no..name', 'fe80::1', '192.0.2.1'])(
  'says at once that it cannot listen on %s',
  (HOST) => {
    const sentence = /^The server cannot listen on \S+:0 \(E\w+\): set HOST and PORT\.$/
    const told = expect.stringMatching(sentence)
    expect(failedStart({ HOST })).toEqual({ status: 1, told, database: false })
  },
)

it('says at once that its port is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise((listens) => other.once('listening', listens))
  const { port } = other.address() as AddressInfo
  expect(failedStart({ PORT: `${port}` })).toEqual({
    status: 1,
    told: `The port of 127.0.0.1:${port} is in use: stop what uses it, or set PORT to another.`,
    database: false,
  })
})
