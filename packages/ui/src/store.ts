import { useSyncExternalStore } from 'react'

/** A value outside components; subscribers are called when it is set. */
export type Store<Value> = {
  readonly get: () => Value
  readonly set: (value: Value) => void
  /** Returns a function that ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void
}

export function createStore<Value>(value: Value): Store<Value> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The value of a store; the component rerenders when it changes. */
export function useStore<Value>({ subscribe, get }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, get)
}
