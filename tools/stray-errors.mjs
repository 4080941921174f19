// A reporter for vitest: writes errors that belong to no test, which its JSON report leaves out, to the file
// named by STRAY_ERRORS_FILE, a line each.
import { writeFileSync } from 'node:fs'

export default class StrayErrors {
  onTestRunEnd(_modules, errors) {
    const lines = errors.map(({ name, message, stack }) => {
      const at = stack?.split('\n').find((line) => line.includes('.ts'))
      return `${name}: ${String(message).split('\n', 1)[0]} ${at?.trim() ?? ''}`
    })
    writeFileSync(process.env.STRAY_ERRORS_FILE, lines.join('\n'))
  }
}
