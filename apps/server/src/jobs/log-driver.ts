/** Drives the public log's sequencer, in one process for all. */
import { formatVerifierKey } from '@sum28/fairness/signed-note.ts'
import type { Clock } from '#src/adapters/clock/clock.ts'
import { repeatUntilEnded } from '#src/concurrency/repeat-until-ended.ts'
import { logKeys, openWitnesses, originOf } from '#src/modules/public-log/log-keys.ts'
import { logNumber, noteWitnesses } from '#src/modules/public-log/log-store.ts'
import { LogStopped, logSequencer } from '#src/modules/public-log/sequence-log.ts'
import { occasionally } from '#src/process/log.ts'
import type { Resources } from '#src/resources.ts'

/** The lead of the log; the games' leads are named by the games' ids. */
export const LOG_LEAD = 1_001

const EVERY_MS = 2_000

/** @throws StartError if the own witness cannot read what it has signed: nothing would be signed then */
export async function startLog(
  deps: Pick<Resources, 'config' | 'secretKeys' | 'now' | 'log'> & {
    db: Resources['jobDb']
    wait: Clock['wait']
    /** Whether this process drives the log now. */
    leads: () => Promise<boolean>
  },
): Promise<{ stop(): Promise<void> }> {
  const { db, now, log, config } = deps
  let present: { number: number; sequencer: ReturnType<typeof logSequencer> } | null = null

  const number = await logNumber(db)
  openWitnesses(deps, logKeys(originOf(config, number), deps.secretKeys))

  function failed(about: string, facts: object, text: string): void {
    occasionally(log, { about, now: now(), facts }, text)
  }

  /** That of the log's present name; the owner may have begun another. */
  async function sequencerOf(number: number) {
    if (present?.number !== number) {
      const origin = originOf(config, number)
      const keys = logKeys(origin, deps.secretKeys)
      const witnesses = openWitnesses(deps, keys)
      await noteWitnesses(
        db,
        witnesses.map(({ key }) => formatVerifierKey(key)),
      )
      const sequencer = logSequencer({
        db,
        origin,
        keys,
        now,
        witnesses,
        onSilent: (witness, why) =>
          failed(
            `witness ${witness}`,
            { witness, why },
            'a witness of the public log did not sign, or shows nothing',
          ),
      })
      present = { number, sequencer }
    }
    return present.sequencer
  }

  async function check(): Promise<number> {
    if (!(await deps.leads())) {
      present = null
      return EVERY_MS
    }
    const sequencer = await sequencerOf(await logNumber(db))
    try {
      await sequencer.step()
      return EVERY_MS
    } catch (error) {
      // What is wrong may be mended meanwhile: it is compared again before anything is appended.
      sequencer.forget()
      throw error
    }
  }

  return repeatUntilEnded(check, {
    wait: deps.wait,
    failed(error) {
      if (error instanceof LogStopped) failed('public log', {}, error.message)
      else log.warn({ error }, 'the public log will be continued')
    },
    afterFailureMs: EVERY_MS,
  })
}
