import type { Config } from '#src/config.ts'
import type { Bus } from './bus.ts'
import { natsBus } from './nats-bus.ts'
import { postgresBus } from './postgres-bus.ts'

/** The event bus of the configuration: NATS if its address is set, else the database's. */
export function openBus(deps: {
  config: Pick<Config, 'natsUrl'>
  databaseUrl: string
  log: { warn(facts: object, text: string): void }
  ending: AsyncDisposableStack
}): Bus {
  const { config, databaseUrl, log, ending } = deps
  const onError = (error: Error) => log.warn({ error: error.message }, 'the event bus is away')
  const bus = config.natsUrl ? natsBus(config.natsUrl, onError) : postgresBus(databaseUrl, onError)
  ending.defer(() => bus.close())
  return bus
}
