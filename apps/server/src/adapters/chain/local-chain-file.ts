import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { giveToOwner } from '@sum28/fairness/witness/give-to-owner.ts'
import { z } from 'zod'

const blockNumber = z.int().nonnegative()

const infoSchema = z.object({
  id: z.string(),
  fee: z.int(),
  blockNumber,
  blockTimeStamp: z.int(),
  contractResult: z.array(z.string()),
  contract_address: z.string(),
  receipt: z.object({ energy_usage_total: z.int(), net_usage: z.int(), result: z.string() }),
  log: z
    .array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() }))
    .optional(),
  result: z.string().optional(),
  resMessage: z.string().optional(),
})

/** A TransactionInfo that the local chain makes, in the format of full nodes. */
export type LocalTransactionInfo = z.infer<typeof infoSchema>

const recordSchema = z.discriminatedUnion('type', [
  /** Blocks come regularly from block `afterBlock` on, whose time is `at` (ms since 1970). */
  z.object({ type: z.literal('era'), afterBlock: blockNumber, at: z.int() }),
  /** No block above this one has been shown to a client. */
  z.object({ type: z.literal('reach'), blockNumber }),
  z.object({ type: z.literal('transaction'), info: infoSchema }),
])

export type ChainRecord = z.infer<typeof recordSchema>

export type ChainFile = {
  /** What the file held when it was opened. */
  records: ChainRecord[]
  /** The data is on disk when it returns. */
  append(record: ChainRecord): void
  close(): void
}

/** A chain in memory only: the same calls without a file. */
export function noChainFile(): ChainFile {
  return { records: [], append: () => {}, close: () => {} }
}

/**
 * Opens the local chain's file, one JSON record a line, append-only; makes it and its folder if missing. An
 * incomplete last line (the process died while writing) is cut off: no client has seen it. Throws for damage anywhere
 * else, naming the line.
 */
export function openChainFile(path: string): ChainFile {
  mkdirSync(dirname(path), { recursive: true })
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  const { records, soundBytes } = readRecords(bytes, path)
  if (soundBytes < bytes.length) truncateSync(path, soundBytes)
  const descriptor = openSync(path, 'a')
  giveToOwner(path)
  return {
    records,
    append(record) {
      writeFileSync(descriptor, `${JSON.stringify(record)}\n`)
      fsyncSync(descriptor)
    },
    close: () => closeSync(descriptor),
  }
}

function readRecords(bytes: Buffer, path: string): { records: ChainRecord[]; soundBytes: number } {
  const records: ChainRecord[] = []
  let start = 0
  for (;;) {
    const end = bytes.indexOf(0x0a, start)
    if (end === -1) return { records, soundBytes: start }
    const record = readRecord(bytes.toString('utf8', start, end))
    if (record === null) {
      if (end === bytes.length - 1) return { records, soundBytes: start }
      throw new Error(
        `${path}: line ${records.length + 1} is damaged; delete the file to begin anew`,
      )
    }
    records.push(record)
    start = end + 1
  }
}

function readRecord(line: string): ChainRecord | null {
  try {
    return recordSchema.parse(JSON.parse(line))
  } catch {
    return null
  }
}
