import { getConfig } from '@testing-library/react'

/** Presses twice, so fast that between the presses the browser does nothing else, not even timers. */
export async function pressTwice(button: HTMLElement): Promise<void> {
  // As in a browser: what a press changes is shown before the next one.
  await getConfig().asyncWrapper(async () => {
    button.click()
    await new Promise<void>((next) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        next()
      }
      port2.postMessage(null)
    })
    button.click()
  })
}
