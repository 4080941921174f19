import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { logProofs } from '../src/log-tiles.ts'
import { hashLeaf, rootOfLeaves } from '../src/merkle-tree.ts'
import {
  checkpointText,
  formatNote,
  formatSignature,
  formatVerifierKey,
  openCheckpoint,
  readVerifierKey,
  signingKey,
  signNote,
} from '../src/signed-note.ts'
import {
  formatAddCheckpoint,
  LONGEST_REQUEST,
  readAddCheckpoint,
  readCosignatures,
} from '../src/witness-protocol.ts'
import { networkOfStranger, readWitnessOptions, serveWitness } from './run-witness.ts'
import { hashOf, openWitness, type Witness } from './witness.ts'

// So that a test can see when a file is forced to the disk, or let that fail.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return { ...fs, fsyncSync: vi.fn(fs.fsyncSync) }
})

const command = fileURLToPath(new URL('./run-witness.ts', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'sum28-witness-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

const log = signingKey('log.example/sum28', 'log', new Uint8Array(32).fill(1))
const nextLog = signingKey(log.name, 'log', new Uint8Array(32).fill(2))
const NOW = 1_800_000_000_000

function openIn(folder: string, logs = [log]): Witness {
  return openWitness({ name: 'w.example/1', folder: join(root, folder), logs, now: () => NOW })
}

/** A log's leaves; those of another history differ from the 3rd on. */
function leavesOf(size: number, history = 'one') {
  return Array.from({ length: size }, (_, at) =>
    hashLeaf(Buffer.from(at < 2 ? `entry ${at}` : `${history} ${at}`)),
  )
}

async function request(
  oldSize: number,
  size: number,
  history = 'one',
  signers = [log],
): Promise<string> {
  const leaves = leavesOf(size, history)
  const text = checkpointText({ origin: log.name, size, root: rootOfLeaves(leaves) })
  const proofs = logProofs(size, async ({ width }) => leaves.slice(0, width))
  return formatAddCheckpoint({
    oldSize,
    proof: await proofs.consistency(oldSize),
    note: formatNote({ text, signatures: signers.map((key) => signNote(text, key)) }),
  })
}

/** The signed checkpoint of a request. */
function noteIn(body: string): string {
  return readAddCheckpoint(body)?.note ?? ''
}

/** What a witness keeps of checkpoints that it has refused, in the order of the texts. */
function refusedIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.startsWith(`${hashOf(log.name)}-refused`))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .toSorted()
}

it.skipIf(process.getuid?.() !== 0)(
  'leaves nothing of root in the folder of an ordinary user',
  async () => {
    const folder = join(root, 'of-a-user')
    mkdirSync(folder)
    chownSync(folder, 65_534, 65_533)
    expect(openIn('of-a-user').addCheckpoint(await request(0, 3)).status).toBe(200)
    const owners = readdirSync(folder).map((file) => {
      const { uid, gid } = statSync(join(folder, file))
      return { uid, gid }
    })
    expect(owners).toEqual(Array(2).fill({ uid: 65_534, gid: 65_533 }))
  },
)

