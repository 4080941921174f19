import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../second-verifier', import.meta.url))

/** Whether Python can run the second verifier, with its Ed25519; a line says so where it cannot. */
export const HAS_PYTHON = spawnSync('python3', ['-c', 'import cryptography']).status === 0
if (!HAS_PYTHON)
  console.log('The second verifier is not compared: it needs python3 and python3-cryptography.')

/**
 * Runs a text of Python beside the second verifier, with a value as JSON on its input.
 *
 * @returns what it printed, read as JSON
 */
export function runPython(program: string, input: unknown): unknown {
  // Leaves no compiled file in the folder of the sources.
  const { status, stdout, stderr } = spawnSync('python3', ['-B', '-c', program], {
    cwd: FOLDER,
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`Python ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Runs a program of the second verifier, while this process goes on. */
export function runProver(
  args: readonly string[],
  program: 'prove.py' | 'owed.py' = 'prove.py',
): Promise<{ code: number | null; text: string }> {
  const child = spawn('python3', ['-B', program, ...args], { cwd: FOLDER })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => (text += part))
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })))
}

const PROVING = `
import contextlib, io, json, sys
import prove
for line in sys.stdin:
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        try:
            code = prove.main(json.loads(line))
        except SystemExit as end:
            code = end.code
    print(json.dumps({"code": code, "text": text.getvalue()}), flush=True)
`

/** Runs prove.py for one call after another in one process, which most of the time would otherwise take to start. */
export function startProver() {
  const child = spawn('python3', ['-B', '-c', PROVING], {
    cwd: FOLDER,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async run(args: readonly string[]): Promise<{ code: number | null; text: string }> {
      child.stdin.write(`${JSON.stringify(args)}\n`)
      const { value = '' } = await answers.next()
      return JSON.parse(value)
    },
    end: () => void child.stdin.end(),
  }
}
