/**
 * A discrete-event simulation of orders: from their arrival at an api process, through its batches and the
 * database's processors, to the commit. Events are taken in the order of their instants; nothing waits for real.
 */

/** What the simulated installation is made of. Times in microseconds. */
export type Installation = {
  /** Processes that answer players; each has one processor and one batch under way. */
  processes: number
  /** Processors of the database. A batch is the work of one of them. */
  databaseCores: number
  /** Processor time of a process for one order. */
  serverEach: number
  /** Processor time of the database for a batch, whatever its size, and for each order in it. */
  batchOwn: number
  batchEach: number
  /** How long a commit takes until it is on disk (and at the synchronous replica), on average. */
  commit: number
  /** The most orders in a batch. */
  batchMax: number
  /** Which share of a processor each part gets: 1 on a machine of its own. */
  share: number
}

export type Load =
  /** Each connection sends its next order when the one before is answered. */
  | { kind: 'closed'; connections: number; seconds: number }
  /** Orders come by chance, on average so many a second at a second of the run. */
  | { kind: 'open'; rateAt: (second: number) => number; rateMax: number; seconds: number }

export type Outcome = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  worstMs: number
  /** Orders in a batch, on average. */
  batch: number
  /** Processor time of the database for an order, in microseconds. */
  databaseEach: number
  /** How busy the processors of the database, and those of the processes, were on average: 1 is all of them. */
  databaseBusy: number
  serverBusy: number
}

type Event = { at: number; process: number; committed: number[] | null; arrivedAt: number }

const SECOND = 1e6

/** @param seed the same gives the same run */
export function simulate(installation: Installation, load: Load, seed: number): Outcome {
  const random = mulberry(seed)
  const { processes, share } = installation
  const serverEach = installation.serverEach / share
  const serverFreeAt = new Float64Array(processes)
  const coreFreeAt = new Float64Array(installation.databaseCores)
  const queues: number[][] = Array.from({ length: processes }, () => [])
  const underWay = new Array<boolean>(processes).fill(false)
  const events = heap()
  const latencies: number[] = []
  const end = load.seconds * SECOND
  let [batches, batched, databaseUsed, serverUsed] = [0, 0, 0, 0]

  function arrive(at: number, process: number): void {
    const done = Math.max(at, serverFreeAt[process] ?? 0) + serverEach
    serverFreeAt[process] = done
    serverUsed += installation.serverEach
    events.add({ at: done, process, committed: null, arrivedAt: at })
  }

  function beginBatch(now: number, process: number): void {
    const queue = queues[process] ?? []
    if (underWay[process] || queue.length === 0) return
    const batch = queue.splice(0, installation.batchMax)
    const work = installation.batchOwn + installation.batchEach * batch.length
    const core = coreFreeAt.indexOf(Math.min(...coreFreeAt))
    const done = Math.max(now, coreFreeAt[core] ?? 0) + work / share
    coreFreeAt[core] = done
    underWay[process] = true
    batches += 1
    batched += batch.length
    databaseUsed += work
    const commit = -Math.log(1 - random()) * installation.commit
    events.add({ at: done + commit, process, committed: batch, arrivedAt: 0 })
  }

  if (load.kind === 'closed') {
    for (let n = 0; n < load.connections; n++) arrive(random() * 1_000, n % processes)
  } else {
    for (let at = 0; at < end; ) {
      at += (-Math.log(1 - random()) / load.rateMax) * SECOND
      // An arrival of the highest rate is kept with the chance that its second has.
      if (random() * load.rateMax < load.rateAt(at / SECOND)) {
        arrive(at, Math.floor(random() * processes))
      }
    }
  }
  for (let event = events.take(); event; event = events.take()) {
    const { at, process, committed, arrivedAt } = event
    if (committed === null) queues[process]?.push(arrivedAt)
    else {
      underWay[process] = false
      for (const since of committed) {
        latencies.push(at - since)
        if (load.kind === 'closed' && at < end) arrive(at, process)
      }
    }
    beginBatch(at, process)
  }
  latencies.sort((a, b) => a - b)
  const at = (part: number) => (latencies[Math.floor(latencies.length * part)] ?? 0) / 1_000
  return {
    perSecond: latencies.length / load.seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    worstMs: (latencies.at(-1) ?? 0) / 1_000,
    batch: batched / batches,
    databaseEach: databaseUsed / batched,
    databaseBusy: databaseUsed / installation.databaseCores / end,
    serverBusy: serverUsed / processes / end,
  }
}

/** A queue of events, the earliest first. */
function heap() {
  const events: Event[] = []
  const earlier = (a: number, b: number) =>
    (events[a]?.at ?? Number.POSITIVE_INFINITY) < (events[b]?.at ?? Number.POSITIVE_INFINITY)
  function swap(a: number, b: number): void {
    const [first, second] = [events[a], events[b]]
    if (first && second) [events[a], events[b]] = [second, first]
  }
  return {
    add(event: Event): void {
      let position = events.push(event) - 1
      while (position > 0) {
        const parent = (position - 1) >> 1
        if (!earlier(position, parent)) break
        swap(position, parent)
        position = parent
      }
    },
    take(): Event | undefined {
      const first = events[0]
      const last = events.pop()
      if (events.length === 0 || !last) return first
      events[0] = last
      for (let position = 0; ; ) {
        const left = 2 * position + 1
        const child = earlier(left + 1, left) ? left + 1 : left
        if (!earlier(child, position)) return first
        swap(position, child)
        position = child
      }
    },
  }
}

/** Numbers from 0 to 1 that follow from a seed (Mulberry32, public domain). */
function mulberry(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