describe('a witness', () => {
  it('signs a log as it grows, with its own time, and shows what it signed last', async () => {
    const witness = openIn('grows')
    for (const [oldSize, size] of [
      [0, 3],
      [3, 3],
      [3, 8],
    ] as const) {
      const answer = witness.addCheckpoint(await request(oldSize, size))
      expect(answer).toMatchObject({ status: 200 })
      const note = witness.latestNote(hashOf(log.name)) ?? ''
      const opened = openCheckpoint(note, { log, witnesses: [witness.key] })
      const cosigned = new Map([[formatVerifierKey(witness.key), NOW / 1_000]])
      expect(opened).toMatchObject({ size, cosigned })
      const { text = '' } = opened ?? {}
      expect(readCosignatures(answer.body, { text, witnesses: [witness.key] })).toHaveLength(1)
    }
    expect(witness.latestNote(hashOf('other'))).toBeNull()
  })

  it('refuses a shorter log, and tells the size that it knows', async () => {
    const witness = openIn('shorter')
    witness.addCheckpoint(await request(0, 8))
    for (const [oldSize, size] of [
      [0, 3],
      [3, 5],
      [0, 8],
    ] as const) {
      const answer = witness.addCheckpoint(await request(oldSize, size))
      expect(answer).toEqual({ status: 409, type: 'text/x.tlog.size', body: '8\n' })
    }
  })

  it('refuses a second history, also of the same size, and keeps the signed proof of it', async () => {
    const witness = openIn('forked')
    witness.addCheckpoint(await request(0, 5))
    const signed = witness.latestNote(hashOf(log.name)) ?? ''
    const kept: string[] = []
    for (const size of [5, 8]) {
      const body = await request(5, size, 'two')
      expect(witness.addCheckpoint(body).status).toBe(422)
      kept.push(`${noteIn(body)}\nSigned here before it:\n${signed}`)
      expect(refusedIn('forked')).toEqual(kept.toSorted())
    }
    expect(witness.addCheckpoint(await request(5, 8)).status).toBe(200)
    expect(refusedIn('forked')).toEqual(kept.toSorted())
  })

  it('keeps the proof of a second history whatever is sent later', async () => {
    const witness = openIn('flooded')
    witness.addCheckpoint(await request(0, 5))
    const forked = await request(5, 8, 'two')
    witness.addCheckpoint(forked)
    const [proof = ''] = refusedIn('flooded')
    expect(proof).toContain(noteIn(forked))
    // What the log's key has signed, with proofs that anybody can make up.
    const garbage = `old 5\n${Buffer.alloc(32).toString('base64')}\n\n`
    for (const body of [await request(5, 5), await request(5, 8), forked]) {
      expect(witness.addCheckpoint(garbage + noteIn(body)).status).toBe(422)
      expect(refusedIn('flooded')).toContain(proof)
    }
    // The state that was signed before is none that was refused.
    expect(refusedIn('flooded')).toHaveLength(2)
    expect(witness.addCheckpoint(await request(5, 8)).status).toBe(200)
    expect(refusedIn('flooded')).toEqual([proof])
  })

  it('keeps of a refused request only what the log’s key has signed', async () => {
    const witness = openIn('long', [log, nextLog])
    witness.addCheckpoint(await request(0, 5, 'one', [nextLog]))
    const body = await request(5, 8, 'two', [nextLog])
    const false_ = formatSignature({ ...log, bytes: new Uint8Array(64) })
    const others = `${false_}\u2014 x.example ${'A'.repeat(60_000)}\n`
    expect(witness.addCheckpoint(body + others).status).toBe(422)
    expect(refusedIn('long')[0]?.startsWith(`${noteIn(body)}\nSigned here`)).toBe(true)
  })

  it('remembers after a restart, and keeps its key', async () => {
    const first = openIn('restarted')
    first.addCheckpoint(await request(0, 5))
    const second = openIn('restarted')
    expect(formatVerifierKey(second.key)).toBe(formatVerifierKey(first.key))
    expect(second.addCheckpoint(await request(5, 8, 'two')).status).toBe(422)
    expect(second.addCheckpoint(await request(5, 8)).status).toBe(200)
    // The first process on the same folder does not sign a second history either.
    expect(first.addCheckpoint(await request(5, 6, 'two'))).toMatchObject({
      status: 409,
      body: '8\n',
    })
    const files = readdirSync(join(root, 'restarted'))
    expect(files.filter((file) => file.startsWith(`${hashOf(log.name)}.`))).toHaveLength(1)
  })

  const unknown = `\u2014 x.example ${'A'.repeat(12)}\n`
  it.each<[string, (line: string) => string]>([
    ['63 lines of unknown keys', (line) => line + unknown.repeat(63)],
    ['63 copies of the log’s signature', (line) => line.repeat(64)],
    ['a line of 64 KiB', (line) => `${line}\u2014 x.example ${'A'.repeat(65_000)}\n`],
  ])(
    'keeps of a checkpoint with %s one signature of the log, and goes on',
    async (folder, lines) => {
      const witness = openIn(folder)
      const [head = '', line = ''] = (await request(0, 5)).split(/(?=\u2014)/)
      expect(witness.addCheckpoint(head + lines(line)).status).toBe(200)
      expect(witness.latestNote(hashOf(log.name))?.match(/^\u2014/gm)).toHaveLength(2)
      expect(witness.addCheckpoint(await request(5, 6)).status).toBe(200)
      expect(openIn(folder).addCheckpoint(await request(6, 8)).status).toBe(200)
    },
  )

  it.each([
    ['beside the earlier one', [nextLog, log]],
    ['alone', [nextLog]],
  ])(
    'takes nothing that an earlier key alone signs once a later one has signed %s',
    async (...row) => {
      const [how, signers] = row
      // Opened anew for each request: it remembers.
      const add = async (body: string) => openIn(how, [log, nextLog]).addCheckpoint(body)
      await add(await request(0, 3))
      expect(await add(await request(3, 5, 'one', signers))).toMatchObject({ status: 200 })
      expect(await add(await request(5, 8))).toMatchObject({
        status: 403,
        body: expect.stringContaining('one that a later key has followed'),
      })
      expect(await add(await request(5, 8, 'one', signers))).toMatchObject({ status: 200 })
    },
  )

  it('keeps the signature of an earlier key beside the later one, and no false line of it', async () => {
    const witness = openIn('both', [log, nextLog])
    const both = [nextLog, log]
    const signersKept = () =>
      both.map((key) => {
        const note = witness.latestNote(hashOf(log.name)) ?? ''
        return openCheckpoint(note, { log: key, witnesses: [witness.key] })?.size
      })
    for (const [oldSize, size] of [
      [0, 3],
      [3, 5],
      [5, 6],
    ] as const) {
      witness.addCheckpoint(await request(oldSize, size, 'one', both))
      expect(signersKept()).toEqual([size, size])
    }
    const false_ = formatSignature({ ...log, bytes: new Uint8Array(64) })
    const body = (await request(6, 8, 'one', [nextLog])) + false_
    expect(witness.addCheckpoint(body)).toMatchObject({ status: 200 })
    expect(signersKept()).toEqual([8, undefined])
  })

  it('signs nothing that is not forced to the disk before, the file as well as its name', async () => {
    const witness = openIn('forced')
    const kept = () => witness.latestNote(hashOf(log.name))
    const forced = vi.mocked(fsyncSync)
    forced.mockClear()
    expect(witness.addCheckpoint(await request(0, 3)).status).toBe(200)
    expect(forced).toHaveBeenCalledTimes(2)
    const toSign = await request(3, 5)
    const fail = () => {
      throw new Error('the disk is full')
    }
    forced.mockImplementationOnce(fail)
    expect(() => witness.addCheckpoint(toSign)).toThrow('the disk is full')
    expect(kept()).toContain(`${log.name}\n3\n`)
    const force = forced.getMockImplementation() ?? expect.fail()
    forced.mockImplementationOnce(force).mockImplementationOnce(fail)
    expect(() => witness.addCheckpoint(toSign)).toThrow('the disk is full')
    // It has its name now, so no other history is signed.
    expect(kept()).toContain(`${log.name}\n5\n`)
    expect(witness.addCheckpoint(await request(5, 8, 'two')).status).toBe(422)
  })

  it('does not start with a file that is not whole: it would sign a second history', async () => {
    openIn('broken').addCheckpoint(await request(0, 5))
    writeFileSync(join(root, 'broken', `${hashOf(log.name)}.7`), 'half')
    expect(() => openIn('broken')).toThrow('nothing is signed: restore it from a copy, or begin')
  })
})

