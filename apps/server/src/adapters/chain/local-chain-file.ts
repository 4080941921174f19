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

/** A TransactionInfo of the local chain, in the format of full nodes, with the fields that a reader uses. */
export type LocalTransactionInfo = {
  id: string
  blockNumber: number
  blockTimeStamp: number
  receipt: { result: string }
  log?: { address: string; topics: string[]; data: string }[]
  result?: string
}

export type ChainFile = {
  /** What the file held when it was opened. */
  infos: LocalTransactionInfo[]
  /** The data is on disk when it returns. */
  append(info: LocalTransactionInfo): void
  close(): void
}

/** A chain in memory only: the same calls without a file. */
export function noChainFile(): ChainFile {
  return { infos: [], append: () => {}, close: () => {} }
}

/**
 * Opens the local chain's file, one transaction a line, append-only; makes it and its folder if missing. An incomplete
 * last line (the process died while writing) is cut off: no client has seen it. Throws for damage anywhere else.
 */
export function openChainFile(path: string): ChainFile {
  mkdirSync(dirname(path), { recursive: true })
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  const soundBytes = bytes.lastIndexOf('\n') + 1
  const lines = bytes.toString('utf8', 0, soundBytes).split('\n').slice(0, -1)
  const infos = lines.map((line, at) => readLine(line, `${path}: line ${at + 1}`))
  if (soundBytes < bytes.length) truncateSync(path, soundBytes)
  const descriptor = openSync(path, 'a')
  giveToOwner(path)
  return {
    infos,
    append(info) {
      writeFileSync(descriptor, `${JSON.stringify(info)}\n`)
      fsyncSync(descriptor)
    },
    close: () => closeSync(descriptor),
  }
}

function readLine(line: string, name: string): LocalTransactionInfo {
  try {
    const info = JSON.parse(line)
    if (!Number.isInteger(info.blockNumber)) throw new TypeError('no block number')
    return info
  } catch {
    throw new Error(`${name} is damaged; delete the file to begin anew`)
  }
}
