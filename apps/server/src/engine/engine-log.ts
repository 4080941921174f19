/** The log that the engine writes: a subset of the product's logger. */
export type EngineLog = {
  debug(facts: object, text: string): void
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}
