/**
 * Property tests try the same inputs in every run, so that a run judges a change and not the day's luck. For others:
 * `PROPERTY_SEED=$RANDOM npx vitest run`; a failure prints the seed it was found with.
 */
import fc from 'fast-check'

const seed = Number(process.env.PROPERTY_SEED ?? 28)
if (!Number.isInteger(seed)) {
  throw new Error(`PROPERTY_SEED=${process.env.PROPERTY_SEED} is not a whole number.`)
}
fc.configureGlobal({ seed })
