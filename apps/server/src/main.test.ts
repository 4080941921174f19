import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tryAddress } from '#src/process/listening.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { runProduct } from '#testing/product/started-server.ts'

// A name that no server of names can know; an address that needs an interface; one of another machine.
it.each(['no..name', 'fe80::1', '192.0.2.1'])('a server cannot listen on %s', async (host) => {
  const sentence = /^The server cannot listen on \S+:0 \(E\w+\): set HOST and PORT\.$/
  await expect(tryAddress({ host, port: 0 })).rejects.toThrow(sentence)
})

it('the product says at once that its port is in use, and makes no database', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise((listens) => other.once('listening', listens))
  const { port } = other.address() as AddressInfo
  const folder = temporaryFolder()
  expect(runProduct(folder, { PORT: `${port}` })).toEqual({
    status: 1,
    told: `The port of 127.0.0.1:${port} is in use: stop what uses it, or set PORT to another.`,
  })
  expect(existsSync(join(folder, 'postgres'))).toBe(false)
})