/** A witness in a process of its own. @returns its address */
async function startProcess(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const args = ['--name', 'w.example/1', '--log', formatVerifierKey(log), '--port', '0']
  const child = spawn(process.execPath, [command, ...args, '--folder', join(root, folder)], {
    env: { ...process.env, INIT_CWD: root },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let told = ''
  for await (const part of child.stdout ?? []) {
    told += part
    const [, url] = /listens at (\S+)\/add-checkpoint/.exec(told) ?? []
    if (url) return { child, url }
  }
  throw new Error(`the witness did not start: ${told}`)
}

/** A witness in this process. @returns its address */
function serve(folder: string): { port: number; url: string } {
  const server = serveWitness(openIn(folder)).listen(0)
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}` }
}

function post(url: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return fetch(`${url}/add-checkpoint`, { method: 'POST', body })
}

describe('a witness over HTTP', () => {
  it('survives kill -9 at any moment: what it has signed once it never contradicts', async () => {
    let witness = await startProcess('killed')
    expect((await post(witness.url, await request(0, 3))).status).toBe(200)
    const outcomes = new Set<boolean>()
    let size = 3
    // It dies before it has the next one, while it signs it, or after: then it has signed it, or not.
    for (const wait of [0, 2, 6, 10_000]) {
      const dying = post(witness.url, await request(size, size + 2)).catch(() => null)
      if (wait > 0) await Promise.race([dying, setTimeout(wait, null, { ref: false })])
      witness.child.kill('SIGKILL')
      await once(witness.child, 'exit')
      const signed = (await dying)?.status === 200
      outcomes.add(signed)
      witness = await startProcess('killed')
      const { status } = await post(witness.url, await request(size, size + 2))
      expect(signed ? [409] : [200, 409]).toContain(status)
      size += 2
      const other = await request(size, size + 3, 'two')
      expect((await post(witness.url, other)).status).toBe(422)
    }
    expect(outcomes).toEqual(new Set([false, true]))
    expect((await post(witness.url, await request(size, size + 3))).status).toBe(200)
    const shown = await fetch(`${witness.url}/${hashOf(log.name)}/checkpoint`)
    expect(await shown.text()).toContain(`${log.name}\n${size + 3}\n`)
    expect((await fetch(witness.url)).status).toBe(200)
    expect(existsSync(join(root, 'killed', 'key'))).toBe(true)
  })

  it('prints its key before it has that of a log, which does not begin without it', async () => {
    const folder = join(root, 'key-alone')
    const args = [command, '--name', 'w.example/1', '--folder', folder]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    const [, printed] = /^witness (\S+)$/m.exec(stdout) ?? []
    expect({ status, type: readVerifierKey(printed ?? '')?.type }).toEqual({
      status: 0,
      type: 'witness',
    })
    const { url } = await startProcess('key-alone')
    expect(await (await fetch(url)).text()).toBe(`${printed}\n`)
  })

  it('signs one of many at once that ask for different histories', async () => {
    const { url } = serve('at-once')
    const bodies = await Promise.all(
      Array.from({ length: 12 }, (_, at) => request(0, 3 + (at % 4), `history ${at}`)),
    )
    const answers = await Promise.all(bodies.map((body) => post(url, body)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(11)
  })

  // Elsewhere a machine has no second address of its own.
  it.skipIf(process.platform !== 'linux')(
    'has a connection for its log, however many an address of a stranger opens',
    async () => {
      const { port, url } = serve('crowded')
      const strangers = Array.from({ length: 300 }, () =>
        connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }),
      )
      for (const stranger of strangers) stranger.on('error', () => {})
      await Promise.all(strangers.map((stranger) => once(stranger, 'connect')))
      const { status } = await post(url, await request(0, 3))
      expect(status).toBe(200)
      for (const stranger of strangers) stranger.destroy()
    },
  )

  it('keeps a connection for the next checkpoint, and for nothing else', async () => {
    const { url } = serve('kept')
    const sent = await post(url, await request(0, 3))
    expect([sent.status, sent.headers.get('connection')]).toEqual([200, 'keep-alive'])
    for (const path of ['/', `/${hashOf(log.name)}/checkpoint`, '/none']) {
      expect((await fetch(url + path)).headers.get('connection')).toBe('close')
    }
    const refused = await post(url, 'of a stranger')
    expect([refused.status, refused.headers.get('connection')]).toEqual([400, 'close'])
  })

  it.each<[string, string[], number]>([
    ['addresses of IPv4', ['192.0.2.1', '192.0.2.2'], 2],
    ['the same with IPv6', ['::ffff:192.0.2.1', '::ffff:192.0.2.2', '192.0.2.1'], 2],
    ['one customer’s networks', ['2001:db8:5:1::1', '2001:db8:5:2:1:2:3:4', '2001:db8:5::6'], 1],
    [
      'interfaces written without their zeros',
      ['2001:db8::a:b:c:d', '2001:db8::a1:b:c:d', '2001:db8::ffff:1'],
      1,
    ],
    ['customers', ['2001:db8:5::1', '2001:db8:6::1'], 2],
  ])('counts the connections of %s by network', (_, addresses, networks) => {
    expect(new Set(addresses.map(networkOfStranger)).size).toBe(networks)
  })

  it.each<[string, string, RequestInit, number]>([
    [
      'a body that is too long',
      '/add-checkpoint',
      { method: 'POST', body: 'x'.repeat(LONGEST_REQUEST + 1) },
      413,
    ],
    [
      'bytes that are not UTF-8',
      '/add-checkpoint',
      { method: 'POST', body: Uint8Array.of(0xff) },
      400,
    ],
    ['an empty body', '/add-checkpoint', { method: 'POST' }, 400],
    ['reading where checkpoints are sent', '/add-checkpoint', {}, 405],
    ['sending where they are read', '/', { method: 'POST' }, 405],
    ['a log that it does not know', `/${'ab'.repeat(32)}/checkpoint`, {}, 404],
    ['a path out of its folder', '/../key/checkpoint', {}, 404],
  ])('refuses %s', async (_, path, init, status) => {
    const { url } = serve('refuses')
    const answer = await fetch(url + path, init).catch(() => null)
    // The connection of a body that is too long may be closed before all of it was sent.
    if (answer || status !== 413) expect(answer?.status).toBe(status)
  })

  it.each([
    [['--log', formatVerifierKey(log)], '--name'],
    [['--name', 'a b', '--log', formatVerifierKey(log)], '--name'],
    [['--name', 'w', '--log', 'x'], 'is not the key of a log'],
    [['--name', 'w', '--log', formatVerifierKey(log), '--port', '70000'], '--port 70000'],
    [['--nonsense'], 'nonsense'],
  ])('says what is wrong with %j', (args, words) => {
    expect(readWitnessOptions(args)).toContain(words)
  })
})
