/** Addresses that strangers choose, and names, looked up at a name server of the test. */
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { isPublicAddress, NotPublic, publicLookup } from './public-request.ts'

/** Answers questions for addresses of IPv4 (RFC 1035), for a name without an entry with nothing at all. */
async function nameServer(addresses: Record<string, string[]>): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port }) => {
    const labels: string[] = []
    let at = 12
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const found = addresses[labels.join('.')]
    if (!found) return
    const given = question.readUInt16BE(at + 1) === 1 ? found : []
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(given.length, 6)
    // Nothing besides: a question may have a record that says how long an answer may be.
    head.writeUInt32BE(0, 8)
    const records = given.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...records]), port, '127.0.0.1')
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

function answerOf(name: string, server: string) {
  return new Promise<unknown>((resolve) =>
    publicLookup(server)(name, { all: true }, (error, found) => resolve(error ?? found)),
  )
}

it('no address in a network of a special purpose is public', () => {
  for (const address of [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1'],
    ...['172.31.0.1', '192.168.1.1', '224.0.0.1', '255.255.255.255', '::', '::1'],
    ...['::ffff:127.0.0.1', '64:ff9b::7f00:1', '2001:db8::1', '2002:7f00:1::', 'fd00::1'],
    ...['fe80::1', 'ff02::1'],
  ])
    expect(isPublicAddress(address), address).toBe(false)
  for (const address of ['8.8.8.8', '172.32.0.1', '2a00:1450:4001:80b::200a'])
    expect(isPublicAddress(address), address).toBe(true)
})

it('a name is looked up only if all that it leads to is public', async () => {
  const server = await nameServer({
    'public.test': ['1.1.1.1', '8.8.8.8'],
    'private.test': ['10.0.0.1'],
    'both.test': ['1.1.1.1', '127.0.0.1'],
    'nothing.test': [],
  })
  expect(await answerOf('public.test', server)).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '8.8.8.8', family: 4 },
  ])
  for (const name of ['private.test', 'both.test'])
    expect(await answerOf(name, server)).toBeInstanceOf(NotPublic)
  expect(await answerOf('nothing.test', server)).toMatchObject({ code: 'ENODATA' })
})

it('names whose server is silent keep no other name from being looked up', async () => {
  const server = await nameServer({})
  const order: string[] = []
  const silent = Array.from({ length: 20 }, async (_, at) => {
    expect(await answerOf(`silent${at}.test`, server)).toMatchObject({ code: 'ETIMEOUT' })
    order.push('silent')
  })
  await lookup('localhost')
  order.push('ours')
  await Promise.all(silent)
  expect(order[0]).toBe('ours')
})
