/** Turns an untrusted picture into one of ours: of one size, small, without any other content. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { PictureShape } from './encode-picture.ts'

const PROCESS = fileURLToPath(new URL('./picture-process.ts', import.meta.url))

/** What the process may read: its program and its packages, and neither `.env` nor the data. */
const READABLE = ['../..', '../../../package.json', '../../../../../node_modules'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

/** What one picture may take. */
type Limits = {
  /** Milliseconds until the process is ended, on a busy machine. */
  decodeMs: number
  /** Milliseconds of computing time, which the process checks itself; a large picture takes two seconds. */
  computingMs: number
  /** Which the process checks itself; a picture of 40 megapixels takes some 250 MB. */
  memoryBytes: number
}

const LIMITS: Limits = {
  decodeMs: 30_000,
  computingMs: 8_000,
  memoryBytes: 768 * 1024 * 1024,
}

/** How long the idle process waits for the next picture. */
const IDLE_MS = 30_000

export type PictureProcess = {
  /** See {@link squarePicture} and {@link widePicture}. */
  make(bytes: Buffer, shape: PictureShape): Promise<Buffer | null>
  /** Ends the process, if it runs; the next picture starts a new one. */
  end(): void
}

/**
 * Decodes pictures in a separate process, one after the other. The callers limit how many may wait. The first picture
 * starts the process, and it ends after a while without one.
 *
 * @param options the program and its limits for one picture: tests set others
 */
export function pictureProcess(options: Partial<Limits> & { file?: string } = {}): PictureProcess {
  const { file = PROCESS, decodeMs, computingMs, memoryBytes } = { ...LIMITS, ...options }
  let running: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let before: Promise<unknown> = Promise.resolve()

  function start(): ChildProcess {
    const child = fork(file, [String(memoryBytes), String(computingMs)], {
      // Whoever takes the decoder over finds no setting, no file of the server, and no program to start.
      env: {},
      execArgv: [
        ...['--disable-warning=ExperimentalWarning', '--max-old-space-size=128'],
        ...['--permission', '--allow-addons', '--disable-warning=SecurityWarning'],
        '--disable-sigusr1',
        ...[...READABLE, file].map((path) => `--allow-fs-read=${path}`),
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const forget = () => {
      if (running === child) running = null
    }
    child.once('exit', forget)
    child.on('error', forget)
    // Players' requests have priority, and no server waits for this process to end.
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    child.unref()
    child.channel?.unref()
    return child
  }

  async function decode(bytes: Buffer, shape: PictureShape): Promise<Buffer | null> {
    clearTimeout(idle)
    running ??= start()
    const child = running
    const done = new AbortController()
    const { signal } = done
    const late = setTimeout(() => child.kill('SIGKILL'), decodeMs)
    child.channel?.ref()
    try {
      const answered = Promise.race([
        once(child, 'message', { signal }),
        // The process ended in the middle: by its time here, by its own memory limit, or by the system's.
        once(child, 'exit', { signal }).then(() => [null]),
      ])
      child.send({ bytes, shape })
      const [picture] = (await answered) as [Uint8Array | null]
      return picture && Buffer.from(picture)
    } finally {
      clearTimeout(late)
      done.abort()
      child.channel?.unref()
      idle = setTimeout(end, IDLE_MS).unref()
    }
  }

  function end(): void {
    running?.kill('SIGKILL')
    running = null
  }

  return {
    make(bytes, shape) {
      const mine = before.then(() => decode(bytes, shape))
      before = mine.catch(() => {})
      return mine
    },
    end,
  }
}

const pictures = pictureProcess()

/**
 * Re-encodes a JPEG, PNG, WebP or GIF of up to 40 megapixels as a WebP of 512 by 512 pixels, cut out of the middle,
 * upright, without metadata; of an animation the first frame.
 *
 * @returns null if the file is no such picture, contains a document, or takes too much time or memory
 */
export function squarePicture(bytes: Buffer): Promise<Buffer | null> {
  return pictures.make(bytes, 'square')
}

/** The same, with 1,440 by 456 pixels: a banner of the house. */
export function widePicture(bytes: Buffer): Promise<Buffer | null> {
  return pictures.make(bytes, 'wide')
}

/** The same, whole and with at most 1,800 pixels a side, so that a document on it can be read. */
export function documentPicture(bytes: Buffer): Promise<Buffer | null> {
  return pictures.make(bytes, 'document')
}
