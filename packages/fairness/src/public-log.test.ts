import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HAS_PYTHON, runPython } from '../testing/python.ts'
import vectors from '../testing/vectors/log-vectors.json' with { type: 'json' }
import { fromHex, toBase64, toHex } from './hex.ts'
import {
  formatBundle,
  logProofs,
  readBundle,
  readTilePath,
  type Tile,
  tileOf,
  tilePath,
} from './log-tiles.ts'
import { EMPTY_ROOT, hashLeaf, isConsistent, rootOfInclusion, rootOfLeaves } from './merkle-tree.ts'
import {
  checkpointText,
  cosign,
  formatNote,
  formatSignature,
  formatVerifierKey,
  openCheckpoint,
  readCheckpoint,
  readNote,
  readVerifierKey,
  type SigningKey,
  signaturesOf,
  signingKey,
  signNote,
} from './signed-note.ts'
import {
  formatAddCheckpoint,
  judgeCheckpoint,
  readAddCheckpoint,
  readCosignatures,
  type Witnessed,
} from './witness-protocol.ts'

const entries = Array.from({ length: vectors.entries }, (_, at) =>
  utf8ToBytes(vectors.entry.replace('<at>', String(at))),
)
const hashes = entries.map(hashLeaf)
const log = signingKey('log.example/sum28', 'log', fromHex(vectors.log_seed, 32))
const witness = signingKey('witness.example/w1', 'witness', fromHex(vectors.witness_seed, 32))
const other = signingKey('witness.example/w2', 'witness', fromHex('cd'.repeat(32), 32))

/** A note with this text, and no other signature. */
const signedBy = (key: SigningKey, text: string) =>
  formatNote({ text, signatures: [signNote(text, key)] })

/** The tile of a log of these leaves: the roots of its full subtrees of 256^level leaves. */
function tileFrom(leafHashes: readonly Uint8Array[], { level, index, width }: Tile) {
  const each = 256 ** Number(level)
  return Array.from({ length: width }, (_, at) => {
    const first = (index * 256 + at) * each
    return rootOfLeaves(leafHashes.slice(first, first + each))
  })
}

function proofsOf(size: number, leafHashes: readonly Uint8Array[] = hashes) {
  return logProofs(size, async (tile) => tileFrom(leafHashes, tile))
}

