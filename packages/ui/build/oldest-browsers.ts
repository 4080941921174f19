/**
 * The oldest browsers in which app and console run; README names them for people. The builds aim at them, the start
 * check of `src/start-check.ts` refuses older ones, and `tools/newer-apis.test.ts` finds what they do not have yet.
 */
export const OLDEST_BROWSERS = {
  chrome: 111,
  edge: 111,
  firefox: 121,
  safari: 16.4,
  // Named apart: the build keeps `-webkit-text-size-adjust` only for it.
  ios: 16.4,
} as const

/** For `build.target` of Vite. */
export const BUILD_TARGET = Object.entries(OLDEST_BROWSERS).map(([name, version]) => name + version)