describe('the proofs of the public log', () => {
  it.each(Object.entries(vectors.roots))(
    'have the root that Python computes for %s',
    async (size, root) => {
      expect(toBase64(await proofsOf(Number(size)).root())).toBe(root)
      expect(toBase64(await proofsOf(600).root(Number(size)))).toBe(root)
      expect(toBase64(rootOfLeaves(hashes.slice(0, Number(size))))).toBe(root)
    },
  )

  it('are those that Python computes', async () => {
    for (const { size, index, path } of vectors.inclusion) {
      expect((await proofsOf(size).inclusion(index)).map(toBase64)).toEqual(path)
    }
    for (const { old, size, proof } of vectors.consistency) {
      expect((await proofsOf(size).consistency(old)).map(toBase64)).toEqual(proof)
    }
  })

  it('hold for any size and place, and for no other', async () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 600 }), fc.nat(), fc.nat())
    await fc.assert(
      fc.asyncProperty(sizes, async ([size, n, m]) => {
        const [index, oldSize] = [n % size, m % (size + 1)]
        const [leafHash = log.publicKey, root, path] = [
          hashes[index],
          rootOfLeaves(hashes.slice(0, size)),
          await proofsOf(size).inclusion(index),
        ]
        const claim = { leafHash, index, size, path }
        expect(rootOfInclusion(claim)).toEqual(root)
        for (const wrong of [
          { index: index + 1 },
          { leafHash: log.publicKey },
          { path: [...path, root] },
          { path: [root, ...path.slice(1)] },
        ]) {
          expect(rootOfInclusion({ ...claim, ...wrong })).not.toEqual(root)
        }
        const growth = {
          oldSize,
          oldRoot: rootOfLeaves(hashes.slice(0, oldSize)),
          newSize: size,
          newRoot: root,
          proof: await proofsOf(size).consistency(oldSize),
        }
        expect(isConsistent(growth)).toBe(true)
        const forked = rootOfLeaves([log.publicKey, ...hashes.slice(1, size)])
        for (const wrong of [
          { proof: [...growth.proof, root] },
          { oldRoot: forked },
          ...(oldSize > 0 ? [{ newRoot: forked }, { oldSize: oldSize - 1 }] : []),
          ...(growth.proof.length > 0 ? [{ proof: growth.proof.slice(1) }] : []),
          { oldSize: size + 1 },
          { newSize: Number.NaN },
        ]) {
          expect(isConsistent({ ...growth, ...wrong })).toBe(false)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('of any entries and sizes read and hash each tile once, if they share its tree', async () => {
    const trees = new Map()
    const asked: string[] = []
    const shared = (size: number) =>
      logProofs(
        size,
        async (tile) => {
          asked.push(tilePath(tile))
          return tileFrom(hashes, tile)
        },
        trees,
      )
    const alone = proofsOf(600)
    for (const index of Array.from({ length: 100 }, (_, at) => at)) {
      expect(await shared(600).inclusion(index)).toEqual(await alone.inclusion(index))
    }
    expect(await shared(512).root()).toEqual(await alone.root(512))
    expect(asked.toSorted()).toEqual([...['tile/0/000', 'tile/0/002.p/88', 'tile/1/000.p/2']])
  })

  it('are computed over three levels of tiles', async () => {
    const size = 66_000
    const many = Array.from({ length: size }, (_, at) => sha256(utf8ToBytes(String(at))))
    const root = rootOfLeaves(many)
    for (const index of [0, 65_535, 65_536, size - 1]) {
      const path = await proofsOf(size, many).inclusion(index)
      const leafHash = many[index] ?? root
      expect(rootOfInclusion({ leafHash, index, size, path })).toEqual(root)
    }
    const proof = await proofsOf(size, many).consistency(65_537)
    const oldRoot = rootOfLeaves(many.slice(0, 65_537))
    expect(isConsistent({ oldSize: 65_537, oldRoot, newSize: size, newRoot: root, proof })).toBe(
      true,
    )
    await expect(proofsOf(size, many).inclusion(size)).rejects.toThrow(RangeError)
  })
})

describe('the files of the public log', () => {
  it('are those that Python writes', () => {
    const named = Object.entries(vectors.files).map(([path, hash]) => {
      const tile = readTilePath(path)
      if (!tile) throw new Error(path)
      const { level, index, width } = tile
      expect(tileOf(vectors.entries, level, index)).toEqual(tile)
      const bytes =
        level === 'entries'
          ? formatBundle(entries.slice(index * 256, index * 256 + width))
          : Uint8Array.from(tileFrom(hashes, tile).flatMap((each) => [...each]))
      expect(toHex(sha256(bytes))).toBe(hash)
      return tile
    })
    expect(named).toHaveLength(7)
    expect(tileOf(600, 0, 3)).toBeNull()
    expect(tileOf(600, 2, 0)).toBeNull()
    expect(tileOf(256, 1, 0)).toEqual({ level: 1, index: 0, width: 1 })
  })

  it('have one path each', () => {
    for (const [level, index, width, path] of vectors.paths) {
      const tile = { level, index, width } as Tile
      expect(tilePath(tile)).toBe(path)
      expect(readTilePath(String(path))).toEqual(tile)
    }
    for (const path of [
      ...['tile/0/0', 'tile/00/000', 'tile/64/000', 'tile/0/000.p/0', 'tile/0/000.p/256'],
      ...[
        'tile/0/x000/001',
        'tile/0/000.p/01',
        'tile/0/../000',
        'tile/entries/000/',
        'tile/0/001000',
      ],
    ]) {
      expect(readTilePath(path), path).toBeNull()
    }
  })

  it('are refused when they are cut or too long', () => {
    const bundle = formatBundle(entries.slice(0, 3))
    expect(readBundle(bundle)).toEqual(entries.slice(0, 3))
    expect(readBundle(bundle.slice(0, -1))).toBeNull()
    expect(readBundle(Uint8Array.of(...bundle, 0))).toBeNull()
    expect(readBundle(bundle, 1)).toEqual(entries.slice(0, 2))
    expect(readBundle(bundle, 3)).toEqual(entries.slice(0, 3))
    expect(() => formatBundle([new Uint8Array(65_536)])).toThrow(RangeError)
  })
})

// The example of c2sp.org/signed-note.
const EXAMPLE_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const EXAMPLE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`

describe('a signed note', () => {
  it('is the specification’s example', () => {
    const key = readVerifierKey(EXAMPLE_KEY)
    const note = readNote(EXAMPLE)
    if (!key || !note) throw new Error('the example is not read')
    expect(note.text).toBe('This is an example message.\n')
    expect(signaturesOf(note, [key])).toEqual([{ key, time: null, signature: note.signatures[0] }])
    expect(formatNote(note)).toBe(EXAMPLE)
    expect(formatVerifierKey(key)).toBe(EXAMPLE_KEY)
    const forged = { ...note, text: 'This is an example message!\n' }
    expect(signaturesOf(forged, [key])).toBeNull()
    expect(signaturesOf(forged, [log])).toEqual([])
  })

  it('is judged by its text, its key and its signature, whichever of them was judged before', () => {
    const text = checkpointText({ origin: log.name, size: 0, root: EMPTY_ROOT })
    const signature = signNote(text, log)
    const isTrue = (changed: object = {}, key = log) =>
      signaturesOf({ text, signatures: [signature], ...changed }, [key]) !== null
    const bytes = signature.bytes.with(0, (signature.bytes[0] ?? 0) ^ 1)
    for (let time = 0; time < 2; time += 1) {
      expect(isTrue()).toBe(true)
      expect(isTrue({ text: `${text}x\n` })).toBe(false)
      expect(isTrue({}, { ...log, publicKey: other.publicKey })).toBe(false)
      expect(isTrue({ signatures: [{ ...signature, bytes }] })).toBe(false)
    }
  })

  it('and its cosignature are byte for byte those of Python', () => {
    for (const { text, note, log: logKey, witness: witnessKey } of vectors.notes) {
      const { size } = readCheckpoint(text) ?? { size: -1 }
      const signatures = [signNote(text, log), cosign(text, witness, 1_796_000_000 + size)]
      expect(formatNote({ text, signatures })).toBe(note)
      expect([log, witness].map(formatVerifierKey)).toEqual([logKey, witnessKey])
      const keys = [logKey, witnessKey].map(readVerifierKey)
      const opened = openCheckpoint(note, { log: keys[0] ?? log, witnesses: [keys[1] ?? other] })
      expect(opened).toMatchObject({ size, text, origin: log.name })
      expect(opened?.cosigned).toEqual(new Map([[witnessKey, 1_796_000_000 + size]]))
    }
  })

  it.each([
    ['without a newline at its end', EXAMPLE.slice(0, -1)],
    ['without signatures', 'a text\n\n'],
    ['without a text', '— a AAAAAAA=\n'],
    ['with a control character', EXAMPLE.replace('example m', 'example\tm')],
    ['with another dash', EXAMPLE.replace('—', '-')],
    ['with base64 that is not padded', EXAMPLE.replace('QM=', 'QM')],
    ['with base64 of another last character', EXAMPLE.replace('QM=', 'QN=')],
    ['with a key’s name that has a plus sign', EXAMPLE.replace('com/foo', 'com/f+o')],
    ['that is too long', `${'x'.repeat(70_000)}${EXAMPLE}`],
  ])('%s is none', (_, note) => {
    expect(readNote(note)).toBeNull()
  })

  it.each([
    EXAMPLE_KEY.replace('530d903a', '530d903b'),
    EXAMPLE_KEY.replace('Aeky', 'Ceky'),
    EXAMPLE_KEY.slice(0, -4),
    'example.com/foo',
    '',
  ])('has no key %s', (key) => {
    expect(readVerifierKey(key)).toBeNull()
  })
})

const five = vectors.notes[4]
const note = five?.note ?? ''

describe('a checkpoint', () => {
  it('is refused when the log did not sign it, or a known signature is false', () => {
    const keys = { log, witnesses: [witness] }
    expect(openCheckpoint(note, keys)).not.toBeNull()
    const [text = '', lines = ''] = note.split('\n\n')
    const [ofLog = '', ofWitness = ''] = lines.split('\n')
    expect(openCheckpoint(`${text}\n\n${ofWitness}\n`, keys)).toBeNull()
    expect(openCheckpoint(note.replace(`\n${text.split('\n')[1]}\n`, '\n6\n'), keys)).toBeNull()
    const late = formatNote({ text: `${text}\n`, signatures: [cosign(`${text}x\n`, witness, 9)] })
    expect(openCheckpoint(`${text}\n\n${ofLog}\n${late.split('\n\n')[1]}`, keys)).toBeNull()
    expect(openCheckpoint(note, { log: { ...log, name: 'other' }, witnesses: [] })).toBeNull()
    expect(openCheckpoint(note, { log, witnesses: [other] })?.cosigned.size).toBe(0)
  })

  it.each([
    ['size', '05'],
    ['size', '-1'],
    ['size', '9007199254740993'],
    ['size', ''],
    ['root', 'AAAA'],
  ])('has no %s %s', (part, value) => {
    const [origin, size, root] = (five?.text ?? '').split('\n')
    const lines = part === 'size' ? [origin, value, root] : [origin, size, value]
    expect(readCheckpoint(`${lines.join('\n')}\n`)).toBeNull()
  })

  it('of no entries has the root of none', () => {
    const text = checkpointText({ origin: log.name, size: 0, root: log.publicKey })
    const signed = signedBy(log, text)
    expect(openCheckpoint(signed, { log, witnesses: [] })).toBeNull()
  })
})

describe('a witness', () => {
  const root = (size: number) => rootOfLeaves(hashes.slice(0, size))
  function noteOf(size: number, { by = log, of = root(size) } = {}) {
    const text = checkpointText({ origin: log.name, size, root: of })
    return signedBy(by, text)
  }
  async function request(oldSize: number, size: number) {
    return formatAddCheckpoint({
      oldSize,
      note: noteOf(size),
      proof: await proofsOf(size).consistency(oldSize),
    })
  }
  const judge = (body: string, latest: Witnessed | null = null) =>
    judgeCheckpoint(body, (origin) => (origin === log.name ? { keys: [log], latest } : null))

  it('signs any growth of the log, and nothing else', async () => {
    const sizes = fc.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 600 }))
    await fc.assert(
      fc.asyncProperty(sizes, async ([a, b]) => {
        const [oldSize, size] = [Math.min(a, b), Math.max(a, b)]
        const latest = { size: oldSize, root: root(oldSize) }
        const body = await request(oldSize, size)
        expect(readAddCheckpoint(body)?.oldSize).toBe(oldSize)
        expect(judge(body, latest)).toMatchObject({ status: 200, checkpoint: { size } })
        const fork = { size: oldSize, root: oldSize === 0 ? root(0) : sha256(root(oldSize)) }
        if (oldSize > 0) expect(judge(body, fork)).toMatchObject({ status: 422 })
        const ahead = { size: size + 1, root: root(1) }
        expect(judge(body, ahead)).toMatchObject({ status: 409, size: size + 1 })
      }),
      { numRuns: 40 },
    )
  })

  it.each<[string, () => Promise<string> | string, number]>([
    ['a text that is no request', () => 'hello', 400],
    ['an old size with zeroes', async () => (await request(5, 8)).replace('old 5', 'old 05'), 400],
    [
      'a log that has become shorter',
      () => formatAddCheckpoint({ oldSize: 5, proof: [], note: noteOf(3) }),
      400,
    ],
    [
      '64 hashes',
      () => formatAddCheckpoint({ oldSize: 5, proof: Array(64).fill(root(1)), note: noteOf(8) }),
      400,
    ],
    ['a log that it does not know', async () => (await request(5, 8)).replace(log.name, 'x'), 404],
    [
      'another key',
      () => formatAddCheckpoint({ oldSize: 5, proof: [], note: noteOf(8, { by: other }) }),
      403,
    ],
    ['a text that was changed', async () => (await request(5, 8)).replace('\n8\n', '\n9\n'), 403],
    ['another size than the last', () => request(4, 8), 409],
    ['no proof', () => formatAddCheckpoint({ oldSize: 5, proof: [], note: noteOf(8) }), 422],
    [
      'a second log of one size',
      () => formatAddCheckpoint({ oldSize: 5, proof: [], note: noteOf(5, { of: root(4) }) }),
      422,
    ],
  ])('refuses %s', async (_, body, status) => {
    expect(judge(await body(), { size: 5, root: root(5) })).toMatchObject({ status })
  })

  it('refuses a proof where it knows nothing yet, and an empty log of another root', () => {
    const proof = [root(1)]
    expect(judge(formatAddCheckpoint({ oldSize: 0, proof, note: noteOf(8) }))).toMatchObject({
      status: 422,
    })
    const empty = noteOf(0, { of: root(1) })
    expect(judge(formatAddCheckpoint({ oldSize: 0, proof: [], note: empty }))).toMatchObject({
      status: 422,
    })
  })

  it('is believed by its own key alone', () => {
    const text = checkpointText({ origin: log.name, size: 5, root: root(5) })
    const line = (key: typeof witness, of = text) =>
      formatNote({ text, signatures: [cosign(of, key, 1_800_000_000)] }).split('\n\n')[1] ?? ''
    const own = { text, witnesses: [witness] }
    expect(readCosignatures(line(witness) + line(other), own)).toHaveLength(1)
    expect(readCosignatures(line(witness).repeat(64), own)).toHaveLength(1)
    expect(readCosignatures(line(witness, `${text}x\n`), own)).toEqual([])
    expect(readCosignatures('<html>no</html>', own)).toEqual([])
    // Each line costs time: of a key no more than four are read.
    const false_ = line(witness, `${text}x\n`)
    expect(readCosignatures(false_.repeat(3) + line(witness), own)).toHaveLength(1)
    expect(readCosignatures(false_.repeat(4) + line(witness), own)).toEqual([])
  })
})

const SECOND_READER = `
import json, sys
from log import checkpoint, open_note, read_entries, read_vkey, tiles
given = json.load(sys.stdin)
keys = [read_vkey(key) for key in given["keys"]]
text, signed = open_note(given["note"], keys)
refused = 0
for note in given["forged"]:
    try:
        checkpoint(open_note(note, keys)[0])
    except ValueError:
        refused += 1
print(json.dumps([checkpoint(text)[1], {key[0]: at for key, at in signed.items()}, refused]))
`

/** A cosignature whose time is no safe integer. */
function signedTooLate(text: string) {
  const time = 2n ** 53n
  const stamp = fromHex(time.toString(16).padStart(16, '0'), 8)
  const message = utf8ToBytes(`cosignature/v1\ntime ${time}\n${text}`)
  return { ...witness, bytes: Uint8Array.of(...stamp, ...ed25519.sign(message, witness.seed)) }
}

const VECTORS = "import runpy; runpy.run_path('../testing/make-log-vectors.py')"

describe('the second verifier, in Python', () => {
  it.skipIf(!HAS_PYTHON)('still computes the vectors', () => {
    expect(runPython(VECTORS, null)).toEqual(vectors)
  })

  it.skipIf(!HAS_PYTHON)('opens what was signed here, and refuses what was forged', () => {
    const text = five?.text ?? ''
    const size = readCheckpoint(text)?.size
    const time = 1_796_000_000 + (size ?? 0)
    const signedAt = (...times: number[]) =>
      formatNote({
        text,
        signatures: [signNote(text, log), ...times.map((at) => cosign(text, witness, at))],
      })
    // Of two cosignatures of one witness the first counts, wherever it stands.
    const own = signedAt(time + 1, time, time + 2)
    const signed = (changed: string) => signedBy(log, changed)
    const forged = [
      note.replace('\n5\n', '\n6\n'),
      note.replace('— log', '— lug').replace('— wit', '— wet'),
      formatNote({ text, signatures: [signNote(text, log), signedTooLate(text)] }),
      ...['+5', '05', '5_0', '9007199254740993'].map((digits) =>
        signed(text.replace('\n5\n', `\n${digits}\n`)),
      ),
      signed(`${text}\nmore\n`),
      signed(text.replace(/=\n$/, '\n')),
      note.replace('— wit', '— \u00a0wit'),
      note.replace('AQ==\n', 'AR==\n'),
      signed(text.replace('log.example', 'log\texample')),
    ]
    for (const each of forged) {
      expect(openCheckpoint(each, { log, witnesses: [witness] }), each).toBeNull()
    }
    expect(
      openCheckpoint(own, { log, witnesses: [witness] })?.cosigned.get(formatVerifierKey(witness)),
    ).toBe(time)
    const keys = [log, witness].map(formatVerifierKey)
    // A fifth line of a key is read no more, whether it is false or earlier than the others.
    const [first, second, third, fourth] = [time, time + 1, time + 2, time + 3]
    const falseLine = { ...cosign(`${text}x\n`, witness, time) }
    const fifth = [
      signedAt(second, third, fourth, time + 4, first),
      signedAt(first, second, third, fourth) + formatSignature(falseLine),
    ]
    forged.push(signedAt(first, second, third) + formatSignature(falseLine))
    for (const [of, at] of [
      [own, time],
      [fifth[0], second],
      [fifth[1], first],
    ] as const) {
      const opened = openCheckpoint(of ?? '', { log, witnesses: [witness] })
      expect(opened?.cosigned.get(formatVerifierKey(witness))).toBe(at)
      expect(runPython(SECOND_READER, { note: of, keys, forged })).toEqual([
        size,
        { [log.name]: null, [witness.name]: at },
        forged.length,
      ])
    }
    expect(openCheckpoint(forged.at(-1) ?? '', { log, witnesses: [witness] })).toBeNull()
  })
})
